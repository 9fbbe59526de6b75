let () =
  Weir_test.Netns.run @@ fun () ->
  Weir_test.Suite.run "mirage"
    [ ("programs", Program_tests.cases); ("stack", Stack_tests.cases); ("net", Net_tests.cases) ]
