(* SYNs to hosts and ports that are not ours, held until their user has decided. *)

open Backlog_tests
module Tcp = Weir_core.Tcp

let elsewhere = 8_080

(* Backlog_tests sends to port 80, where it listens; these go to another port. *)
let send h ?(data = "") ~port (s : Header.t) =
  let s = { s with src_port = port; dst_port = elsewhere; data_length = String.length data } in
  Tcp.input h.tcp
    (Weir_wire.Packet.between ~source:peer ~destination:us)
    ~mss:1_460 s (Bytes.of_string data) ~data:0;
  sent h port

let intercepting ?(backlog = 4) () =
  let h = host () in
  (h, Tcp.intercept h.tcp ~backlog)

let none what = function [] -> () | _ -> Alcotest.failf "%s: an answer" what

let one what = function
  | [ (s : Header.t) ] -> s
  | [] -> Alcotest.failf "%s: no answer" what
  | _ -> Alcotest.failf "%s: several answers" what

let accepted l =
  match Tcp.accept l with Some c -> c | None -> Alcotest.fail "nothing was accepted"

let held () =
  let h, l = intercepting () in
  none "the SYN" (send h ~port:1_000 syn);
  none "the same SYN" (send h ~port:1_000 syn);
  (* An old timestamp calls for an ACK, but not before the SYN-ACK. *)
  none "an old segment"
    (send h ~port:1_000 { Header.base with seq = 101; ts_val = 6_000; ts_ecr = 0 });
  let c = accepted l in
  Alcotest.(check bool) "held" true (Tcp.is_held c);
  Alcotest.(check bool) "not connected" false (Tcp.connected c);
  Alcotest.(check (pair int int)) "for" (elsewhere, 1_000) (Tcp.local_port c, Tcp.remote_port c);
  Alcotest.(check bool) "it came once" true (Tcp.accept l = None);
  (h, l, c)

let answered () =
  let h, l, c = held () in
  Tcp.want_connected c;
  Tcp.answer c;
  let s = one "the answer" (sent h 1_000) in
  Alcotest.(check bool) "a SYN-ACK" true (s.syn && s.ack = 101);
  Tcp.answer c;
  none "a second answer" (sent h 1_000);
  ignore (send h ~port:1_000 ~data:"hello" (ack_of s) : Header.t list);
  Alcotest.(check bool) "connected" true (Tcp.connected c);
  Alcotest.(check int) "its data" 5 (Tcp.unread_length c);
  Alcotest.(check bool) "accepted once only" true (Tcp.accept l = None)

let refused () =
  let h, _, c = held () in
  Tcp.abort h.tcp c;
  let s = one "the answer" (sent h 1_000) in
  Alcotest.(check bool) "a RST that its sender accepts" true (s.rst && s.ack = 101);
  Alcotest.(check int) "nothing is left" 0 (Tcp.length h.tcp)

let dropped () =
  let h, l, c = held () in
  Tcp.forget c;
  none "the answer" (sent h 1_000);
  Alcotest.(check int) "nothing is left" 0 (Tcp.length h.tcp);
  none "the next SYN" (send h ~port:1_000 syn);
  Alcotest.(check bool) "it is held again" true (Tcp.is_held (accepted l))

let given_up () =
  let h, _, c = held () in
  none "the RST" (send h ~port:1_000 { Header.base with rst = true; seq = 101; ts_val = 7_001 });
  Alcotest.(check bool) "no longer held" false (Tcp.is_held c);
  Tcp.answer c;
  none "a late answer" (sent h 1_000)

let bounded () =
  let h, l = intercepting ~backlog:3 () in
  for port = 1_000 to 1_099 do
    none "the SYN" (send h ~port syn)
  done;
  Alcotest.(check int) "held" 3 (Tcp.length h.tcp);
  Alcotest.(check int) "dropped" 97 (counters h).tcp_syns_dropped;
  (* Those that gave up still wait to be accepted. *)
  for port = 1_000 to 1_002 do
    ignore (send h ~port { Header.base with rst = true; seq = 101; ts_val = 7_001 })
  done;
  none "one more" (send h ~port:2_000 syn);
  Alcotest.(check int) "not taken" 0 (Tcp.length h.tcp);
  ignore (accepted l : Tcp.connection);
  none "one more" (send h ~port:2_000 syn);
  Alcotest.(check int) "taken" 1 (Tcp.length h.tcp)

let others () =
  let h, l = intercepting () in
  Alcotest.(check bool)
    "no SYN: refused" true (one "an ACK" (send h ~port:1_000 { syn with syn = false; ack = 5 })).rst;
  ignore (answer h 1_000 : Header.t);
  Alcotest.(check bool) "a listener comes first" true (Tcp.accept l = None);
  Alcotest.check_raises "twice" (Invalid_argument "Tcp.intercept: the host intercepts already")
    (fun () -> ignore (Tcp.intercept h.tcp ~backlog:1))

let closed () =
  let h, l = intercepting () in
  none "a SYN" (send h ~port:1_000 syn);
  Tcp.close_listener h.tcp l;
  Alcotest.(check bool) "reset" true (one "the end" (sent h 1_000)).rst;
  Alcotest.(check bool) "refused from now on" true (one "a SYN" (send h ~port:1_001 syn)).rst;
  ignore (Tcp.intercept h.tcp ~backlog:1 : Tcp.listener)

let cases =
  let case = Weir_test.Suite.case in
  [
    case "a SYN waits" (fun () -> ignore (held ()));
    case "answered" answered;
    case "refused" refused;
    case "dropped" dropped;
    case "the peer gives up" given_up;
    case "bounded" bounded;
    case "listeners and other segments" others;
    case "closed" closed;
  ]
