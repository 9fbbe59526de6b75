open Weir_base
open Weir_link
open Weir_test

let trace s = Result.get_ok (Delivery_trace.of_string s)

let texts () =
  let error s reason =
    Alcotest.(check (result reject string)) s (Error reason) (Delivery_trace.of_string s)
  in
  error "" "the last time must be above 0";
  error "0\n0" "the last time must be above 0";
  error "1\n3\n2\n" "line 3: 2 is before the line above";
  error "1\nx" "line 2: x is not a time in milliseconds";
  error "1\n-1" "line 2: -1 is before the line above";
  error "0x10" "line 1: 0x10 is not a time in milliseconds";
  let t = trace "# up\n0\n5 # two\n5\n\n10\n" in
  Alcotest.(check (list int))
    "times, again from 10 ms on"
    [ 0; 5; 5; 10; 10; 15; 15; 20; 20 ]
    (List.init 9 (fun n -> Delivery_trace.time t n / Time.ms 1));
  Alcotest.(check int) "mean" (4 * 1_514 * 8 * 100) (Delivery_trace.mean_bps t)

let first_is_first =
  let open QCheck2 in
  Test.make ~name:"the first time of a trace" ~count:500
    Gen.(pair (list_size (int_range 1 20) (int_range 0 50)) (int_range 0 2_000))
    (fun (steps, at) ->
      let _, times = List.fold_left_map (fun t s -> (t + s, t + s)) 1 steps in
      let t = trace (String.concat "\n" (List.map string_of_int times)) in
      let n = Delivery_trace.first t ~at:(Time.ms at) in
      Delivery_trace.time t n >= Time.ms at && (n = 0 || Delivery_trace.time t (n - 1) < Time.ms at))

(* Admits frames of these lengths at these milliseconds. *)
let run b =
  List.map (fun (at, len) ->
      let t = Bottleneck.admit b ~now:(Time.ms at) ~len in
      if t = Bottleneck.refused then -1 else t / Time.ms 1)

let by_trace ?(queue_bytes = 1_000_000) s =
  let b = Bottleneck.create ~rate_bps:Impairment.unlimited ~queue_bytes:1 in
  Bottleneck.follow b ~start:0 ~queue_bytes (trace s);
  b

let traces () =
  let check what expected b frames = Alcotest.(check (list int)) what expected (run b frames) in
  let full at = (at, 1_514) in
  check "one a millisecond" [ 1; 2; 3; 4; 5 ] (by_trace "1") (List.init 5 (fun _ -> full 0));
  check "unused times are lost" [ 1; 7; 8 ] (by_trace "1") [ full 0; full 7; full 7 ];
  check "short ones share" [ 1; 1; 2; 2 ] (by_trace "1") [ (0, 700); (0, 700); (0, 700); (0, 700) ];
  check "a long one takes several" [ 3; 4 ] (by_trace "1") [ (0, 3_500); full 0 ];
  check "several at once" [ 4; 4; 4; 8 ] (by_trace "4\n4\n4") (List.init 4 (fun _ -> full 0));
  let b = by_trace ~queue_bytes:3_100 "10" in
  check "a full queue" [ 10; 20; -1; -1; 30; -1 ] b (List.map full [ 0; 0; 0; 9; 11; 19 ]);
  Alcotest.(check int) "the longest it was" 3_028 (Bottleneck.fullest b);
  Alcotest.(check int) "what waits" 1_514 (Bottleneck.queued b ~now:(Time.ms 25));
  Alcotest.(check int) "nothing" 0 (Bottleneck.queued b ~now:(Time.ms 31))

(* Two lanes share 8 Mbit/s: each frame of 1,000 bytes takes 1 ms, whoever sends it. *)
let shared () =
  let shared = Bottleneck.create ~rate_bps:8_000_000 ~queue_bytes:3_000 in
  let lane n = Lane.create ~seed:[| n |] Impairment.none in
  let a = lane 1 and b = lane 2 in
  let pool = Frame.pool ~size:1_000 () in
  let send lane =
    let f = Frame.alloc pool in
    Frame.set f ~off:0 ~len:1_000;
    Lane.enter ~shared lane ~now:0 f
  in
  let fates = List.map send [ a; b; a; b ] in
  Alcotest.(check bool) "fates" true (fates = [ Lane.Sent; Sent; Sent; No_room ]);
  Alcotest.(check (list int)) "times" [ Time.ms 1; Time.ms 2 ] [ Lane.deadline a; Lane.deadline b ]

let cases =
  [
    Suite.case "traces' texts" texts;
    Suite.qcheck first_is_first;
    Suite.case "rates by traces" traces;
    Suite.case "a bottleneck of two lanes" shared;
  ]
