let () = Weir_test.Suite.run "rpc" Machine_tests.tests
