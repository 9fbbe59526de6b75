let () = Weir_test.Suite.run "rpc" (Machine_tests.tests @ Line_tests.tests @ Stream_tests.tests)
