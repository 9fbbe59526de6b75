let () =
  Weir_test.Netns.run @@ fun () ->
  Weir_test.Suite.run "peers"
    [
      ("tcp", Tcp_tests.over Tap);
      ("ECN", Ecn_tests.cases);
      ("http", Http_tests.over Tap);
      ("datagrams", Datagram_tests.over Tap);
      ("tcp, packet socket", Tcp_tests.over Packet);
      ("http, packet socket", Http_tests.over Packet);
      ("paths", Path_tests.cases);
      ("datagrams, packet socket", Datagram_tests.over Packet);
      ("capture", Capture_tests.cases);
      ("bridge", Bridge_tests.cases);
      ("dns", Dns_tests.cases);
      ("serve", Serve_tests.cases);
      ("hostile", Hostile_tests.cases);
      ("crowd", Crowd_tests.cases);
      ("edge", Edge_tests.cases);
    ]
