(* What a peer can do with SACK blocks, and what it may cost: 11,000 small
   segments are in flight, so that a walk over them for each ACK would show. *)

open Weir_base
open Weir_core
open White_box
open Weir_test
open Script

let least_mss = 88
let total = 11_000 * least_mss
let out = Bytes.create 2_048

let drain t =
  let n = ref 0 in
  while Tcp.next_segment (tcp t) out ~off:0 > 0 do
    incr n
  done;
  !n

let tick t span =
  let shared = Tcp.shared (tcp t) in
  shared.now <- shared.now + span;
  Tcp.tick (tcp t)

(* A whole send buffer in flight to a peer with a window for it. *)
let flooded ?ts () =
  let t = host ~config:{ Config.default with timestamps = ts <> None } () in
  let stamp = Option.map (fun () -> (100, -1)) ts in
  let mss = if ts = None then least_mss else least_mss + 12 in
  send t ~flags:[ S ] ~mss ~ws:14 ~sackok:true ?ts:stamp 0;
  after t 10;
  send t ~ack:1 ?ts:stamp 1;
  let c = connection t in
  Congestion.set_window c.congestion (1 lsl 24);
  let data = Bytes.make total 'x' in
  ignore (Tcp.write c data ~off:0 ~len:total);
  ignore (drain t);
  Alcotest.(check int) "in flight" total (Tcb.flight c);
  tick t (Time.ms 10);
  (t, c)

let hostile t (c : Tcb.t) ?(ack = c.snd_una) ?(echo = -1) sacks =
  Tcp.input (tcp t)
    (Weir_wire.Packet.between ~source:c.remote ~destination:c.local)
    ~mss:1460
    {
      Weir_wire.Tcp.base with
      src_port = c.remote_port;
      dst_port = c.local_port;
      seq = c.rcv_nxt;
      ack;
      window = 65_535;
      sacks;
      ts_val = (if c.timestamps then c.ts_recent else -1);
      ts_ecr = (if echo >= 0 then echo else if c.timestamps then Tcb.timestamp_now c else 0);
    }
    Bytes.empty ~data:0

(* [n] ACKs, [each] made by its number, and the host's answers to them. *)
let assault ?(n = 100_000) ?(us = 25.) name (t, (c : Tcb.t)) each =
  let before = Weir_test.Words.live () and began = Sys.time () in
  for i = 1 to n do
    each i;
    ignore (drain t);
    if i land 63 = 0 then tick t (Time.us 10)
  done;
  let took = (Sys.time () -. began) *. 1e6 /. float_of_int n in
  let grown = Weir_test.Words.live () - before in
  if took > us then Alcotest.failf "%s: %.1f us an ACK" name took;
  if grown > 200_000 then Alcotest.failf "%s: %d words more" name grown;
  if c.state <> Established then Alcotest.failf "%s: %a" name Invariants.pp c;
  Invariants.check c

(* After it all the bytes still arrive. *)
let goes_on (t, (c : Tcb.t)) =
  for _ = 1 to 40 do
    tick t (Time.ms 500);
    ignore (drain t);
    hostile t c ~ack:c.snd_max []
  done;
  Alcotest.(check int) "acknowledged" 0 (Send_queue.length c.snd)

let from (c : Tcb.t) n = Seq.add c.snd_una n
let block c n len = (from c n, from c (n + len))

let single_bytes () =
  let ((t, c) as f) = flooded () in
  assault "single bytes" f (fun i ->
      let at = i * 7_919 mod 900_000 in
      hostile t c (List.map (fun k -> block c (at + (2 * k)) 1) [ 0; 1; 2; 3 ]));
  Alcotest.(check int) "nothing marked" 0 (Scoreboard.sacked_segments c.board);
  goes_on f

(* First a comb, then blocks over all of it for ever. *)
let combs () =
  let ((t, c) as f) = flooded () in
  for i = 0 to 5_000 do
    hostile t c [ block c (least_mss * (1 + (2 * i))) least_mss ]
  done;
  assault "combs" f (fun i ->
      let at = least_mss * (1 + (i * 31 mod 1_000)) in
      hostile t c (List.map (fun k -> block c (at + k) (900_000 - at)) [ 3; 2; 1; 0 ]));
  goes_on f

(* Everything before the last is late, but not yet lost. *)
let last_first () =
  let ((t, c) as f) = flooded () in
  (* Reordering, so that the window is open. *)
  hostile t c [ block c least_mss least_mss ];
  hostile t c ~ack:(from c (2 * least_mss)) [];
  assault ~n:20_000 "the last first" f (fun i ->
      hostile t c [ block c (900_000 - (least_mss * (i land 15))) (2 * least_mss) ]);
  goes_on f

let dsack_flood () =
  let ((t, c) as f) = flooded () in
  hostile t c ~ack:(from c 500_000) [];
  assault "D-SACKs" f (fun i ->
      let old = Seq.add c.snd_una (-1 - (i land 0xfff)) in
      if i land 0xff = 0 then hostile t c [ block c 1_000 2_000 ];
      hostile t c [ (old, Seq.add old 1) ]);
  let least = Rack.min_rtt c.rack in
  let wnd = Rack.reo_wnd c.rack ~in_recovery:false ~sacked:0 ~srtt:least in
  if wnd > least then Alcotest.failf "a reordering window of %d ns" wnd;
  goes_on f

let nonsense () =
  let ((t, c) as f) = flooded () in
  let random = Random.State.make [| Suite.seed () |] in
  assault "nonsense" f (fun _ ->
      let any () = Random.State.bits random lxor (Random.State.bits random lsl 2) in
      let near () = Seq.add c.snd_una (Random.State.int random 3_000_000 - 1_000_000) in
      let beyond = Seq.add c.snd_max (1 + Random.State.int random 1_000) in
      hostile t c [ (any (), any ()); (from c 10, beyond); (near (), from c (-5)) ]);
  if c.shared.counters.tcp_sacks_ignored < 100_000 then
    Alcotest.failf "only %d counted" c.shared.counters.tcp_sacks_ignored;
  goes_on f

(* What was selectively acknowledged is withdrawn at each timeout. *)
let reneging () =
  let ((t, c) as f) = flooded () in
  assault ~n:300 ~us:5_000. "reneging" f (fun _ ->
      hostile t c [ block c least_mss 900_000 ];
      tick t (Time.s 61);
      if c.retries > 6 then hostile t c ~ack:(from c least_mss) []);
  goes_on f

(* All is lost by one block, and all undone by one old timestamp, with the ACK
   of what went again first: a walk over all that is in flight each time, but
   for the bound of one undo a round trip. *)
let undoing () =
  let ((t, c) as f) = flooded ~ts:() () in
  let old = Tcb.timestamp_now c in
  let next () = from c least_mss in
  tick t (Time.ms 10);
  assault ~n:3_000 "undoing" f (fun _ ->
      tick t (Time.ms 10);
      hostile t c [ block c (total / 2) (4 * least_mss) ];
      ignore (drain t);
      let again = c.recovery.again_end in
      hostile t c ~ack:(if again >= 0 then Seq.max again (next ()) else next ()) ~echo:old [];
      if Tcb.flight c < total / 2 then (
        ignore (Tcp.write c (Bytes.make total 'x') ~off:0 ~len:total);
        Congestion.set_window c.congestion (1 lsl 24)));
  let undone = c.shared.counters.tcp_undone in
  if undone = 0 || undone > 100 then Alcotest.failf "undone %d times" undone;
  goes_on f

(* A peer that acknowledges what cannot have arrived yet gains no window beyond
   what it could have by receiving it. *)
let optimistic () =
  let t, c = flooded () in
  Congestion.set_window c.congestion 10_000;
  let data = Bytes.make total 'x' in
  for i = 1 to 100_000 do
    hostile t c ~ack:(from c (Int.min (Tcb.flight c) 1_000)) [ block c 2_000 100_000_000 ];
    ignore (Tcp.write c data ~off:0 ~len:total);
    ignore (drain t);
    if i land 7 = 0 then tick t (Time.us 1);
    if Tcb.flight c > Send_queue.capacity c.snd then Alcotest.fail "more in flight than the buffer"
  done;
  Invariants.check c;
  if Scoreboard.records c.board > 50_000 then
    Alcotest.failf "%d records" (Scoreboard.records c.board)

let cases =
  [
    Suite.case "single bytes for ever" single_bytes;
    Suite.case "combs, then all of it" combs;
    Suite.case "the last segment first" last_first;
    Suite.case "a flood of D-SACKs" dsack_flood;
    Suite.case "blocks of what was never sent" nonsense;
    Suite.case "reneging" reneging;
    Suite.case "undoing for ever" undoing;
    Suite.case "optimistic ACKs" optimistic;
  ]
