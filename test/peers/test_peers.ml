let () =
  Weir_test.Netns.run @@ fun () ->
  Weir_test.Suite.run "peers"
    [
      ("tcp", Tcp_tests.cases);
      ("http", Http_tests.cases);
      ("datagrams", Datagram_tests.cases);
      ("capture", Capture_tests.cases);
      ("bridge", Bridge_tests.cases);
      ("serve", Serve_tests.cases);
      ("hostile", Hostile_tests.cases);
      ("crowd", Crowd_tests.cases);
      ("edge", Edge_tests.cases);
    ]
