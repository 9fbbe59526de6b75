let () =
  Weir_test.Suite.run "rpc_lwt"
    (Loopback_tests.tests @ Call_tests.tests @ End_tests.tests @ Leaving_tests.tests
   @ Rule_tests.tests @ Host_tests.tests @ Interop_tests.tests @ Stream_tests.tests
   @ Service_tests.tests @ Fairness_tests.tests @ Chaos_tests.tests)
