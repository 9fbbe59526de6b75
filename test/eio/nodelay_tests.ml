(* Who gathers what it sends switches Nagle's algorithm off through the flow,
   whatever stands below it. *)

open Eio.Std
open Weir_flow
module Connection = Weir_eio.Connection
module Flows = Weir_eio.Flows
module Sockopt = Eio.Net.Sockopt
module Suite = Weir_test.Suite

let nodelay socket = Eio.Net.getsockopt socket Sockopt.TCP_NODELAY

let own_connection () =
  View_tests.with_pair @@ fun _ s c ->
  Flow.send_at_once (Connection.flow s);
  Alcotest.(check bool) "by its flow" true (nodelay (Connection.socket s));
  let flow = Flows.of_eio (Connection.socket c) in
  Flow.send_at_once flow;
  Alcotest.(check bool) "by its socket's flow" true (nodelay (Connection.socket c));
  (Option.get (Flow.cast flow Flow.Nodelay))#set_nodelay false;
  Alcotest.(check bool) "and back" false (nodelay (Connection.socket c));
  Connection.close c;
  Flow.send_at_once flow

let kernel_socket () =
  Eio_main.run @@ fun env ->
  Switch.run @@ fun sw ->
  let listener = Eio.Net.listen ~sw ~backlog:1 env#net (`Tcp (Eio.Net.Ipaddr.V4.loopback, 0)) in
  let c = Eio.Net.connect ~sw env#net (Eio.Net.listening_addr listener) in
  Alcotest.(check bool) "as the kernel has it" false (nodelay c);
  let flow = Flows.of_eio c in
  Flow.send_at_once flow;
  Alcotest.(check bool) "by its flow" true (nodelay c);
  Eio.Net.close c;
  Flow.send_at_once flow

(* What is no TCP connection has nothing to switch. *)
let others () =
  Eio_main.run @@ fun _ ->
  Switch.run @@ fun sw ->
  let a, _ = Eio_unix.Net.socketpair_stream ~sw () in
  Flow.send_at_once (Flows.of_eio a);
  Flow.send_at_once Null.flow;
  let two_way = Flows.to_eio Null.flow in
  Alcotest.(check bool)
    "not known" true
    (Option.is_none (Flow.cast (Flows.of_eio two_way) Flow.Nodelay))

let tests =
  [
    ( "nodelay",
      [
        Suite.case "a Weir connection" own_connection;
        Suite.case "a kernel socket" kernel_socket;
        Suite.case "other flows" others;
      ] );
  ]
