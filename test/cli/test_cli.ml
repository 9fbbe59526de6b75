let () = Weir_test.Suite.run "cli" [ ("usage", Usage_tests.cases); ("run", Run_tests.cases) ]
