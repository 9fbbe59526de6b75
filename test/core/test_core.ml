let () =
  Weir_test.Suite.run "core"
    [
      ("scripts", Scripts.cases);
      ("regressions", Regressions.cases);
      ("transfers", Transfers.cases);
      ("storm", Storm.cases);
      ("attacks", Attacks.cases);
      ("model", Model.cases);
      ("costs", Costs.cases);
    ]
