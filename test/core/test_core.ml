let () =
  Weir_test.Suite.run "core"
    [
      ("scripts", Scripts.cases);
      ("sack scripts", Sack_scripts.cases);
      ("scoreboard", Boards.cases);
      ("regressions", Regressions.cases);
      ("transfers", Transfers.cases);
      ("lossy", Lossy.cases);
      ("storm", Storm.cases);
      ("attacks", Attacks.cases);
      ("model", Model.cases);
      ("costs", Costs.cases);
    ]
