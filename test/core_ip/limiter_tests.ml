open Weir_base
open Weir_core
open Weir_test

let granted t ~now n = List.length (List.filter Fun.id (List.init n (fun _ -> Limiter.take t ~now)))

let table () =
  let t = Limiter.create ~rate:10 ~burst:3 () in
  let check what want got = Alcotest.(check int) what want got in
  check "starts full" 3 (granted t ~now:(Time.s 50) 10);
  check "nothing yet" 0 (granted t ~now:(Time.s 50 + Time.ms 99) 1);
  check "one in a tenth" 1 (granted t ~now:(Time.s 50 + Time.ms 100) 5);
  check "never above the burst" 3 (granted t ~now:(Time.s 90) 10);
  check "time that goes back earns nothing" 0 (granted t ~now:(Time.s 20) 5);
  check "nor is it earned twice" 0 (granted t ~now:(Time.s 90) 5);
  check "refusals" (7 + 1 + 4 + 7 + 5 + 5) (Limiter.refused t)

let backwards () =
  let t = Limiter.create ~rate:10 ~burst:3 () in
  let check what want got = Alcotest.(check int) what want got in
  check "one of three" 1 (granted t ~now:(Time.s 50) 1);
  check "the others are not lost" 2 (granted t ~now:(Time.s 20) 5);
  check "nor earned again on the way back" 0 (granted t ~now:(Time.s 50) 5)

let bad () =
  List.iter
    (fun (rate, burst) ->
      match Limiter.create ~rate ~burst () with
      | _ -> Alcotest.failf "accepted rate %d burst %d" rate burst
      | exception Invalid_argument _ -> ())
    [ (0, 1); (-1, 1); (1, 0); (1_000_000_001, 1); (1, 1_000_001) ]

(* In any run: no more than the bucket and what time earned; and who asks again
   whenever a token must be there gets it. *)
let model =
  let open QCheck2.Gen in
  QCheck2.Test.make ~name:"never more than burst and rate, never less than earned" ~count:1_000
    (triple (int_range 1 1_000) (int_range 1 20)
       (list_size (int_range 1 200) (int_range 0 (Time.ms 50))))
    (fun (rate, burst, gaps) ->
      let t = Limiter.create ~rate ~burst () in
      let cost = Time.s 1 / rate in
      (* the exact bucket, in nanoseconds *)
      let credit = ref (cost * burst) and now = ref 0 in
      List.for_all
        (fun gap ->
          now := !now + gap;
          credit := Int.min (cost * burst) (!credit + gap);
          let want = !credit >= cost in
          if want then credit := !credit - cost;
          Limiter.take t ~now:!now = want)
        gaps)

let noisy () =
  let t = Limiter.create ~random:(Net.random ()) ~rate:100 ~burst:100 () in
  let burst = granted t ~now:0 1_000 in
  Alcotest.(check bool) "the burst is not exact" true (burst <> 100 && burst > 80 && burst < 125);
  let total = ref 0 in
  for ms = 1 to 100_000 do
    if Limiter.take t ~now:(Time.ms ms) then incr total
  done;
  Alcotest.(check bool)
    (Fmt.str "the rate is kept: %d of 10000" !total)
    true
    (!total > 9_800 && !total < 10_200)

let free () =
  let t = Limiter.create ~rate:1_000 ~burst:5 () in
  let now = ref 0 in
  Net.no_allocation "take" (fun () ->
      now := !now + 300_000;
      ignore (Sys.opaque_identity (Limiter.take t ~now:!now)))

let cases =
  Suite.
    [
      case "a table" table;
      case "time that goes back" backwards;
      case "bad settings" bad;
      case "random prices" noisy;
      native "OCaml's heap" (case "take allocates nothing" free);
      qcheck model;
    ]
