let () =
  Weir_test.Suite.run "core"
    [
      ("scripts", Scripts.cases);
      ("sack scripts", Sack_scripts.cases);
      ("window scripts", Window_scripts.cases);
      ("conformance scripts", Conformance_scripts.cases);
      ("ECN scripts", Ecn_scripts.cases);
      ("timeout scripts", Timeout_scripts.cases);
      ("user timeout scripts", User_timeout_scripts.cases);
      ("edge scripts", Edge_scripts.cases);
      ("scoreboard", Boards.cases);
      ("windows", Windows.cases);
      ("algorithms", Algorithms.cases);
      ("regressions", Regressions.cases);
      ("pacing", Pacing_tests.cases);
      ("bbr", Bbr_tests.cases);
      ("buffers", Buffer_tests.cases);
      ("transfers", Transfers.cases);
      ("lossy", Lossy.cases);
      ("offloads", Offloads.cases);
      ("storm", Storm.cases);
      ("attacks", Attacks.cases);
      ("paths", Path_tests.cases);
      ("forged reports", Report_attacks.cases);
      ("forged neighbours", Forged_neighbours.cases);
      ("SACK attacks", Sack_attacks.cases);
      ("liar", Liar.cases);
      ("usage", Usage_tests.cases);
      ("backlog", Backlog_tests.cases);
      ("interception", Interception_tests.cases);
      ("memory", Memory_tests.cases);
      ("model", Model.cases);
      ("costs", Costs.cases);
      ("rows", Row_tests.cases);
      ("siblings", Siblings_tests.cases);
    ]
