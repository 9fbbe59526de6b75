open Weir_test

let () =
  Netns.run (fun () ->
      Suite.run "tap"
        [
          ("open", Open_tests.cases);
          ("device", Device_tests.cases);
          ("bridge", Bridge_tests.cases);
          ("speed", Speed_tests.cases);
        ])
