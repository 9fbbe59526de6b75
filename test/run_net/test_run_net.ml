open Weir_test

let () =
  Netns.run (fun () ->
      Suite.run "run_net"
        [
          ("way", Way_tests.cases); ("recipes", Recipe_tests.cases); ("as a user", User_tests.cases);
        ])
