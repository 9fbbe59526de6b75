open Weir_test

let () =
  Suite.run "core_ip"
    [
      ("neighbours", Neighbours_tests.cases);
      ("claims", Claims_tests.cases);
      ("routes", Routes_tests.cases);
      ("interfaces", Interfaces_tests.cases);
      ("limiter", Limiter_tests.cases);
      ("reassembly", Reassembly_tests.cases);
      ("fragment", Fragment_tests.cases);
      ("icmp", Icmp_tests.cases);
      ("udp sockets", Udp_sockets_tests.cases);
      ("packets", Packet_tests.cases);
      ("multicast", Multicast_tests.cases);
      ("redirects", Redirects_tests.cases);
      ("groups", Groups_tests.cases);
      ("forwarding", Forwarding_tests.cases);
      ("interception", Interception_tests.cases);
      ("neighbour discovery", Discovery_tests.cases_of_nd);
      ("duplicate addresses", Discovery_tests.cases_of_dad);
      ("ICMPv6", Icmpv6_tests.cases);
      ("IPv6 fragments", V6_fragment_tests.cases);
      ("both families", Families_tests.cases);
      ("IPv6 addresses", V6_address_tests.cases);
      ("configuration by routers", Autoconf_tests.cases);
    ]
