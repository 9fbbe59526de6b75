let cases =
  Weir_test.Suite.
    [
      native "Lwt's loop, which is not in JavaScript"
        (case "hosts under Lwt, beside those of Eio" ignore);
    ]
