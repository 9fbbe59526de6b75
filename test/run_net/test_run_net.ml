open Weir_test

let () =
  Netns.run (fun () ->
      Suite.run "run_net" [ ("conditions", Conditions.cases); ("reports", Reports.cases) ])
