let all () =
  let minor, promoted, major = Gc.counters () in
  minor -. promoted +. major

let allocated f =
  let before = all () in
  ignore (Sys.opaque_identity (f ()));
  all () -. before

let small ~bytes = ((16. *. float_of_int bytes) +. 1_000_000.) /. 8.

let check_small what ~bytes f =
  let words = allocated f and most = small ~bytes in
  if words > most then
    Alcotest.failf "%s: %.0f words for %d bytes, where %.0f are allowed" what words bytes most

let live () =
  Gc.full_major ();
  (Gc.stat ()).live_words
