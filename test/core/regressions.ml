(* Situations that once went wrong, each as short as it can be. *)

open Weir_base
open Weir_core
open White_box
open Script

let zeros n = String.make n 'x'

let check_state t want =
  Alcotest.(check string) "state" want (Fmt.str "%a" Tcb.pp_state (host_state t))

let alive t = Alcotest.(check bool) "still there" true ((connection t).error = None)

(* How many lines of the trace, from [mark] on, satisfy [f]. *)
let lines_since t mark =
  let s = trace t in
  String.split_on_char '\n' (String.sub s mark (String.length s - mark))

let mark t = String.length (trace t)
let contains = Weir_test.Text.contains

let sent_since t mark sub =
  List.length (List.filter (fun l -> contains l "> " && contains l sub) (lines_since t mark))

(* The window is advertised in units; rounding it up on each ACK moved its edge
   beyond the buffer, and many small segments overran the ring. *)
let rounding () =
  let config = { Config.default with receive_buffer = 200_000 } in
  let t = host ~config () in
  established t ~ws:2;
  let c = connection t in
  let seq = ref 1 in
  for _ = 1 to 200_000 do
    if Seq.diff c.rcv_adv c.rcv_nxt > 0 then (
      (* Twice: each is acknowledged at once. *)
      send t ~ack:1 ~data:"a" !seq;
      send t ~ack:1 ~data:"a" !seq;
      incr seq;
      Invariants.check c)
  done;
  Alcotest.(check bool) "the window closes" true (Seq.diff c.rcv_adv c.rcv_nxt < 4)

(* The last byte went as a window probe; the timer ran on with nothing to
   probe, and after twelve turns the idle connection was given up. *)
let idle_after_probe () =
  let t = host () in
  established t ~win:1000;
  write t (zeros 1001);
  send t ~ack:1001 ~win:0 1;
  after t 300;
  send t ~ack:1002 ~win:0 1;
  after t 3_600_000;
  alive t;
  check_state t "ESTABLISHED"

(* The same with the FIN: the probe after it looked for bytes beyond the ring. *)
let probe_after_fin () =
  let t = host () in
  established t ~win:1000;
  write t (zeros 1001);
  send t ~ack:1001 ~win:0 1;
  shutdown t;
  after t 300;
  send t ~ack:1003 ~win:0 1;
  check_state t "FIN-WAIT-2";
  after t 600_000;
  check_state t "FIN-WAIT-2"

(* Answers to window probes all look like duplicate ACKs. *)
let probes_are_not_duplicates () =
  let t = host () in
  established t ~win:1000;
  write t (zeros 5000);
  send t ~ack:1001 ~win:0 1;
  let m = mark t in
  for _ = 1 to 30 do
    after t 60_000;
    send t ~ack:1001 ~win:0 1
  done;
  Alcotest.(check int) "nothing but probes" 0 (sent_since t m "1460 bytes");
  alive t;
  (* Long probing must not leave the retransmissions without tries. *)
  send t ~ack:1001 ~win:65_535 1;
  after t 10_000;
  alive t;
  let c = connection t in
  for _ = 1 to 5 do
    send t ~ack:(Seq.diff c.snd_max c.iss) ~win:65_535 1
  done;
  Alcotest.(check int) "all sent and acknowledged" 5001 (Seq.diff c.snd_una c.iss)

(* A reader who is slow but there keeps the peer's FIN waiting. *)
let fin_into_closed_window () =
  let t = host ~config:{ Config.default with receive_buffer = 4_000; timestamps = false } () in
  established t;
  send t ~ack:1 ~data:(zeros 1460) 1;
  send t ~ack:1 ~data:(zeros 1460) 1461;
  send t ~ack:1 ~data:(zeros 1080) 2921;
  send t ~ack:1 ~flags:[ F ] 4001;
  check_state t "CLOSE-WAIT"

let fin_waits_for_window () =
  let t = host () in
  established t ~win:1000;
  write t (zeros 1000);
  send t ~ack:1001 ~win:0 1;
  shutdown t;
  for _ = 1 to 40 do
    after t 30_000;
    send t ~ack:1001 ~win:0 1
  done;
  alive t;
  check_state t "FIN-WAIT-1"

(* A window was shut for longer than an orphan may wait; the user closes, and
   the next probe gave the connection up though the peer had answered all. *)
let orphan_has_tries () =
  let t = host () in
  established t ~win:1000;
  write t (zeros 2000);
  send t ~ack:1001 ~win:0 1;
  for _ = 1 to 40 do
    after t 30_000;
    send t ~ack:1001 ~win:0 1
  done;
  close t;
  after t 61_000;
  alive t;
  let m = mark t in
  send t ~ack:1001 ~win:65_535 1;
  Alcotest.(check int) "the rest, and FIN" 1 (sent_since t m "FP.")

(* A peer without window scaling: the window is 64 KB, and it must be told when
   it opens again however large the buffer is. *)
let update_without_scaling () =
  let t = host () in
  established t;
  let c = connection t in
  let seq = ref 1 in
  while Seq.diff c.rcv_adv c.rcv_nxt > 0 do
    let n = min 1460 (Seq.diff c.rcv_adv c.rcv_nxt) in
    send t ~ack:1 ~data:(zeros n) !seq;
    seq := !seq + n
  done;
  after t 100;
  let m = mark t in
  read t 65_535;
  Alcotest.(check int) "a window update" 1 (sent_since t m "win 65535")

(* The timer has run, its SYN is not yet out, and the answer to the first comes. *)
let answer_between_timer_and_syn () =
  let t = host () in
  connect t;
  write t "data";
  (Tcp.shared (tcp t)).now <- Tcp.deadline (tcp t);
  Tcp.tick (tcp t);
  send t ~flags:[ S ] ~ack:1 ~mss:1460 0;
  Invariants.check (connection t);
  after t 10;
  send t ~ack:5 1;
  check_state t "ESTABLISHED"

(* While old data go again after a timeout, the ACKs in between must still be
   within the peer's window. *)
let ack_after_timeout () =
  let t = host () in
  established t;
  write t (zeros 2920);
  after t 1_100;
  let m = mark t in
  send t ~ack:1 ~data:"hello" 1;
  after t 50;
  Alcotest.(check int) "ACK with the highest number" 1 (sent_since t m "seq 2921 ack 6")

(* RFC 6298 §5, Karn: without timestamps the longer timeout stays until a
   segment that was sent once is acknowledged. *)
let karn () =
  let t = host ~config:{ Config.default with timestamps = false } () in
  established t;
  write t "a";
  send t ~ack:2 1;
  write t "b";
  after t 3_001;
  send t ~ack:3 1;
  let m = mark t in
  write t "c";
  after t 2_900;
  Alcotest.(check int) "sent once" 1 (sent_since t m "\"c\"")

(* RFC 6298 §5.7 and RFC 5681 §3.1: after a lost SYN, 3 seconds and one segment. *)
let after_lost_syn () =
  let t = host ~config:{ Config.default with timestamps = false } () in
  connect t;
  after t 1_100;
  send t ~flags:[ S ] ~ack:1 ~mss:1000 0;
  let m = mark t in
  write t (zeros 5_000);
  Alcotest.(check int) "one segment" 1 (sent_since t m "1000 bytes");
  after t 2_900;
  Alcotest.(check int) "not yet again" 1 (sent_since t m "1000 bytes");
  after t 200;
  Alcotest.(check int) "now" 2 (sent_since t m "1000 bytes")

(* RFC 7323 §2.2: the window in a SYN is not scaled, simultaneous open or not. *)
let syn_window () =
  let t = host () in
  connect t;
  send t ~flags:[ S ] ~win:1000 ~mss:1460 ~ws:7 0;
  send t ~flags:[ S ] ~ack:1 ~win:1000 ~mss:1460 ~ws:7 0;
  check_state t "ESTABLISHED";
  Alcotest.(check int) "window" 1000 (connection t).snd_wnd

(* Fast retransmit sends what was sent, not what came after it. *)
let fast_retransmit_of_a_short_one () =
  let t = host () in
  established t ~win:100;
  write t (zeros 1000);
  for _ = 1 to 3 do
    send t ~ack:1 ~win:100 1
  done;
  let c = connection t in
  Alcotest.(check int) "within the window" 100 (Seq.diff c.snd_max c.snd_una)

(* RFC 6582's [recover] must not fall half the number space behind. *)
let recover_follows () =
  let r = Recovery_state.create ~iss:0 in
  let ack = ref 1 in
  for _ = 1 to 3 do
    ack := Seq.add !ack (1 lsl 30);
    Recovery_state.follow r ~snd_una:!ack
  done;
  Alcotest.(check bool) "duplicates count" true (Seq.lt r.recover !ack)

(* However steady a long path is, a lone segment's ACK may be delayed. *)
let timeout_above_round_trip () =
  let r = Rto.create ~initial:(Time.s 1) ~min:(Time.ms 200) ~max:(Time.s 60) in
  for _ = 1 to 100 do
    Rto.sample r (Time.ms 300)
  done;
  if Rto.current r < Time.ms 490 then Alcotest.failf "%a" Time.pp (Rto.current r)

(* A segment whose ACK is a lie may not set the time by which honest ones are
   judged. *)
let poisoned_timestamp () =
  let t = host () in
  established t ~ts:true;
  send t ~ack:500_000 ~data:"evil" ~ts:(2_000_000_000, -1) 1;
  send t ~ack:1 ~data:"good" ~ts:(105, -1) 1;
  let b = Bytes.create 10 in
  Alcotest.(check int) "honest data" 4 (Tcp.read (connection t) b ~off:0 ~len:10);
  Alcotest.(check string) "good" "good" (Bytes.sub_string b 0 4)

(* Timers that were moved left their old entries behind, those of keepalive for
   two hours. *)
let timers_do_not_pile_up () =
  let t = host () in
  established t;
  Tcp.set_keepalive (connection t) (Some { idle = Time.s 7_200; interval = Time.s 1; probes = 3 });
  for i = 0 to 999 do
    send t ~ack:1 ~data:"x" (1 + i);
    after t 50
  done;
  let n = Heap.length (Tcp.shared (tcp t)).timers in
  if n > 8 then Alcotest.failf "%d timers for one connection" n

let closed_have_no_timers () =
  let t = host () in
  for port = 10_001 to 30_000 do
    send t ~port ~flags:[ S ] ~mss:1460 0
  done;
  let n = Heap.length (Tcp.shared (tcp t)).timers in
  if n > 2_000 then Alcotest.failf "%d timers after a flood" n

(* A client that uses its port again goes on where its old connection's
   timestamps ended, or a server in TIME-WAIT would not take it. *)
let timestamps_of_next_incarnation () =
  let t = host () in
  let offset () =
    connect t;
    let o = (connection t).ts_offset in
    abort t;
    after t 1_500;
    o
  in
  let first = offset () in
  Alcotest.(check int) "same origin" first (offset ())

(* A forged SYN must not end TIME-WAIT where nobody listens. *)
let syn_for_nobody () =
  let t = host () in
  connect t;
  send t ~flags:[ S ] ~ack:1 ~mss:1460 0;
  close t;
  send t ~ack:2 ~flags:[ F ] 1;
  check_state t "TIME-WAIT";
  send t ~flags:[ S ] ~mss:1460 500;
  check_state t "TIME-WAIT"

(* An ACK of much after a timeout must not carry slow start past its threshold. *)
let slow_start_ends_at_threshold () =
  let c = Congestion.create Reno.algorithm ~mss:1000 in
  Congestion.set_window c 20_000;
  Congestion.on_timeout c ~flight:20_000 ~first:true;
  Congestion.on_ack c ~now:0 ~srtt:(-1) ~rtt:(-1) ~snd_una:0 ~snd_nxt:0 ~acked:50_000 ~in_flight:0
    ~limited:true;
  Alcotest.(check int) "window" 10_000 (Congestion.window c)

(* To the host itself, without leaving it. *)
let loopback () =
  let w = World.pair ~seed:1 ~check:true () in
  let a = World.first w and sent = World.sent w in
  let l = World.listen a 80 in
  let c = World.connect w a a 80 in
  World.settle w;
  let s = Option.get (Tcp.accept l) in
  let stream = Stream.create ~seed:1 ~total:3_000_000 in
  World.app w (fun () ->
      Stream.write stream c;
      Stream.read stream s;
      if Stream.all_written stream then Tcp.shutdown_send c);
  let finished () = Tcb.peer_finished s && Stream.all_read stream in
  if not (World.run w ~limit:(World.now w + Time.s 10) finished) then
    Alcotest.failf "%a / %a" Invariants.pp c Invariants.pp s;
  Alcotest.(check int) "no frame left the host" sent (World.sent w)

(* A connection to itself: both SYNs cross in one (RFC 9293 §3.5). *)
let self_connect () =
  let w = World.pair ~seed:1 ~check:true () in
  let a = World.first w in
  let c = World.connect w a ~local_port:7_000 a 7_000 in
  World.pass w (Time.s 1);
  let stream = Stream.create ~seed:1 ~total:300_000 in
  World.app w (fun () ->
      Stream.write stream c;
      Stream.read stream c);
  if not (World.run w ~limit:(World.now w + Time.s 10) (fun () -> Stream.all_read stream)) then
    Alcotest.failf "%a" Invariants.pp c;
  Tcp.close (World.tcp a) c;
  World.pass w (Time.s 100);
  Alcotest.(check int) "nothing left" 0 (Tcp.length (World.tcp a))

let cases =
  List.map
    (fun (name, f) -> Weir_test.Suite.case name f)
    [
      ("window rounding", rounding);
      ("idle after a probe", idle_after_probe);
      ("probe after FIN", probe_after_fin);
      ("probes are not duplicates", probes_are_not_duplicates);
      ("FIN into a closed window", fin_into_closed_window);
      ("FIN waits for a window", fin_waits_for_window);
      ("an orphan has tries of its own", orphan_has_tries);
      ("window update without scaling", update_without_scaling);
      ("answer between timer and SYN", answer_between_timer_and_syn);
      ("ACK after a timeout", ack_after_timeout);
      ("Karn's rule", karn);
      ("after a lost SYN", after_lost_syn);
      ("window of a SYN", syn_window);
      ("fast retransmit of a short segment", fast_retransmit_of_a_short_one);
      ("recover follows", recover_follows);
      ("timeout above the round trip", timeout_above_round_trip);
      ("poisoned timestamp", poisoned_timestamp);
      ("timestamps of the next incarnation", timestamps_of_next_incarnation);
      ("SYN for nobody in TIME-WAIT", syn_for_nobody);
      ("slow start ends at its threshold", slow_start_ends_at_threshold);
      ("loopback", loopback);
      ("a connection to itself", self_connect);
      ("timers do not pile up", timers_do_not_pile_up);
      ("closed connections have no timers", closed_have_no_timers);
    ]
