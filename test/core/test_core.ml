let () = Weir_test.Suite.run "core" [ ("scripts", Scripts.cases) ]
