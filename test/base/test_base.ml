let () =
  Weir_test.Suite.run "base"
    [
      ("checksum", Checksum_tests.cases);
      ("heap", Heap_tests.cases);
      ("fifo", Fifo_tests.cases);
      ("byte ring", Byte_ring_tests.cases);
      ("byte ring model", Byte_ring_model.cases);
      ("send queue", Send_queue_model.cases);
      ("short", Short_tests.cases);
      ("time", Time_tests.cases);
      ("frame", Frame_tests.cases);
    ]
