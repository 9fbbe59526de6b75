let () =
  Weir_test.Netns.run @@ fun () ->
  Weir_test.Suite.run "peers"
    [
      ("tcp", Tcp_tests.over Tap);
      ("ECN", Ecn_tests.cases);
      ("http", Http_tests.over Tap);
      ("datagrams", Datagram_tests.over Tap);
      ("tcp, packet socket", Tcp_tests.over Packet);
      ("datagrams, TUN", Datagram_tests.over Tun);
      ("tcp, IPv6, TUN", Tcp_tests.few Tun);
      ("http, packet socket", Http_tests.over Packet);
      ("paths", Path_tests.cases);
      ("datagrams, packet socket", Datagram_tests.over Packet);
      ("tcp, XDP socket", Tcp_tests.over Xdp);
      ("http, XDP socket", Http_tests.over Xdp);
      ("datagrams, XDP socket", Datagram_tests.over Xdp);
      ("tcp, IPv6", Tcp_tests.few Tap);
      ("datagrams, IPv6", Datagram_tests.over ~ipv6:true Tap);
      ("tcp, IPv6, packet socket", Tcp_tests.few Packet);
      ("datagrams, IPv6, packet socket", Datagram_tests.over ~ipv6:true Packet);
      ("tcp, IPv6, XDP socket", Tcp_tests.few Xdp);
      ("datagrams, IPv6, XDP socket", Datagram_tests.over ~ipv6:true Xdp);
      ("http, IPv6", Http_tests.over_v6);
      ("groups", Group_tests.cases);
      ("capture", Capture_tests.cases);
      ("bridge", Bridge_tests.cases);
      ("dns", Dns_tests.cases);
      ("serve", Serve_tests.cases);
      ("hostile", Hostile_tests.cases);
      ("attack kits", Attack_tests.cases);
      ("crowd", Crowd_tests.cases);
      ("edge", Edge_tests.cases);
    ]
