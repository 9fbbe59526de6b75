let () =
  Weir_test.Suite.run "cli"
    [
      ("usage", Usage_tests.cases);
      ("run", Run_tests.cases);
      ("dump", Dump_tests.cases);
      ("log", Log_tests.cases);
      ("get", Get_tests.cases);
      ("descriptors", Descriptor_tests.cases);
      ("capture", Capture_tests.cases);
    ]
