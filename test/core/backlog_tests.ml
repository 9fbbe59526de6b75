(* Who is let in: a listener's backlog, and cookies when a flood fills it. *)

open Weir_base
open Weir_core
open White_box
open Weir_test
module Header = Weir_wire.Tcp
module Ip = Weir_wire.Ip

let us = Ip.of_ipaddr (Ipaddr.of_string_exn "10.0.0.1")
let peer = Ip.of_ipaddr (Ipaddr.of_string_exn "10.0.0.2")

type host = { tcp : Tcp.t; l : Tcp.listener; frame : Bytes.t; replies : Header.t Queue.t }

let host ?(backlog = 4) ?(max_half_open = 2) () =
  let replies = Queue.create () in
  let reply ~src:_ ~dst:_ h = Queue.push h replies in
  let config = { Config.default with max_half_open } in
  let tcp = Tcp.create config (Counters.create ()) (Random.State.make [| 7 |]) ~reply in
  (Tcp.shared tcp).now <- Time.s 1_000;
  match Tcp.listen tcp ~address:Ip.any ~port:80 ~backlog ~reuse:true with
  | Error _ -> Alcotest.fail "listen"
  | Ok l -> { tcp; l; frame = Bytes.create 2_000; replies }

let counters h = (Tcp.shared h.tcp).counters

(* All that the host sends to [port], the last first. *)
let sent h port =
  let all = ref [] in
  let keep (s : Header.t) = if s.dst_port = port then all := s :: !all in
  Queue.iter keep h.replies;
  Queue.clear h.replies;
  let rec go () =
    let n = Tcp.next_segment h.tcp h.frame ~off:0 in
    if n > 0 then (
      (match Header.decode ~pseudo:(-1) h.frame ~off:0 ~len:n with
      | Ok s -> keep s
      | Error _ -> Alcotest.fail "nonsense was sent");
      go ())
  in
  go ();
  !all

let send h ?(data = "") ~port (s : Header.t) =
  let s = { s with src_port = port; dst_port = 80; data_length = String.length data } in
  Tcp.input h.tcp
    (Weir_wire.Packet.between ~source:peer ~destination:us)
    ~mss:1_460 s (Bytes.of_string data) ~data:0;
  sent h port

let syn =
  {
    Header.base with
    syn = true;
    seq = 100;
    window = 65_535;
    mss = 1_400;
    window_scale = 9;
    sack_permitted = true;
    ts_val = 7_000;
  }

let answer h ?(syn = syn) port =
  match send h ~port syn with
  | [ s ] when s.syn && s.ack = Seq.add syn.seq 1 -> s
  | [] -> Alcotest.failf "port %d: no answer" port
  | _ -> Alcotest.failf "port %d: another answer" port

let ack_of (s : Header.t) =
  {
    Header.base with
    seq = s.ack;
    ack = Seq.add s.seq 1;
    window = 512;
    ts_val = (if s.ts_val >= 0 then 7_001 else -1);
    ts_ecr = Int.max 0 s.ts_val;
  }

let fill h =
  for
    port = 1
    to Int.max (Tcp.Private.tcb_listener h.l).backlog (Tcp.shared h.tcp).config.max_half_open
  do
    ignore (answer h port : Header.t)
  done;
  Alcotest.(check int) "none yet" 0 (counters h).tcp_cookies_sent;
  let { Weir_core.Usage.used; limit } = (Tcp.usage h.tcp).half_open in
  Alcotest.(check int) "as many as there may be" limit used

(* -- cookies ------------------------------------------------------------- *)

let by_cookie () =
  let h = host () in
  fill h;
  let before = Tcp.length h.tcp in
  let s = answer h 1_000 in
  Alcotest.(check int) "a cookie" 1 (counters h).tcp_cookies_sent;
  Alcotest.(check int) "nothing is kept" before (Tcp.length h.tcp);
  (match send h ~port:1_000 ~data:"hello" (ack_of s) with
  | [ a ] when a.ack = 106 && not a.rst -> ()
  | [] -> ()
  | _ -> Alcotest.fail "not taken");
  match Tcp.accept h.l with
  | None -> Alcotest.fail "nobody came in"
  | Some c ->
      Alcotest.(check bool) "established" true (c.state = Established);
      Alcotest.(check int) "its port" 1_000 c.remote_port;
      Alcotest.(check int) "segments" (1_400 - 12) c.mss;
      Alcotest.(check int) "scale" 9 c.snd_scale;
      Alcotest.(check bool) "SACK" true c.sack;
      Alcotest.(check bool) "timestamps" true c.timestamps;
      Alcotest.(check int) "window" (512 lsl 9) c.snd_wnd;
      let b = Bytes.create 10 in
      Alcotest.(check int) "its data" 5 (Tcp.read c b ~off:0 ~len:10)

let keeps_ecn () =
  let h = host () in
  fill h;
  let s = answer h ~syn:{ syn with ece = true; cwr = true } 1_000 in
  Alcotest.(check (pair bool bool)) "agreed" (true, false) (s.ece, s.cwr);
  ignore (send h ~port:1_000 (ack_of s));
  let without = answer h 1_001 in
  Alcotest.(check bool) "not asked for" false without.ece;
  ignore (send h ~port:1_001 (ack_of without));
  let uses () = Option.map (fun (c : Tcb.t) -> c.ecn.on) (Tcp.accept h.l) in
  Alcotest.(check (option bool)) "used" (Some true) (uses ());
  Alcotest.(check (option bool)) "not used" (Some false) (uses ())

let without_timestamps () =
  let h = host () in
  fill h;
  let s = answer h ~syn:{ syn with ts_val = -1 } 1_000 in
  Alcotest.(check int) "no scale" (-1) s.window_scale;
  Alcotest.(check bool) "no SACK" false s.sack_permitted;
  ignore (send h ~port:1_000 (ack_of s));
  match Tcp.accept h.l with
  | None -> Alcotest.fail "nobody came in"
  | Some c ->
      Alcotest.(check int) "segments" 1_400 c.mss;
      Alcotest.(check int) "scale" 0 c.snd_scale;
      Alcotest.(check bool) "SACK" false c.sack

let is_reset = function [ (s : Header.t) ] -> s.rst | _ -> false

(* While cookies are given, an ACK that fits none has no answer (see [an_older_handshake]). *)
let refused () =
  let h = host () in
  let made_up = { Header.base with seq = 101; ack = 12_345; window = 512 } in
  Alcotest.(check bool) "before any cookie" true (is_reset (send h ~port:1_000 made_up));
  fill h;
  let s = answer h 1_000 in
  let good = ack_of s in
  let bad what ?(port = 1_000) s =
    Alcotest.(check int) what 0 (List.length (send h ~port s));
    Alcotest.(check bool) (what ^ ": nobody") true (Tcp.accept h.l = None)
  in
  bad "another number" { good with ack = Seq.add good.ack 1 };
  bad "another SYN's" { good with seq = Seq.add good.seq 1 };
  bad "another port's" ~port:1_001 good;
  (Tcp.shared h.tcp).now <- (Tcp.shared h.tcp).now + Time.s 150;
  ignore (answer h 1_002 : Header.t);
  bad "too old" good;
  (Tcp.shared h.tcp).now <- (Tcp.shared h.tcp).now + Time.s 150;
  Alcotest.(check bool) "after the flood" true (is_reset (send h ~port:1_000 made_up))

let comes_in h ?(data = "hello") port (s : Header.t) =
  ignore (send h ~port ~data (ack_of s));
  match Tcp.accept h.l with
  | None -> Alcotest.failf "port %d did not get in" port
  | Some (c : Tcb.t) ->
      Alcotest.(check int) "its port" port c.remote_port;
      Alcotest.(check int) "its data" (String.length data) (Byte_ring.length c.rcv)

(* The flood has taken an honest peer's address and port: a half-open connection is there already. *)
let beside_half_open () =
  let h = host () in
  fill h;
  ignore (answer h 1_000 : Header.t);
  let before = Tcp.length h.tcp in
  let s = answer h ~syn:{ syn with seq = 5_000_000 } 1 in
  Alcotest.(check int) "nothing is kept" before (Tcp.length h.tcp);
  comes_in h 1 s;
  Alcotest.(check int) "in place of the other" before (Tcp.length h.tcp)

(* The SYN-ACK of a forged SYN makes an established peer say where it stands. Its data were lost and
   come again. *)
let an_older_handshake () =
  let h = host () in
  fill h;
  let s = answer h 1_000 in
  ignore (answer h ~syn:{ syn with seq = 9_000_000 } 1_000 : Header.t);
  let ack = ack_of s in
  Alcotest.(check int)
    "no answer" 0
    (List.length (send h ~port:1_000 { ack with seq = Seq.add ack.seq 300 }));
  comes_in h 1_000 s

(* No room in the queue: no answer, and the same ACK again gets in later. *)
let no_room () =
  let h = host ~backlog:1 () in
  fill h;
  let s = answer h 1_000 and t = answer h 1_001 in
  ignore (send h ~port:1_000 (ack_of s));
  Alcotest.(check int) "unanswered" 0 (List.length (send h ~port:1_001 (ack_of t)));
  Alcotest.(check bool) "the first" true (Tcp.accept h.l <> None);
  Alcotest.(check bool) "and no other yet" true (Tcp.accept h.l = None);
  ignore (send h ~port:1_001 ~data:"again" (ack_of t));
  match Tcp.accept h.l with
  | None -> Alcotest.fail "it did not get in"
  | Some c -> Alcotest.(check int) "with its data" 5 (Byte_ring.length c.rcv)

let round_trip =
  let open QCheck2 in
  Test.make ~name:"a cookie keeps what it can" ~count:(Suite.iterations 5_000)
    Gen.(
      tup6 (Weir_test.Suite.bits 32) (int_range 536 65_535) (int_range (-1) 14) bool
        (Weir_test.Suite.bits 32)
        (pair (int_bound 1_000_000_000) (int_bound 127)))
    (fun (seq, mss, window_scale, sack_permitted, clock, (at, later)) ->
      let syn = { syn with seq; mss; window_scale; sack_permitted; src_port = 9; dst_port = 80 } in
      let now = Time.s at in
      let ends f ~now =
        f ~secret:"secret" ~now ~local:us ~local_port:80 ~remote:peer ~remote_port:9
      in
      let cookie = ends Syn_cookies.make ~now syn in
      let stamp = Syn_cookies.stamp ~clock syn in
      let behind = (clock - stamp) land 0xffff_ffff in
      let ack =
        { Header.base with seq = Seq.add seq 1; ack = Seq.add cookie 1; ts_val = 1; ts_ecr = stamp }
      in
      match ends Syn_cookies.check ~now:(now + Time.s later) ack with
      | None -> later >= 64
      | Some back ->
          behind < 64 && back.seq = seq && back.mss <= mss
          && (2 * back.mss > mss || back.mss >= 1_460)
          && back.window_scale = window_scale
          && back.sack_permitted = sack_permitted
          && ends Syn_cookies.check ~now { ack with ack = Seq.add ack.ack 1 } = None)

(* -- the backlog --------------------------------------------------------- *)

(* All knock at once, and the program accepts when all have. *)
let at_once () =
  let n = 5_000 in
  let h = host ~backlog:n ~max_half_open:1_024 () in
  let answers = List.init n (fun i -> (i + 1, answer h (i + 1))) in
  List.iter (fun (port, s) -> ignore (send h ~port (ack_of s))) answers;
  let rec accepted n = match Tcp.accept h.l with Some _ -> accepted (n + 1) | None -> n in
  Alcotest.(check int) "accepted" n (accepted 0);
  Alcotest.(check int) "without cookies" 0 (counters h).tcp_cookies_sent;
  Alcotest.(check int) "resets" 0 (counters h).tcp_out_resets

(* Beyond the backlog there is no answer, until somebody is accepted. *)
let beyond () =
  let h = host ~backlog:3 () in
  let come port = ignore (send h ~port (ack_of (answer h port))) in
  List.iter come [ 1; 2; 3 ];
  Alcotest.(check int) "no answer" 0 (List.length (send h ~port:4 syn));
  Alcotest.(check int) "counted" 1 (counters h).tcp_syns_dropped;
  ignore (Tcp.accept h.l);
  come 4;
  let rec accepted n = match Tcp.accept h.l with Some _ -> accepted (n + 1) | None -> n in
  Alcotest.(check int) "all in the end" 3 (accepted 0)

(* Who was answered while there was room gets in though it has filled since. *)
let answered_gets_in () =
  let h = host ~backlog:1 ~max_half_open:10 () in
  let late = answer h 1 and soon = answer h 2 in
  ignore (send h ~port:2 (ack_of soon));
  ignore (send h ~port:1 (ack_of late));
  let ports = List.filter_map (fun () -> Tcp.accept h.l) [ (); () ] in
  Alcotest.(check (list int)) "both" [ 2; 1 ] (List.map (fun (c : Tcb.t) -> c.remote_port) ports)

let cases =
  [
    Suite.case "a handshake by cookie" by_cookie;
    Suite.case "a cookie keeps the request for ECN" keeps_ecn;
    Suite.case "a cookie without timestamps" without_timestamps;
    Suite.case "ACKs that answer no cookie" refused;
    Suite.case "a forged half-open connection in the way" beside_half_open;
    Suite.case "an ACK behind lost data" an_older_handshake;
    Suite.case "no room for a cookie's ACK" no_room;
    Suite.qcheck round_trip;
    Suite.case "5,000 at once" at_once;
    Suite.case "beyond the backlog" beyond;
    Suite.case "who is answered gets in" answered_gets_in;
  ]
