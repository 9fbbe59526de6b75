let () =
  Weir_test.Suite.run "wire"
    [
      ("captures", Capture_tests.cases);
      ("truncation", Truncation_tests.cases);
      ("addresses", Address_tests.cases);
      ("headers", Header_tests.cases);
      ("icmpv4", Icmpv4_tests.cases);
      ("ipv6", Ipv6_tests.cases);
      ("membership", Membership_tests.cases);
      ("dhcpv4", Dhcpv4_tests.cases);
      ("tcp", Tcp_tests.cases);
      ("transport", Transport_tests.cases);
      ("segmentation", Segmentation_tests.cases);
      ("round trip", Round_trip_tests.cases);
      ("pcap", Pcap_tests.cases);
      ("pcapng", Pcapng_tests.cases);
      ("pcap feed", Pcap_feed_tests.cases);
      ("dump", Dump_tests.cases);
      ("tshark", Tshark_tests.cases);
      ("dns", Dns_tests.cases);
      ("fuzz", Fuzz_tests.cases);
    ]
