open Weir_test

let () =
  Netns.run (fun () ->
      Suite.run "run_conditions" [ ("conditions", Conditions.cases); ("reports", Reports.cases) ])
