open Weir_base
open Weir_link
open Weir_test

let check = Alcotest.(check int)
let ints = Alcotest.(check (list int))

(* Two cables, joined: what the far ends say to each other. *)
let joined ?(outbound = Impairment.none) () =
  let a, a' = Memory.pair () and b, b' = Memory.pair () in
  (a, a', (Impair.wrap ~seed:3 ~outbound b' :> Link.t), b)

let both_ways () =
  let a, a', b', b = joined () in
  let pool = Frames.pool () in
  let calls = ref 0 in
  (match b#readiness with Link.Notify set -> set (fun () -> incr calls) | _ -> ());
  for n = 1 to 5 do
    Frames.send a ~now:0 (Frames.make pool n);
    Frames.send b ~now:0 (Frames.make pool (10 + n))
  done;
  check "moved" 10 (Bridge.pump ~now:0 a' b');
  check "nothing more" 0 (Bridge.pump ~now:0 a' b');
  check "one wakeup" 1 !calls;
  ints "there" [ 1; 2; 3; 4; 5 ] (Frames.drain ~now:0 b);
  ints "back" [ 11; 12; 13; 14; 15 ] (Frames.drain ~now:0 a)

let one_frame_wakes () =
  let a, a', b', b = joined () in
  let calls = ref 0 in
  (match b#readiness with Link.Notify set -> set (fun () -> incr calls) | _ -> ());
  Frames.send a ~now:0 (Frames.make (Frames.pool ()) 1);
  check "moved" 1 (Bridge.pump ~now:0 a' b');
  check "woken" 1 !calls

let budget () =
  let a, a', b', b = joined () in
  let pool = Frames.pool () in
  for n = 1 to 10 do
    Frames.send a ~now:0 (Frames.make pool n)
  done;
  check "as many as allowed" 4 (Bridge.pump ~budget:4 ~now:0 a' b');
  check "again" 4 (Bridge.pump ~budget:4 ~now:0 a' b');
  check "the rest" 2 (Bridge.pump ~budget:4 ~now:0 a' b');
  ints "in order" (List.init 10 succ) (Frames.drain ~now:0 b)

let through_impairment () =
  let a, a', b', b = joined ~outbound:{ Impairment.none with delay_ns = 1_000 } () in
  Frames.send a ~now:0 (Frames.make (Frames.pool ()) 1);
  check "taken" 1 (Bridge.pump ~now:10 a' b');
  ints "held back" [] (Frames.drain ~now:10 b);
  check "deadline" 1_010 (Bridge.deadline a' b');
  check "nothing new" 0 (Bridge.pump ~now:1_010 a' b');
  ints "delivered" [ 1 ] (Frames.drain ~now:1_010 b);
  check "idle" Time.never (Bridge.deadline a' b')

let needs_descriptors () =
  let a, b = Memory.pair () in
  Alcotest.check_raises "memory"
    (Invalid_argument "Descriptor.await: a link has no file descriptor") (fun () ->
      let await = Weir_link_unix.Descriptor.await [ a; b ] in
      Bridge.run ~clock:(fun () -> 0) ~stop:(fun () -> true) ~await a b)

let cases =
  [
    Suite.case "both ways" both_ways;
    Suite.case "one frame wakes" one_frame_wakes;
    Suite.case "a budget" budget;
    Suite.case "through an impairment" through_impairment;
    Suite.case "a wait needs descriptors" needs_descriptors;
  ]
