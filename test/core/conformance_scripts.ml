(* What conformance scripts of other stacks showed: resets, text that comes with a
   SYN, the end of TIME-WAIT, errors of routers, and when an ACK is worth sending. *)

open Script
open Weir_base
open Weir_wire
open Weir_core

let abort_with_timestamps t =
  note t "a RST carries a timestamp (RFC 7323 §3.2)";
  established t ~ts:true;
  send t ~ack:1 ~data:"unread" ~ts:(102, -1) 1;
  abort t;
  state t

let answer_with_timestamps t =
  note t "so does the answer to data for a user that has gone; without ACK it echoes nothing";
  established t ~ts:true;
  close t;
  send t ~ack:2 ~ts:(102, -1) 1;
  send t ~ack:2 ~data:"hello?" ~ts:(103, -1) 1;
  state t

(* -- when an ACK is due ---------------------------------------------------- *)

let xs n = String.make n 'x'

let acks_by_bytes t =
  note t "two full segments are acknowledged at once, two small ones with the next (§3.8.6.3)";
  established t;
  send t ~ack:1 ~data:(xs 1460) 1;
  send t ~ack:1 ~data:(xs 1460) 1461;
  send t ~ack:1 ~data:(xs 100) 2921;
  send t ~ack:1 ~data:(xs 100) 3021;
  after t 50;
  note t "a full one and a bit: the bit may be all that there is";
  send t ~ack:1 ~data:(xs 1460) 3121;
  send t ~ack:1 ~data:(xs 100) 4581;
  note t "what a link put together from many is acknowledged at once";
  send t ~ack:1 ~data:(xs 30_000) 4681

let acks_of_a_narrow_path t =
  note t "full segments are as long as the longest that came, up to our MSS";
  established t;
  for i = 0 to 3 do
    send t ~ack:1 ~data:(xs 1200) (1 + (i * 1200))
  done

let acks_of_small_mss t =
  note t "of a peer with an MSS of 100, two of those";
  send t ~flags:[ S ] ~mss:100 0;
  send t ~ack:1 1;
  for i = 0 to 3 do
    send t ~ack:1 ~data:(xs 100) (1 + (i * 100))
  done

(* -- text with a SYN ------------------------------------------------------ *)

let listen_text t =
  note t "text on a SYN is kept until the handshake is over (RFC 9293 §3.10.7.2)";
  send t ~flags:[ S ] ~mss:1460 ~data:"GET / " 0;
  send t ~ack:1 7;
  read t 100;
  send t ~ack:1 ~data:"HTTP" 7;
  read t 100

let listen_text_again t =
  note t "the peer sends it again, as the SYN-ACK took none of it: it is read once";
  send t ~flags:[ S ] ~mss:1460 ~sackok:true ~data:"GET / " 0;
  send t ~ack:1 ~data:"GET / HTTP" 1;
  read t 100

let connect_text t =
  note t "text and FIN on a SYN-ACK (§3.10.7.3)";
  connect t;
  send t ~flags:[ S; F ] ~ack:1 ~mss:1460 ~data:"220 hello" 0;
  read t 100;
  read t 100;
  state t

let crossing_text t =
  note t "text on SYNs that cross";
  connect t;
  send t ~flags:[ S ] ~mss:1460 ~data:"one" 0;
  state t;
  send t ~flags:[ S ] ~ack:1 ~mss:1460 ~data:"one" 0;
  state t;
  read t 100;
  send t ~ack:1 ~data:"two" 4;
  read t 100

(* Who never finishes a handshake may not fill the host's memory by it. *)
let text_of_many () =
  let t = host ~config:{ Config.default with max_half_open = 1_000 } () in
  let held () =
    let n = ref 0 in
    White_box.Tcp.iter (fun c -> if not (Out_of_order.is_empty c.ahead) then incr n) (tcp t);
    !n
  in
  for port = 10_001 to 10_500 do
    send t ~port ~flags:[ S ] ~mss:1460 ~data:(String.make 20_000 'x') 0
  done;
  if held () > 64 then Alcotest.failf "%d hold text" (held ());
  White_box.Tcp.iter
    (fun c ->
      List.iter
        (fun (l, r) -> if Seq.diff r l > 1460 then Alcotest.fail "more than a segment")
        (Out_of_order.ranges c.ahead))
    (tcp t)

(* -- TIME-WAIT ------------------------------------------------------------- *)

let time_wait t =
  note t "SYN and FIN at once is no new connection: a challenge, and the wait goes on";
  established t;
  close t;
  send t ~ack:2 ~flags:[ F ] 1;
  state t;
  after t 30_000;
  send t ~flags:[ S; F ] 500;
  send t ~flags:[ S; F ] 0;
  state t;
  after t 29_999;
  state t;
  note t "a FIN in the window restarts it (§3.10.7.4, eighth)";
  send t ~ack:2 ~flags:[ F ] 2;
  after t 59_999;
  state t;
  after t 2;
  state t

(* -- routers' errors ------------------------------------------------------ *)

let unreachable code : Icmpv4.t = Destination_unreachable { code; rest = 0; data_length = 28 }
let expired : Icmpv4.t = Time_exceeded { reassembly = false; rest = 0; data_length = 28 }
let malformed : Icmpv4.t = Parameter_problem { code = 0; pointer = 20; rest = 0; data_length = 28 }

let soft_errors t =
  note t "soft errors end no connect (RFC 9293 MUST-56): a route may come back";
  connect t;
  icmp t (unreachable Net) 0;
  icmp t (unreachable Host) 0;
  icmp t (unreachable (Other_code 5)) 0;
  icmp t expired 0;
  icmp t malformed 0;
  state t;
  after t 1_000;
  send t ~flags:[ S ] ~ack:1 ~mss:1460 0;
  state t

let soft_then_silence t =
  note t "but if nothing comes, they are the reason; of another number they are forged";
  connect t;
  icmp t (unreachable Host) 0;
  icmp t expired 5;
  after t 200_000;
  state t

let hard_errors () =
  List.iter
    (fun code ->
      let t = host () in
      connect t;
      icmp t (unreachable code) 0;
      Alcotest.(check bool) "ended" true ((connection t).state = Closed))
    [ Protocol; Port; Other_code 13 ]

let hard_error t =
  note t "a hard error ends a connect, if it has its number (RFC 5927 §4.1), and nothing else";
  connect t;
  icmp t (unreachable Port) 1;
  state t;
  icmp t (unreachable Port) 0;
  state t;
  note t "in the middle of a conversation it is remembered until something is acknowledged";
  after t 2_000;
  connect t;
  send t ~flags:[ S ] ~ack:1 ~mss:1460 0;
  write t "one";
  icmp t (unreachable Protocol) 1;
  state t;
  send t ~ack:4 1;
  write t "two";
  after t 1_000_000;
  state t

let long_silence t =
  note t "a conversation that breaks off tells what a router said of its last tries";
  connect t;
  send t ~flags:[ S ] ~ack:1 ~mss:1460 0;
  write t "one";
  after t 10_000;
  icmp t (unreachable Net) 1;
  after t 1_000_000;
  state t

(* The same by whole frames: a SYN that goes nowhere, and what a router sends. *)
let whole_frames () =
  let nothing = { Weir_link.Impairment.none with loss = Steady 1. } in
  let w = World.pair ~seed:1 ~there:nothing () in
  let a = World.first w and b = World.second w in
  ignore (World.listen b 80);
  let syn = ref Bytes.empty in
  World.on_frame w (fun h frame len -> if h == a then syn := Bytes.sub frame 0 len);
  let tell code =
    let frame = Bytes.create 1_500 in
    let quote = !syn in
    let n =
      Icmp.emit_error (Unreachable code) ~quote ~off:14 ~len:(Bytes.length quote - 14) frame ~at:34
    in
    World.inject w a frame ~len:(Forge.ip a ~src:(World.ip b) ~protocol:Ipv4.protocol_icmp n frame)
  in
  let ask () =
    let c = World.connect w a b 80 in
    World.pass w (Time.ms 10);
    c
  in
  let c = ask () in
  tell Host;
  World.pass w (Time.s 2);
  Alcotest.(check bool) "goes on" true (c.state = Syn_sent && c.soft_error <> Timed_out);
  World.impair w ~there:Weir_link.Impairment.none ();
  World.pass w (Time.s 5);
  Alcotest.(check bool) "connects" true (c.state = Established);
  World.impair w ~there:nothing ();
  let c = ask () in
  tell Port;
  World.settle w;
  Alcotest.(check bool) "ends" true (c.state = Closed && c.error <> None)

let cases =
  [
    case "reset_timestamps" abort_with_timestamps;
    case "reset_answer_timestamps" answer_with_timestamps;
    case "ack_bytes" acks_by_bytes;
    case "ack_narrow" acks_of_a_narrow_path;
    case "ack_small_mss" acks_of_small_mss;
    case "syn_text_listen" listen_text;
    case "syn_text_again" listen_text_again;
    case "syn_text_connect" connect_text;
    case "syn_text_crossing" crossing_text;
    Weir_test.Suite.case "text on many SYNs" text_of_many;
    case "time_wait" time_wait;
    case ~over_v6:Never "icmp_soft" soft_errors;
    case ~over_v6:Never "icmp_soft_then_silence" soft_then_silence;
    Weir_test.Suite.case "hard errors" hard_errors;
    case ~over_v6:Never "icmp_hard" hard_error;
    case ~over_v6:Never "icmp_late" long_silence;
    Weir_test.Suite.case "a router's frames" whole_frames;
  ]
