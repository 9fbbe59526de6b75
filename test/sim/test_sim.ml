let () =
  Weir_test.Suite.run "sim"
    [
      ("scheduler", Scheduler_tests.cases);
      ("determinism", Determinism_tests.cases);
      ("faults", Fault_tests.cases @ Crash_tests.cases);
      ("network", Network_tests.cases);
      ("dns", Dns_tests.cases);
      ("connect by name", By_name_tests.cases);
      ("routers", Router_tests.cases);
      ("lwt", Lwt_tests.cases);
      ("groups", Group_tests.cases);
      ("sweeps", Sweep_tests.cases);
      ("scenarios", Determinism_tests.scenarios);
    ]
