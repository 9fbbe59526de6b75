(* Congestion windows by numbers: CUBIC's curve, its floor, what idle time and
   undone losses do to it; and when slow start ends. *)

open Weir_base
open Weir_core
open Weir_test

let mss = 1_000
let rtt = Time.ms 100
let int = Alcotest.(check int)

(* Each round trip acknowledges the whole window in segments. *)
let round c ~now ?(limited = true) () =
  let n = Congestion.window c / mss in
  for i = 1 to n do
    Congestion.on_ack c
      ~now:(now + (i * rtt / n))
      ~srtt:rtt ~rtt:(-1) ~snd_una:0 ~snd_nxt:0 ~acked:mss ~in_flight:0 ~limited
  done

let rounds c ~now n =
  for i = 0 to n - 1 do
    round c ~now:(now + (i * rtt)) ()
  done

let lossy algorithm =
  let c = Congestion.create algorithm ~mss in
  Congestion.set_window c (1_000 * mss);
  Congestion.reduce c ~flight:(1_000 * mss);
  Congestion.set_window c (Congestion.ssthresh c);
  c

let near what want got =
  if abs (got - want) * 100 > want * 2 then Alcotest.failf "%s: %d, not %d" what got want

(* K is the cube root of (1000 - 700) / 0.4: 9.08 s. *)
let curve () =
  let c = lossy Cubic.algorithm in
  int "0.7 of it is left" (700 * mss) (Congestion.window c);
  rounds c ~now:(Time.s 50) 45;
  (* 0.4 (4.5 - 9.08)^3 + 1000 *)
  near "concave" (961 * mss) (Congestion.window c);
  rounds c ~now:(Time.s 50 + (45 * rtt)) 45;
  near "the plateau" (1_000 * mss) (Congestion.window c);
  rounds c ~now:(Time.s 50 + (90 * rtt)) 60;
  (* 0.4 (15 - 9.08)^3 + 1000 *)
  near "convex" (1_083 * mss) (Congestion.window c);
  Congestion.reduce c ~flight:(Congestion.window c);
  near "0.7 again" (758 * mss) (Congestion.ssthresh c)

let reno () =
  let c = lossy Reno.algorithm in
  int "half is left" (500 * mss) (Congestion.window c);
  rounds c ~now:(Time.s 50) 10;
  near "a segment a round trip" (510 * mss) (Congestion.window c)

(* A short round trip and a small window, where the curve is flat for long. *)
let reno_friendly () =
  let c = Congestion.create Cubic.algorithm ~mss in
  Congestion.set_window c (20 * mss);
  Congestion.reduce c ~flight:(20 * mss);
  Congestion.set_window c (Congestion.ssthresh c);
  for i = 0 to 39 do
    let n = Congestion.window c / mss in
    for _ = 1 to n do
      Congestion.on_ack c
        ~now:(Time.s 50 + (i * Time.us 100))
        ~srtt:(Time.us 100) ~rtt:(-1) ~snd_una:0 ~snd_nxt:0 ~acked:mss ~in_flight:0 ~limited:true
    done
  done;
  let segments = Congestion.window c / mss in
  if segments < 34 || segments > 50 then Alcotest.failf "%d segments after 40 round trips" segments

let unused () =
  let busy = lossy Cubic.algorithm and idle = lossy Cubic.algorithm in
  rounds busy ~now:(Time.s 50) 20;
  rounds idle ~now:(Time.s 50) 10;
  (* A minute in which the application sends little. *)
  round idle ~now:(Time.s 80) ~limited:false ();
  round idle ~now:(Time.s 110) ~limited:false ();
  rounds idle ~now:(Time.s 110 + rtt) 10;
  near "as if the minute had not been" (Congestion.window busy) (Congestion.window idle)

(* For the flight that filled it, and not for a number of long ago. *)
let used () =
  let c = Congestion.create Cubic.algorithm ~mss in
  let check what want ~flight una nxt =
    Alcotest.(check bool)
      what want
      (Congestion.is_used c ~flight:(flight * mss) ~snd_una:(una * mss) ~snd_max:(nxt * mss))
  in
  check "not before anything" false ~flight:2 2 2;
  check "filled" true ~flight:9 4 12;
  check "its end" true ~flight:2 12 14;
  check "what came after" false ~flight:2 13 14;
  let far = 0xc000_0000 in
  let used una = Congestion.is_used c ~flight:0 ~snd_una:una ~snd_max:(Seq.add una 10) in
  Alcotest.(check bool) "2 GB later" false (used far);
  Alcotest.(check bool) "3 GB later" false (used (Seq.add far 0x2000_0000))

let undone () =
  let c = lossy Cubic.algorithm and other = lossy Cubic.algorithm in
  rounds c ~now:(Time.s 50) 20;
  rounds other ~now:(Time.s 50) 20;
  Congestion.remember c;
  Congestion.reduce c ~flight:(Congestion.window c);
  Congestion.set_window c (Congestion.ssthresh c);
  Congestion.undo c;
  int "the window" (Congestion.window other) (Congestion.window c);
  rounds c ~now:(Time.s 52) 20;
  rounds other ~now:(Time.s 52) 20;
  int "and its growth" (Congestion.window other) (Congestion.window c)

(* Ten ACKs a round; the round trip of each is given. After the first one,
   [unseen] bytes go that do not fill the window. *)
let slow_starts ?(unseen = 0) rtts =
  let h = Hystart.create () in
  let una = ref 1_000 in
  List.map
    (fun ms ->
      let nxt = Seq.add !una 10 in
      let last = ref Hystart.Slow_start in
      for i = 1 to 10 do
        last :=
          Hystart.on_ack h ~rtt:(Time.ms ms) ~snd_una:(Seq.add !una i) ~snd_nxt:(Seq.add nxt i)
      done;
      una := if !una = 1_000 then Seq.add nxt unseen else nxt;
      match !last with Hystart.Slow_start -> 's' | Conservative -> 'c' | Leave -> 'l')
    rtts
  |> List.to_seq |> String.of_seq

let slow_start_ends () =
  let check what want rtts = Alcotest.(check string) what want (slow_starts rtts) in
  Alcotest.(check string)
    "after 2 GB without a round" "ssscccccl"
    (slow_starts ~unseen:0x8000_1000 [ 40; 40; 40; 46; 46; 46; 46; 46; 46 ]);
  check "steady" "ssssss" [ 40; 40; 40; 42; 44; 44 ];
  check "an eighth more, for five rounds" "ssscccccl" [ 40; 40; 40; 46; 46; 46; 46; 46; 46 ];
  check "it was a hiccup" "sssccss" [ 40; 40; 40; 46; 46; 40; 40 ];
  check "less than 4 ms is nothing" "sssss" [ 1; 1; 2; 4; 4 ];
  check "16 ms always count" "sssc" [ 400; 400; 400; 417 ]

let cases =
  [
    Suite.case "CUBIC's curve" curve;
    Suite.case "Reno's line" reno;
    Suite.case "CUBIC is no slower than Reno" reno_friendly;
    Suite.case "unused time does not count" unused;
    Suite.case "a flight that fills it" used;
    Suite.case "undone" undone;
    Suite.case "slow start ends" slow_start_ends;
  ]
