(* What one peer can do to a host on purpose, and what it may cost. *)

open Weir_base
open Weir_core
open White_box
open Weir_test
module Header = Weir_wire.Tcp

let delay = { Weir_link.Impairment.none with delay_ns = Time.us 50 }
let world ?configs () = World.pair ~seed:(Suite.seed ()) ~there:delay ~back:delay ?configs ()

let spoofed random =
  Weir_wire.Ip.of_int
    (if Random.State.int random 10 = 0 then 0x0a000000 + 3 + Random.State.int random 240
     else 0x30000000 + Random.State.bits random)

(* 100,000 SYNs a second; a client knocks once a second. *)
let syn_flood () =
  let n = Suite.iterations 1_000_000 in
  let w = world () in
  let a = World.first w and b = World.second w in
  let l = World.listen b 80 in
  let random = Random.State.make [| 8 |] in
  let frame = Bytes.create 100 in
  let syn i =
    Forge.tcp b ~src:(spoofed random)
      {
        Header.base with
        src_port = 1 + (i land 0xfff);
        dst_port = 80;
        seq = Random.State.bits random;
        syn = true;
        window = 1_000;
        mss = 1_460;
      }
      frame
  in
  let before = Weir_test.Words.live () in
  let clients = ref [] in
  for i = 1 to n do
    World.inject w b frame ~len:(syn i);
    if i mod 100 = 0 then World.pass w (Time.ms 1);
    if i mod 100_000 = 0 then (
      clients := World.connect w a b 80 :: !clients;
      World.pass w (Time.ms 1))
  done;
  let grown = Weir_test.Words.live () - before in
  if grown > 1_500_000 then Alcotest.failf "%d words more" grown;
  World.pass w (Time.s 10);
  List.iter
    (fun (c : Tcb.t) ->
      if c.state <> Established then Alcotest.failf "a client is in %a" Tcb.pp_state c.state)
    !clients;
  let rec accepted n = match Tcp.accept l with Some _ -> accepted (n + 1) | None -> n in
  Alcotest.(check int) "accepted" (List.length !clients) (accepted 0)

(* A server that closes what has been read to its end, or at once. *)
let serve w l ~first =
  let scratch = Bytes.create 4_096 in
  let b = World.second w in
  let look (c : Tcb.t) =
    ignore (Tcp.read c scratch ~off:0 ~len:4_096);
    if first || Tcb.peer_finished c || c.state = Closed then Tcp.close (World.tcp b) c
    else c.want_readable <- true
  in
  World.on_event b (function
    | Listener _ ->
        let rec all () =
          match Tcp.accept l with
          | Some c ->
              look c;
              all ()
          | None -> ()
        in
        all ()
    | Connection c -> look (Tcp.inside c)
    | _ -> ())

(* One connection from [a]: a few bytes, then both close. *)
let visit w ~hello =
  let a = World.first w in
  let c = World.connect w a (World.second w) 80 in
  if hello then ignore (Tcp.write c (Bytes.make 100 'h') ~off:0 ~len:100);
  let closed = ref false in
  let until = World.now w + Time.s 10 in
  let over () =
    if (not !closed) && if hello then c.state = Established else Tcb.peer_finished c then (
      closed := true;
      Tcp.close (World.tcp a) c);
    match c.state with Time_wait | Closed -> !closed | _ -> false
  in
  if not (World.run w ~limit:until over) then Alcotest.failf "visit: %a" Invariants.pp c;
  if c.error <> None then Alcotest.failf "visit: %a" Fmt.(option Tcb.pp_error) c.error

let nothing_left w =
  World.pass w (Time.s 130);
  List.iter
    (fun h ->
      Alcotest.(check int) "connections" 0 (Tcp.length (World.tcp h));
      Alcotest.(check int) "timers" 0 (Heap.length (Tcp.shared (World.tcp h)).timers))
    [ World.first w; World.second w ]

let churn () =
  let w = world () in
  serve w (World.listen (World.second w) 80) ~first:false;
  visit w ~hello:true;
  nothing_left w;
  let before = Weir_test.Words.live () in
  for _ = 1 to 10_000 do
    visit w ~hello:true
  done;
  nothing_left w;
  let grown = Weir_test.Words.live () - before in
  if grown > 20_000 then Alcotest.failf "%d words more" grown

(* What is left of a connection until its wait is over, of which both ends' tables are a part. *)
let waits () =
  let w = world () in
  serve w (World.listen (World.second w) 80) ~first:false;
  visit w ~hello:true;
  let before = Weir_test.Words.live () and n = 4_000 in
  for _ = 1 to n do
    visit w ~hello:true
  done;
  let each = (Weir_test.Words.live () - before) / n in
  Alcotest.(check int) "in TIME-WAIT" (n + 1) (Tcp.length (World.tcp (World.first w)));
  Printf.printf "words of a connection in TIME-WAIT: %d\n" each;
  if each > 48 then Alcotest.failf "%d words each" each

(* The server closes first, so that its TIME-WAITs stand in the way of ports
   that are used again. *)
let many_outgoing ~server_first () =
  let w = world () in
  serve w (World.listen (World.second w) 80) ~first:server_first;
  for _ = 1 to 70_000 do
    visit w ~hello:(not server_first);
    World.pass w (Time.us 500)
  done;
  nothing_left w

let established w =
  let b = World.second w in
  let l = World.listen b 80 in
  let c = World.connect w (World.first w) b 80 in
  World.pass w (Time.ms 1);
  match Tcp.accept l with Some s -> (c, s) | None -> Alcotest.fail "accept"

(* Single bytes ahead of a gap, no two of which touch. *)
let tiny_segments () =
  let w = world () in
  let b = World.second w in
  let c, s = established w in
  let frame = Bytes.create 200 in
  let began = Sys.time () in
  let n = 200_000 in
  for i = 1 to n do
    let seq = Seq.add s.rcv_nxt (2 + (2 * (i * 7_919 mod 20_000))) in
    let ts_val = s.ts_recent in
    let h =
      {
        Header.base with
        src_port = s.remote_port;
        dst_port = 80;
        seq;
        ack = s.snd_una;
        ts_val;
        window = 500;
      }
    in
    World.inject w b frame ~len:(Forge.tcp b ~src:s.remote ~data:"x" h frame);
    if i mod 16 = 0 then World.drain w b (fun _ _ -> ())
  done;
  let us = (Sys.time () -. began) *. 1e6 /. float_of_int n in
  if us > 50. then Alcotest.failf "%.1f us a segment" us;
  Invariants.check s;
  ignore (Tcp.write c (Bytes.of_string "real") ~off:0 ~len:4);
  World.pass w (Time.s 1);
  Alcotest.(check bool) "data come through" true (Byte_ring.length s.rcv >= 4)

let slow_reader () =
  let small = { Config.default with receive_buffer = 8_192 } in
  let w = world ~configs:(Config.default, small) () in
  let c, s = established w in
  let stream = Stream.create ~seed:3 ~total:32_000 in
  Stream.write stream c;
  Tcp.shutdown_send c;
  let sent = World.sent w in
  let rec go () =
    if not (Stream.all_read stream) then (
      World.pass w (Time.ms 700);
      Stream.read stream ~most:100 s;
      Invariants.check s;
      Invariants.check c;
      go ())
  in
  go ();
  World.pass w (Time.s 1);
  Alcotest.(check bool) "the end" true (Tcb.peer_finished s);
  let frames = World.sent w - sent in
  if frames > 1_000 then Alcotest.failf "%d frames for 32,000 bytes" frames

(* Every 65,535th number, and a step besides: RST, SYN, and ACK with data. *)
let blind_sweep () =
  let w = world () in
  let b = World.second w in
  let c, s = established w in
  let frame = Bytes.create 200 in
  let sent = ref 0 in
  let sweep make =
    for i = 0 to 65_537 do
      let seq = Seq.add (i * 65_535) 7 in
      if seq <> s.rcv_nxt then
        World.inject w b frame
          ~len:(Forge.tcp b ~src:s.remote ~data:"evil" { (make seq) with dst_port = 80 } frame);
      if i mod 64 = 0 then World.drain w b (fun _ _ -> incr sent)
    done
  in
  let base seq = { Header.base with src_port = s.remote_port; seq; window = 500 } in
  sweep (fun seq -> { (base seq) with rst = true });
  sweep (fun seq -> { (base seq) with syn = true });
  sweep (fun seq -> { (base seq) with ack = Seq.add seq 0x4000_0000 });
  if s.error <> None || s.state <> Established then Alcotest.failf "it fell: %a" Invariants.pp s;
  let stream = Stream.create ~seed:3 ~total:40_000 in
  Stream.write stream c;
  World.pass w (Time.s 5);
  Stream.read stream s;
  Alcotest.(check int) "received" 40_000 (Stream.read_so_far stream)

let zero_window_for_ever sackok () =
  let open Script in
  let t = host () in
  established t ~sackok ~win:1000;
  write t (String.make 5_000 'x');
  send t ~ack:1001 ~win:0 1;
  close t;
  for _ = 1 to 60 do
    after t 30_000;
    if Tcp.length (tcp t) > 0 then send t ~ack:1001 ~win:0 1
  done;
  Alcotest.(check int) "given up" 0 (Tcp.length (tcp t))

let cases =
  [
    Suite.case "SYN flood" syn_flood;
    Suite.case "10,000 connections leave nothing" churn;
    Suite.case "words of a connection in TIME-WAIT" waits;
    Suite.case "70,000 connections, client closes first" (many_outgoing ~server_first:false);
    Suite.case "70,000 connections, server closes first" (many_outgoing ~server_first:true);
    Suite.case "tiny segments ahead of a gap" tiny_segments;
    Suite.case "slow reader" slow_reader;
    Suite.case "blind sweeps" blind_sweep;
    Suite.case "an orphan's window closed for ever" (zero_window_for_ever false);
    Suite.case "the same with SACK" (zero_window_for_ever true);
  ]
