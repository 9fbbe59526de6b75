let () =
  Weir_lab.Lab.be_worker_if_asked ();
  Weir_test.Suite.run "lab"
    [
      ("harness", Harness.cases);
      ("intervals", Intervals.cases);
      ("rivals", Rivals.cases);
      ("studies", Studies.cases);
    ]
