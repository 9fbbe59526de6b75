let () =
  Weir_test.Suite.run "dissect"
    [
      ("conversations", Conversation_tests.cases);
      ("filter", Filter_tests.cases);
      ("streams", Stream_tests.cases);
      ("fuzz", Fuzz_tests.cases);
      ("tshark", Tshark_tests.cases);
    ]
