let () =
  Weir_test.Suite.run "message"
    (Framing_tests.tests @ Large_tests.tests @ Sequence_tests.tests @ Codec_tests.tests
   @ Thrift_tests.tests)
