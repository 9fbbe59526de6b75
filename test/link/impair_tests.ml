open Weir_base
open Weir_link
open Weir_test
open Passage

let check = Alcotest.(check int)
let ints = Alcotest.(check (list int))
let none = Impairment.none
let steady ?(len = 64) ~every n = List.init n (fun i -> (i * every, len))

let transparent () =
  let link, out = through none (steady ~every:10 100) in
  ints "all, in order" (List.init 100 Fun.id) (ids out);
  List.iteri (fun i a -> check "at once" (i * 10) a.at) out;
  check "left" 100 link#outbound.left;
  check "idle" Time.never link#deadline

let exact_delay () =
  let _, out = through { none with delay_ns = 1_000_003 } (steady ~every:7_000 100) in
  ints "all, in order" (List.init 100 Fun.id) (ids out);
  List.iteri (fun i a -> check "to the nanosecond" ((i * 7_000) + 1_000_003) a.at) out

let jitter_keeps_order () =
  let sends = steady ~every:1_000 2_000 in
  let _, out = through { none with delay_ns = 500_000; jitter_ns = 100_000 } sends in
  ints "in order" (List.init 2_000 Fun.id) (ids out);
  let lags = List.map (fun a -> a.at - (id a * 1_000)) out in
  List.iter
    (fun lag ->
      if lag < 500_000 || lag > 600_000 then Alcotest.failf "%d is no delay of 500 to 600 us" lag)
    lags;
  if List.length (List.sort_uniq compare lags) < 100 then Alcotest.fail "no jitter to be seen"

(* Far more than 5 standard deviations off does not happen by chance. *)
let about what ~want ~within got =
  if Float.abs (got -. want) > within then Alcotest.failf "%s: %g instead of %g" what got want

let loss_rate () =
  let n = 100_000 in
  let link, _ = through { none with loss = Steady 0.02 } (steady ~every:1 n) in
  about "lost" ~want:0.02 ~within:0.0025 (float link#outbound.lost /. float n);
  let link, out = through { none with loss = Steady 1. } (steady ~every:1 1_000) in
  check "all" 1_000 link#outbound.lost;
  check "none left" 0 (List.length out);
  check "counted in stats" 1_000 link#stats.tx_dropped

(* Lengths of the runs of missing numbers. *)
let rec bursts next = function
  | [] -> []
  | n :: rest when n = next -> bursts (n + 1) rest
  | n :: rest -> (n - next) :: bursts (n + 1) rest

let bursty_loss () =
  let n = 100_000 in
  let loss = Impairment.Bursts { enter = 0.01; leave = 0.2; good = 0.; bad = 1. } in
  let link, out = through { none with loss } (steady ~every:1 n) in
  about "lost" ~want:(0.01 /. 0.21) ~within:0.006 (float link#outbound.lost /. float n);
  let runs = bursts 0 (ids out) in
  let mean = float (List.fold_left ( + ) 0 runs) /. float (List.length runs) in
  about "frames a burst" ~want:5. ~within:0.8 mean

let duplicates () =
  let n = 10_000 in
  let link, out = through { none with duplicate = 0.1 } (steady ~every:10 n) in
  about "copies" ~want:0.1 ~within:0.015 (float link#outbound.duplicated /. float n);
  check "all came" (n + link#outbound.duplicated) (List.length out);
  ints "side by side" (List.init n Fun.id) (List.sort_uniq compare (ids out));
  Alcotest.(check bool) "in order" true (ids out = List.sort compare (ids out))

let flipped_bits a b =
  let bits = ref 0 in
  String.iteri
    (fun i c ->
      let x = ref (Char.code c lxor Char.code b.[i]) in
      while !x > 0 do
        bits := !bits + (!x land 1);
        x := !x lsr 1
      done)
    a;
  !bits

let corrupts () =
  let n = 5_000 in
  let pool = Frames.pool () in
  let sent i =
    let f = Frames.make ~len:100 pool i in
    Bytes.sub_string f.data 0 100
  in
  let link, out = through { none with corrupt = 0.2 } (steady ~len:100 ~every:1 n) in
  let flips = List.mapi (fun i a -> flipped_bits (sent i) a.bytes) out in
  check "one bit each" link#outbound.corrupted (List.fold_left ( + ) 0 flips);
  check "at most one" 1 (List.fold_left max 0 flips);
  about "corrupted" ~want:0.2 ~within:0.03 (float link#outbound.corrupted /. float n)

let not_vouched_for () =
  let a, b = Memory.pair () in
  let arrives impairment =
    let link = Impair.wrap ~seed:1 ~outbound:impairment a in
    let f = Frames.make (Frames.pool ()) 1 in
    Frame.set_checksum f Verified;
    Frames.send link ~now:0 f;
    (b#receive ~now:0).checksum = Verified
  in
  Alcotest.(check bool) "untouched" true (arrives none);
  Alcotest.(check bool) "corrupted" false (arrives { none with corrupt = 1. });
  Alcotest.(check bool) "truncated" false (arrives { none with truncate = 1. })

let truncates () =
  let link, out = through { none with truncate = 1. } (steady ~len:500 ~every:1 5_000) in
  check "all" 5_000 link#outbound.truncated;
  let lengths = List.map (fun a -> String.length a.bytes) out in
  check "shortest" 1 (List.fold_left min 500 lengths);
  check "longest" 499 (List.fold_left max 0 lengths)

(* Who is late comes exactly [reorder_ns] after its turn; the others do not move. *)
let reorders_late () =
  let n = 5_000 in
  let impairment = { none with delay_ns = 10_000; reorder = 0.1; reorder_ns = 3_500 } in
  let link, out = through impairment (steady ~every:1_000 n) in
  let late = List.filter (fun a -> a.at - (id a * 1_000) = 13_500) out in
  let on_time = List.filter (fun a -> a.at - (id a * 1_000) = 10_000) out in
  check "late ones" link#outbound.reordered (List.length late);
  check "the others" (n - List.length late) (List.length on_time);
  about "late" ~want:0.1 ~within:0.02 (float (List.length late) /. float n);
  Alcotest.(check bool) "out of order" false (ids out = List.sort compare (ids out))

let reorders_ahead () =
  let impairment = { none with delay_ns = 10_000; reorder = 0.1; reorder_ns = -4_000 } in
  let _, out = through impairment (steady ~every:1_000 2_000) in
  let lag a = a.at - (id a * 1_000) in
  Alcotest.(check (list int))
    "two lags" [ 6_000; 10_000 ]
    (List.sort_uniq compare (List.map lag out));
  let impairment = { impairment with reorder_ns = -50_000 } in
  let _, out = through impairment (steady ~every:1_000 2_000) in
  Alcotest.(check (list int))
    "not before it was sent" [ 0; 10_000 ]
    (List.sort_uniq compare (List.map lag out))

let not_ahead_of_the_queue () =
  let impairment =
    { none with rate_bps = 8_000_000; delay_ns = 500_000; reorder = 1.; reorder_ns = -9_000_000 }
  in
  let _, out = through impairment (List.init 10 (fun _ -> (0, 1_000))) in
  List.iteri (fun i a -> check "as its last bit leaves" ((i + 1) * 1_000_000) a.at) out

let exact_rate () =
  (* 3 Mbit/s does not divide: 1,000 bytes take 2,666,666 2/3 ns. *)
  let impairment = { none with rate_bps = 3_000_000; queue_bytes = 10_000_000 } in
  let n = 999 in
  let _, out = through impairment (List.init n (fun _ -> (0, 1_000))) in
  check "all" n (List.length out);
  List.iteri (fun i a -> check "nth arrival" ((i + 1) * 1_000 * 8_000 / 3) a.at) out

let bounded_queue () =
  let impairment = { none with rate_bps = 8_000_000; queue_bytes = 10_000 } in
  let link, out = through impairment (List.init 50 (fun _ -> (0, 1_000))) in
  check "ten fit" 10 (List.length out);
  check "the rest is dropped" 40 link#outbound.overflowed;
  let _, out =
    through { impairment with queue_bytes = 1 } [ (0, 1_000); (500_000, 64); (1_000_000, 64) ]
  in
  ints "an idle link takes any frame" [ 0; 2 ] (ids out)

let bounded_frames () =
  let impairment = { none with delay_ns = 1_000; held_frames = 5 } in
  let link, out = through impairment (List.init 12 (fun _ -> (0, 64))) in
  ints "five" [ 0; 1; 2; 3; 4 ] (ids out);
  check "dropped" 7 link#outbound.overflowed

let partition () =
  Frames.all_released (fun pool ->
      let a, b = Memory.pair () in
      let slow = { none with delay_ns = 100 } in
      let link = Impair.wrap ~seed:1 ~outbound:slow ~inbound:slow a in
      let send now n = Frames.send link ~now (Frames.make pool n) in
      send 0 1;
      Frames.send b ~now:0 (Frames.make pool 2);
      ints "on its way" [] (Frames.drain ~now:0 (link :> Link.t));
      check "held" 2 link#held;
      link#set_down;
      Alcotest.(check bool) "down" false link#is_up;
      check "nothing held" 0 link#held;
      send 10 3;
      Frames.send b ~now:10 (Frames.make pool 4);
      ints "cut" [] (Frames.drain ~now:500 (link :> Link.t));
      ints "cut" [] (Frames.drain ~now:500 b);
      link#set_up;
      send 600 5;
      Frames.send b ~now:600 (Frames.make pool 6);
      ints "not yet" [] (Frames.drain ~now:600 (link :> Link.t));
      ints "up again" [ 6 ] (Frames.drain ~now:700 (link :> Link.t));
      ints "up again" [ 5 ] (Frames.drain ~now:700 b);
      check "counted" 2 link#outbound.cut;
      check "counted" 2 link#inbound.cut;
      conserved link#outbound ~held:0;
      conserved link#inbound ~held:0)

let both_directions () =
  let a, b = Memory.pair () in
  let link =
    Impair.wrap ~seed:1 ~outbound:{ none with delay_ns = 100 }
      ~inbound:{ none with delay_ns = 1_000 } a
  in
  let pool = Frames.pool () in
  Frames.send link ~now:0 (Frames.make pool 1);
  Frames.send b ~now:50 (Frames.make pool 2);
  ints "not yet" [] (Frames.drain ~now:50 (link :> Link.t));
  check "outbound first" 100 link#deadline;
  ints "it is sent on" [] (Frames.drain ~now:100 (link :> Link.t));
  ints "and arrives" [ 1 ] (Frames.drain ~now:100 b);
  check "then inbound" 1_050 link#deadline;
  ints "it arrives" [ 2 ] (Frames.drain ~now:1_050 (link :> Link.t));
  check "then nothing" Time.never link#deadline

let wakes_the_peer () =
  let a, b = Memory.pair () in
  let link = Impair.wrap ~seed:1 ~outbound:{ none with delay_ns = 100 } a in
  let calls = ref 0 in
  (match b#readiness with Link.Notify set -> set (fun () -> incr calls) | _ -> ());
  Frames.send link ~now:0 (Frames.make (Frames.pool ()) 1);
  link#flush;
  check "not yet" 0 !calls;
  ignore (link#receive ~now:100);
  check "when it is delivered" 1 !calls

let closing () =
  Frames.all_released (fun pool ->
      let a, b = Memory.pair () in
      let slow = { none with delay_ns = 100; duplicate = 1. } in
      let link = Impair.wrap ~seed:1 ~outbound:slow ~inbound:slow a in
      Frames.send link ~now:0 (Frames.make pool 1);
      Frames.send b ~now:0 (Frames.make pool 2);
      ints "on its way" [] (Frames.drain ~now:0 (link :> Link.t));
      link#close;
      link#close;
      Frames.send link ~now:1 (Frames.make pool 3);
      Frames.send b ~now:1 (Frames.make pool 4);
      ints "nothing" [] (Frames.drain ~now:500 (link :> Link.t));
      ints "nothing" [] (Frames.drain ~now:500 b);
      check "no deadline" Time.never link#deadline;
      check "dropped" 3 link#stats.tx_dropped)

(* A device that always has a frame, all of which are lost. *)
let flood () =
  let pool = Frames.pool () in
  let a, _ = Memory.pair () in
  let endless : Link.t =
    object
      inherit Link.forward a
      method! receive ~now:_ = Frames.make pool 1
    end
  in
  let link = Impair.wrap ~seed:1 ~inbound:{ none with loss = Steady 1. } endless in
  Alcotest.(check bool) "returns" true (link#receive ~now:5 == Frame.none);
  check "and asks to be called again" 5 link#deadline;
  link#set ~inbound:none ();
  let f = link#receive ~now:6 in
  check "then goes on" 1 (Frames.id f);
  check "no need to hurry" Time.never link#deadline

(* The user came late: what has long arrived is still before what is sent now. *)
let late_user () =
  let a, b = Memory.pair () in
  let link = Impair.wrap ~seed:1 ~outbound:{ none with delay_ns = 100 } a in
  let pool = Frames.pool () in
  Frames.send link ~now:0 (Frames.make pool 1);
  link#set ~outbound:none ();
  Frames.send link ~now:200 (Frames.make pool 2);
  ints "in order" [ 1; 2 ] (Frames.drain ~now:200 b)

let no_allocation () =
  let a, b = Memory.pair () in
  let way = { none with loss = Steady 0.1; corrupt = 0.1 } in
  let link = Impair.wrap ~seed:1 ~outbound:way ~inbound:way a in
  let pool = Frames.pool () in
  let round first =
    for now = first to first + 9_999 do
      let f = Frame.alloc pool in
      Frame.set_length f 100;
      Frames.send link ~now f;
      link#flush;
      let f = b#receive ~now in
      if f != Frame.none then Frames.send b ~now f;
      Frame.release (link#receive ~now)
    done
  in
  round 0;
  let before = Gc.minor_words () in
  round 10_000;
  let words = Gc.minor_words () -. before in
  if words > 8. then Alcotest.failf "%.0f words" words

let independent () =
  let sends = steady ~len:200 ~every:100 5_000 in
  let lost impairment =
    let _, out = through ~seed:7 impairment sends in
    let seen = Hashtbl.create 100 in
    List.iter (fun a -> Hashtbl.replace seen (id a) ()) out;
    List.filter (fun i -> not (Hashtbl.mem seen i)) (List.init 5_000 Fun.id)
  in
  let loss = { none with loss = Steady 0.05 } in
  ints "the same frames are lost" (lost loss)
    (lost { loss with duplicate = 0.3; reorder = 0.2; reorder_ns = 500; jitter_ns = 50 });
  let other, _ = through ~seed:8 loss sends and one, _ = through ~seed:7 loss sends in
  Alcotest.(check bool)
    "another seed loses others" false
    (other#outbound.lost = one#outbound.lost && lost loss = ids (snd (through ~seed:8 loss sends)))

let cases =
  [
    Suite.case "nothing impaired" transparent;
    Suite.case "delay is exact" exact_delay;
    Suite.case "jitter keeps the order" jitter_keeps_order;
    Suite.case "loss" loss_rate;
    Suite.case "loss in bursts" bursty_loss;
    Suite.case "duplicates" duplicates;
    Suite.case "corruption" corrupts;
    Suite.case "what was changed is not vouched for" not_vouched_for;
    Suite.case "truncation" truncates;
    Suite.case "late frames" reorders_late;
    Suite.case "frames that jump ahead" reorders_ahead;
    Suite.case "not ahead of the rate" not_ahead_of_the_queue;
    Suite.case "rate is exact" exact_rate;
    Suite.case "the queue is bounded in bytes" bounded_queue;
    Suite.case "what is held is bounded" bounded_frames;
    Suite.case "partition" partition;
    Suite.case "both directions have deadlines" both_directions;
    Suite.case "a delayed frame wakes the peer" wakes_the_peer;
    Suite.case "close" closing;
    Suite.case "a flood of lost frames" flood;
    Suite.case "a late user" late_user;
    Suite.case "no allocation without delay" no_allocation;
    Suite.case "impairments do not disturb each other" independent;
  ]
