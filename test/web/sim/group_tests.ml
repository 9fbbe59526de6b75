let cases =
  Weir_test.Suite.
    [
      native "Lwt's loop, which is not in JavaScript"
        (case "groups, with hosts under Lwt too" ignore);
    ]
