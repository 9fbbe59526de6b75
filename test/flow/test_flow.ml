let () =
  Weir_test.Suite.run "flow"
    [
      ("direct", Direct.cases);
      ("extensions", Extensions.cases);
      ("pipe", Pipes.cases);
      ("wrappers", Wrappers.cases);
      ("unix", Descriptors.cases);
      ("lwt", Monadic.cases);
    ]
