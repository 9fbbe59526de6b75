let () =
  Weir_test.Suite.run "rpc_eio"
    (Call_tests.tests @ End_tests.tests @ Leaving_tests.tests @ Abuse_tests.tests
   @ Cancel_tests.tests @ Host_tests.tests @ Transport_tests.tests)
