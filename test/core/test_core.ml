(* What takes minutes as JavaScript. *)
let minutes = List.map (Weir_test.Suite.native "minutes")

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
      ("pacing", minutes Pacing_tests.cases);
      ("bbr", minutes Bbr_tests.cases);
      ("buffers", minutes Buffer_tests.cases);
      ("transfers", minutes Transfers.cases);
      ("lossy", minutes Lossy.cases);
      ("offloads", Offloads.cases);
      ("storm", minutes Storm.cases);
      ("attacks", minutes Attacks.cases);
      ("paths", Path_tests.cases);
      ("forged reports", Report_attacks.cases);
      ("forged neighbours", Forged_neighbours.cases);
      ( "SACK attacks",
        List.map (Weir_test.Suite.native "processor time and heap words") Sack_attacks.cases );
      ("liar", minutes Liar.cases);
      ("usage", Usage_tests.cases);
      ("backlog", Backlog_tests.cases);
      ("interception", Interception_tests.cases);
      ("memory", Memory_tests.cases);
      ("model", minutes Model.cases);
      ("costs", Costs.cases);
      ("rows", Row_tests.cases);
      ("siblings", minutes Siblings_tests.cases);
    ]
