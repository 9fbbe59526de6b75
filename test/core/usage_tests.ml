(* What a host says is in use is what there is, and nothing is left in the end. *)

open Weir_base
open Weir_core
open Weir_test

let gauge = Alcotest.testable (fun f (g : Usage.gauge) -> Fmt.pf f "%d of %d" g.used g.limit) ( = )
let is name used limit got = Alcotest.check gauge name { Usage.used; limit } got
let config = { Config.default with max_connections = 100; max_half_open = 5; max_time_wait = 7 }
let usage h = Stack.usage (World.stack h)

let kinds name ?(open_ = 0) ?(orphans = 0) ?(time_wait = 0) h =
  let tcp = (usage h).tcp in
  is (name ^ ": open") open_ 100 tcp.open_;
  is (name ^ ": orphans") orphans 100 tcp.orphans;
  is (name ^ ": TIME-WAIT") time_wait 7 tcp.time_wait;
  is (name ^ ": in all") (open_ + orphans + time_wait) 100 tcp.connections

let connections () =
  let w = World.pair ~seed:1 ~configs:(config, config) () in
  let a = World.first w and b = World.second w in
  let l = World.listen ~backlog:3 b 80 in
  let c = World.connect w a b 80 in
  let others = List.init 2 (fun _ -> World.connect w a b 80) in
  World.pass w (Time.s 1);
  kinds "the client" ~open_:3 a;
  kinds "the server" ~open_:3 b;
  is "to be accepted" 3 3 (usage b).tcp.accept_queues;
  is "no listener" 0 0 (usage a).tcp.accept_queues;
  is "half-open" 0 5 (usage b).tcp.half_open;
  is "memory" (3 * Tcb.connection_cost) config.memory (usage b).memory;
  let open White_box in
  let s = Option.get (Tcp.accept l) in
  is "one less" 2 3 (usage b).tcp.accept_queues;
  Tcp.close (World.tcp a) c;
  World.pass w (Time.s 1);
  kinds "closed by the client" ~open_:2 ~orphans:1 a;
  kinds "not by the server" ~open_:3 b;
  Tcp.close (World.tcp b) s;
  World.pass w (Time.s 1);
  kinds "closed by both" ~open_:2 ~time_wait:1 a;
  kinds "the server has forgotten" ~open_:2 b;
  Tcp.close_listener (World.tcp b) l;
  List.iter (Tcp.abort (World.tcp a)) others;
  World.pass w (Time.s 61);
  kinds "the end" a;
  kinds "the end" b;
  is "nobody listens" 0 0 (usage b).tcp.half_open;
  is "no memory" 0 config.memory (usage b).memory

let fragment ~identification b =
  let h : Weir_wire.Ipv4.t =
    {
      Weir_wire.Ipv4.base with
      src = Weir_wire.Ip.of_ipaddr (Ipaddr.of_string_exn "10.0.0.1");
      dst = Weir_wire.Ip.of_ipaddr (Ipaddr.of_string_exn "10.0.0.2");
      protocol = 17;
      data_length = 800;
      more_fragments = true;
      identification;
    }
  in
  Weir_wire.Ipv4.emit h b ~off:14

let others () =
  let w = World.pair ~seed:1 ~configs:(config, config) () in
  let a = World.first w and b = World.second w in
  let bind h port =
    Stack.bind_udp (World.stack h) ~address:Ipaddr.(V4 V4.any) ~port ~reuse:false |> Result.get_ok
  in
  let s = bind a 7 and r = bind b 9 in
  Udp_sockets.set_buffer r 10_000;
  let send () =
    let data = Bytes.create 100 in
    Stack.send_udp (World.stack a) ~now:(World.now w) s ~dst:(World.address b) ~dst_port:9 data
      ~off:0 ~len:100
    |> Result.get_ok
  in
  send ();
  send ();
  is "to be sent" 2 1_024 (usage a).control_queue;
  World.pass w (Time.s 1);
  is "sent" 0 1_024 (usage a).control_queue;
  is "sockets" 1 max_int (usage b).udp_sockets;
  is "two datagrams, 13 bytes more each" 226 10_000 (usage b).udp_queues;
  is "neighbours" 1 1_024 (usage b).neighbours;
  let nobody = Ipaddr.of_string_exn "10.0.0.77" in
  let ping address =
    Stack.ping (World.stack a) ~now:(World.now w) address ~identifier:1 ~sequence:2 ~data_length:0
    |> Result.get_ok
  in
  ping nobody;
  World.pass w (Time.ms 1);
  is "waits for its neighbour" 1 256 (usage a).neighbour_packets;
  is "another address" 2 1_024 (usage a).neighbours;
  let frame = Bytes.create 834 in
  Weir_wire.Ethernet.emit
    { dst = World.mac b; src = World.mac a; ethertype = Weir_wire.Ethernet.ethertype_ipv4 }
    frame ~off:0;
  List.iter
    (fun identification ->
      fragment ~identification frame;
      World.inject w b frame ~len:834)
    [ 1; 2 ];
  is "incomplete" 2 64 (usage b).reassembly;
  is "their bytes" 1_728 262_144 (usage b).reassembly_bytes;
  World.pass w (Time.s 40);
  is "given up" 0 262_144 (usage b).reassembly_bytes;
  is "nobody there" 0 256 (usage a).neighbour_packets

(* Around the number from which ports are counted. *)
let held_ports () =
  let w = World.pair ~seed:1 () in
  let a = World.first w and b = World.second w in
  let (_ : Tcp.listener) = World.listen ~backlog:5_000 b 80 in
  let free port = Tcp.may_bind (World.tcp a) ~address:Weir_wire.Ip.any ~port ~reuse:false in
  let port i = 10_000 + (3 * i) in
  let check i expected =
    if free (port i) <> expected then
      Alcotest.failf "port of connection %d: free %b" i (not expected)
  in
  let looked_at i = i mod 100 = 0 || abs (i - 4_096) < 3 in
  let open_ i =
    if looked_at i then check i true;
    let c = World.connect w a ~local_port:(port i) b 80 in
    World.settle w;
    if looked_at i then (
      check i false;
      Alcotest.(check bool) "its neighbour" true (free (port i + 1)));
    c
  in
  let all = List.init 4_200 open_ in
  List.iteri
    (fun i c ->
      White_box.Tcp.abort (World.tcp a) c;
      if looked_at i then check i true)
    all

let cases =
  [
    Suite.case "connections by kind" connections;
    Suite.case "all else" others;
    Suite.case "ports in use" held_ports;
  ]
