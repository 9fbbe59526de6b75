open Weir_test

let () =
  Netns.run (fun () ->
      Suite.run "tap"
        [
          ("open", Open_tests.cases);
          ("device", Device_tests.cases);
          ("bridge", Bridge_tests.cases);
          ("packet", Packet_tests.cases);
          ("xdp", Xdp_tests.cases);
          ("packet device", Device_tests.over Packet);
          ("xdp device", Device_tests.over Xdp);
          ("speed", Speed_tests.over Tap);
          ("packet speed", Speed_tests.over Packet);
          ("xdp speed", Speed_tests.over Xdp);
        ])
