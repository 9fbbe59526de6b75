let () =
  Weir_test.Suite.run "lab"
    [ ("harness", Harness.cases); ("rivals", Rivals.cases); ("studies", Studies.cases) ]
