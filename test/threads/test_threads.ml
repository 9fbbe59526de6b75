let () =
  Weir_test.Suite.run "threads"
    [
      ("prompt", Prompts.cases);
      ("thread", Basics.cases);
      ("cancel", Cancel.cases);
      ("together", Together.cases);
    ]
