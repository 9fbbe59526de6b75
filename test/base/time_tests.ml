module Time = Weir_base.Time
module Suite = Weir_test.Suite

let check = Alcotest.(check string)
let show t = Format.asprintf "%a" Time.pp t

let units () =
  Alcotest.(check int) "us" 7_000 (Time.us 7);
  Alcotest.(check int) "ms" 7_000_000 (Time.ms 7);
  Alcotest.(check int) "s" 7_000_000_000 (Time.s 7);
  Alcotest.(check int) "of float" 1_500_000_000 (Time.of_float_s 1.5);
  Alcotest.(check (float 1e-12)) "to float" 0.25 (Time.to_float_s (Time.ms 250))

let printed () =
  check "small" "0.000000001" (show 1);
  check "negative" "-0.000000001" (show (-1));
  check "negative seconds" "-2.500000000" (show (Time.ms (-2500)));
  check "large" "146.000000020" (show (Time.s 146 + 20));
  check "never" "never" (show Time.never)

let cases = [ Suite.case "units" units; Suite.case "printed" printed ]
