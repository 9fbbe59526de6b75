let () =
  Weir_test.Netns.run @@ fun () ->
  Weir_test.Suite.run "dhcp"
    [
      ("client", Client_tests.cases);
      ("hostile", Hostile_tests.cases);
      ("stack", Stack_tests.cases);
      ("worlds", World_tests.cases);
      ("dnsmasq", Dnsmasq_tests.cases);
      ("advertisements", Radv_tests.cases);
      ("radvd", Radvd_tests.cases);
    ]
