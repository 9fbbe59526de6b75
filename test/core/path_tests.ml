(* Paths that are narrower than the link, with ICMP and without. *)

open Weir_base
open Weir_core
open White_box
open Weir_link
open Weir_test

let delay = { Impairment.none with delay_ns = Time.ms 5 }

type flow = { w : World.t; router : Narrow.t; c : Tcb.t; s : Tcb.t; stream : Stream.t }

let connected ?(offload = false) ?config ?(mtu = 1_280) ?(total = 1_000_000) ?(there = delay) () =
  let configs = Option.map (fun c -> (c, c)) config in
  let w = World.pair ~seed:1 ~offload ?configs ~there ~back:delay ~check:true () in
  let router = Narrow.put w ~mtu in
  let a = World.first w and b = World.second w in
  let l = World.listen b 80 in
  let c = World.connect w a b 80 in
  World.pass w (Time.ms 50);
  let s = Option.get (Tcp.accept l) in
  let stream = Stream.create ~seed:1 ~total in
  World.app w (fun () ->
      Stream.write stream c;
      Stream.read stream s);
  { w; router; c; s; stream }

let until f bytes =
  let limit = World.now f.w + Time.s 120 in
  if not (World.run f.w ~limit (fun () -> Stream.read_so_far f.stream >= bytes)) then
    Alcotest.failf "%d of %d bytes came: %a" (Stream.read_so_far f.stream) bytes Invariants.pp f.c

let all f = until f (Stream.total f.stream)
let counters f = Stack.counters (World.stack (World.first f.w))
let int = Alcotest.(check int)
let path_mtu f = Stack.path_mtu (World.stack (World.first f.w)) (World.address (World.second f.w))

let no_congestion f =
  let n = counters f in
  int "recoveries" 0 n.tcp_fast_retransmits;
  int "timeouts" 0 n.tcp_timeouts

let told ~offload () =
  let f = connected ~offload () in
  all f;
  int "MSS" 1_228 f.c.mss;
  int "the path's MTU" 1_280 (path_mtu f);
  int "reports followed" 1 (counters f).tcp_path_reports;
  no_congestion f;
  (* Only the first flight was too long. *)
  if f.router.dropped > 20 then Alcotest.failf "%d packets were too long" f.router.dropped

(* RFC 5927 §7.2: segments as long as these have passed, so the report waits for a timer. *)
let shrinks ~offload () =
  let f = connected ~offload ~mtu:1_500 () in
  until f 500_000;
  f.router.mtu <- 1_280;
  all f;
  int "MSS" 1_228 f.c.mss;
  int "reports followed" 1 (counters f).tcp_path_reports;
  no_congestion f

let shrinks_without_sack () =
  let f = connected ~config:{ Config.default with sack = false } ~mtu:1_500 () in
  until f 500_000;
  f.router.mtu <- 1_280;
  all f;
  int "MSS" 1_228 f.c.mss;
  no_congestion f

(* With a stamp for the delivery rate in each record. *)
let rated = function
  | Congestion.Algorithm b -> Congestion.Algorithm { b with name = "rated"; rate_samples = true }

let shrinks_rated () =
  let config = { Config.default with congestion = [ rated Reno.algorithm ] } in
  let f = connected ~config ~mtu:1_500 () in
  until f 500_000;
  f.router.mtu <- 700;
  all f;
  int "MSS" 648 f.c.mss;
  no_congestion f

let window_stays () =
  (* With 1 MB of buffer, not paced, the window has stopped growing when the path shrinks. *)
  let buffer = 1_048_576 in
  let config =
    { Config.default with send_buffer = buffer; receive_buffer = buffer; pacing = false }
  in
  let f = connected ~config ~mtu:1_500 ~total:4_000_000 () in
  until f 2_000_000;
  let before = Congestion.window f.c.congestion in
  f.router.mtu <- 1_000;
  ignore (World.run f.w ~limit:(World.now f.w + Time.s 5) (fun () -> f.c.mss < 1_000));
  int "MSS" 948 f.c.mss;
  int "cwnd" before (Congestion.window f.c.congestion);
  all f;
  no_congestion f

let old_router () =
  let f = connected () in
  f.router.tells <- false;
  all f;
  int "the next plateau" 1_006 (path_mtu f);
  no_congestion f

let several_steps () =
  let f = connected ~mtu:1_400 () in
  until f 10_000;
  f.router.mtu <- 1_100;
  until f 20_000;
  f.router.mtu <- 700;
  all f;
  int "MSS" 648 f.c.mss

(* Less than the least: segments of 576 bytes that routers may fragment. *)
let very_narrow () =
  let f = connected ~mtu:300 ~total:100_000 () in
  all f;
  int "MSS" 524 f.c.mss;
  no_congestion f

let wide_again () =
  let f = connected ~total:500_000 () in
  until f 300_000;
  int "MSS" 1_228 f.c.mss;
  f.router.mtu <- 1_500;
  World.pass f.w (Time.s 599);
  World.pass f.w (Time.s 2);
  int "the path is forgotten" 1_500 (path_mtu f);
  let more = Stream.create ~seed:9 ~total:100_000 in
  World.app f.w (fun () ->
      Stream.write more f.c;
      Stream.read more f.s);
  World.pass f.w (Time.s 1);
  int "MSS" 1_448 f.c.mss

(* The second connection begins with what the first has learned. *)
let shared () =
  let f = connected () in
  all f;
  let dropped = f.router.dropped in
  let a = World.first f.w and b = World.second f.w in
  let l = World.listen b 81 in
  let c = World.connect f.w a b 81 in
  World.pass f.w (Time.ms 50);
  let s = Option.get (Tcp.accept l) in
  int "MSS" 1_228 c.mss;
  int "as many segments in the first flight" 12_280 (Congestion.window c.congestion);
  let more = Stream.create ~seed:9 ~total:100_000 in
  World.app f.w (fun () ->
      Stream.write more c;
      Stream.read more s);
  World.pass f.w (Time.s 1);
  int "all came" 100_000 (Stream.read_so_far more);
  int "no packet was too long" dropped f.router.dropped

(* -- without ICMP ------------------------------------------------------------ *)

let swallowed ?(mtu = 1_280) ~offload ~least () =
  let f = connected ~offload ~mtu ~total:3_000_000 () in
  f.router.silent <- true;
  all f;
  let n = counters f in
  int "black holes" 1 n.tcp_black_holes;
  int "timeouts" 2 n.tcp_timeouts;
  int "a lost probe is no congestion" 0 n.tcp_fast_retransmits;
  if f.c.mss < least || f.c.mss > mtu - 52 then Alcotest.failf "MSS %d" f.c.mss;
  int "the path's MTU" (f.c.mss + 52) (path_mtu f)

let swallows_later () =
  let f = connected ~mtu:1_500 ~total:20_000_000 () in
  until f 500_000;
  f.router.silent <- true;
  f.router.mtu <- 1_400;
  all f;
  if f.c.mss < 1_340 || f.c.mss > 1_348 then Alcotest.failf "MSS %d" f.c.mss

let swallows_without_sack () =
  let f = connected ~config:{ Config.default with sack = false } ~total:3_000_000 () in
  f.router.silent <- true;
  all f;
  let n = counters f in
  int "timeouts" 2 n.tcp_timeouts;
  int "a lost probe is no congestion" 0 n.tcp_fast_retransmits;
  if f.c.mss < 1_220 || f.c.mss > 1_228 then Alcotest.failf "MSS %d" f.c.mss

(* Nothing passes for two seconds: the first probe shows that the path is as wide as before. *)
let outage () =
  let f = connected ~mtu:1_500 ~total:3_000_000 () in
  until f 500_000;
  World.impair f.w ~there:{ delay with loss = Steady 1. } ();
  World.pass f.w (Time.s 2);
  World.impair f.w ~there:delay ();
  all f;
  int "MSS" 1_448 f.c.mss;
  int "the path's MTU" 1_500 (path_mtu f)

(* Ten minutes later the search begins again, and does not stall. *)
let found_again () =
  let f = connected ~total:2_000_000 () in
  f.router.silent <- true;
  all f;
  let n = counters f in
  let timeouts = n.tcp_timeouts in
  World.pass f.w (Time.s 700);
  f.router.mtu <- 1_500;
  let more = Stream.create ~seed:9 ~total:1_000_000 in
  World.app f.w (fun () ->
      Stream.write more f.c;
      Stream.read more f.s);
  World.pass f.w (Time.s 10);
  int "all came" 1_000_000 (Stream.read_so_far more);
  int "MSS" 1_448 f.c.mss;
  int "no timeout more" timeouts n.tcp_timeouts

(* A probe brings a report: the next has the length that it names. *)
let report_of_probe () =
  let f = connected ~mtu:1_111 ~total:20_000_000 () in
  f.router.silent <- true;
  ignore (World.run f.w ~limit:(World.now f.w + Time.s 9) (fun () -> f.c.path.searching));
  f.router.silent <- false;
  f.router.mtu <- 1_337;
  all f;
  int "MSS" (1_337 - 52) f.c.mss;
  let n = counters f in
  int "probes" 2 n.tcp_path_probes;
  int "no congestion" 0 n.tcp_fast_retransmits

let lossy () =
  let there = { delay with loss = Steady 0.02 } in
  let f = connected ~there ~total:2_000_000 () in
  f.router.silent <- true;
  all f;
  if f.c.mss < 1_012 || f.c.mss > 1_228 then Alcotest.failf "MSS %d" f.c.mss

(* -- datagrams ------------------------------------------------------------------ *)

let datagrams () =
  let w = World.pair ~seed:1 ~there:delay ~back:delay () in
  let router = Narrow.put w ~mtu:1_000 in
  let a = World.stack (World.first w) and b = World.stack (World.second w) in
  let dst = World.address (World.second w) in
  let bind stack port =
    Result.get_ok (Stack.bind_udp stack ~address:(V4 Ipaddr.V4.any) ~port ~reuse:false)
  in
  let s = bind a 5_000 and r = bind b 6_000 in
  let data = Bytes.make 1_400 'd' in
  let send ?dont_fragment len =
    let sent =
      Stack.send_udp ?dont_fragment a ~now:(World.now w) s ~dst ~dst_port:6_000 data ~off:0 ~len
    in
    World.pass w (Time.ms 20);
    sent
  in
  let received = ref 0 in
  let arrives what n =
    let got = Udp_sockets.receive r (Bytes.create 2_000) ~off:0 ~len:2_000 in
    incr received;
    int what n got
  in
  let frames = ref 0 in
  World.on_frame w (fun _ _ _ -> incr frames);
  Alcotest.(check bool) "the path is unknown" true (send ~dont_fragment:true 1_400 = Ok ());
  arrives "the first is dropped" (-1);
  int "one report" 1 router.reports;
  int "the path's MTU" 1_000 (Stack.path_mtu a dst);
  Alcotest.(check bool) "refused" true (send ~dont_fragment:true 1_400 = Error `Too_long);
  Alcotest.(check bool) "refused" true (send ~dont_fragment:true 973 = Error `Too_long);
  Alcotest.(check bool) "fits" true (send ~dont_fragment:true 972 = Ok ());
  arrives "whole" 972;
  frames := 0;
  Alcotest.(check bool) "in fragments" true (send 1_400 = Ok ());
  int "two" 2 !frames;
  arrives "together again" 1_400

(* -- the scoreboard ---------------------------------------------------------------- *)

let cut_board () =
  let board = Scoreboard.create () and rack = Rack.create ~iss:0 in
  Scoreboard.set_bounds board ~mss:1_000 ~buffer:100_000;
  let sent seq upto now = Scoreboard.sent board ~seq ~upto ~now in
  sent 0 1_000 1;
  sent 1_000 1_100 2;
  sent 1_100 2_100 3;
  (* 900 bytes and the FIN. *)
  sent 2_100 3_001 4;
  Scoreboard.sack board rack ~left:1_100 ~right:2_100;
  Alcotest.(check bool)
    "some are long" true
    (Scoreboard.cut board ~mss:450 ~data_end:3_000 ~frames:false);
  let seen = ref [] in
  Scoreboard.iter (fun first upto state -> seen := (first, upto, state) :: !seen) board;
  Alcotest.(check bool)
    "records" true
    (List.rev !seen
    = [
        (0, 450, `Lost);
        (450, 900, `Lost);
        (900, 1_000, `Lost);
        (1_000, 1_100, `In_flight);
        (1_100, 1_550, `Sacked);
        (1_550, 2_000, `Sacked);
        (2_000, 2_100, `Sacked);
        (2_100, 2_550, `Lost);
        (2_550, 3_001, `Lost);
      ]);
  int "lost" 1_901 (Scoreboard.lost board);
  int "in flight" 100 (Scoreboard.in_flight board);
  int "sacked" 3 (Scoreboard.sacked_segments board);
  Alcotest.(check bool)
    "once only" false
    (Scoreboard.cut board ~mss:450 ~data_end:3_000 ~frames:false);
  int "the first again" 0 (Scoreboard.first_of board (Scoreboard.next_lost board))

let cases =
  [
    Suite.case "ICMP from the start" (told ~offload:false);
    Suite.case "ICMP from the start, long frames" (told ~offload:true);
    Suite.case "the path shrinks" (shrinks ~offload:false);
    Suite.case "the path shrinks, long frames" (shrinks ~offload:true);
    Suite.case "the path shrinks, no SACK" shrinks_without_sack;
    Suite.case "the path shrinks, rates measured" shrinks_rated;
    Suite.case "the window stays" window_stays;
    Suite.case "a router that names no MTU" old_router;
    Suite.case "several steps" several_steps;
    Suite.case "narrower than 576" very_narrow;
    Suite.case "wide again after ten minutes" wide_again;
    Suite.case "connections share what is learned" shared;
    Suite.case "long segments swallowed" (swallowed ~offload:false ~least:1_220);
    Suite.case "long segments swallowed, long frames" (swallowed ~offload:true ~least:1_220);
    Suite.case "swallowed above 1,492" (swallowed ~mtu:1_492 ~offload:false ~least:1_432);
    Suite.case "swallowed in the middle" swallows_later;
    Suite.case "swallowed, no SACK" swallows_without_sack;
    Suite.case "an outage is no narrow path" outage;
    Suite.case "the search begins again" found_again;
    Suite.case "a probe brings a report" report_of_probe;
    Suite.case "swallowed and 2% lost" lossy;
    Suite.case "datagrams" datagrams;
    Suite.case "records are cut" cut_board;
  ]
