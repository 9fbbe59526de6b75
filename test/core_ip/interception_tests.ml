(* A transparent host takes what another sends to addresses anywhere, and answers from there. *)

open Weir_base
open Weir_test
open Weir_core

let ip = Ipaddr.of_string_exn

let host ~number ~address ?gateway () =
  Stack.create
    {
      mac = Net.mac number;
      addresses = List.map Ipaddr.Prefix.of_string_exn address;
      gateways = List.map ip (Option.value gateway ~default:[]);
      secret = Stable_address.no_secret;
      mtu = 1_500;
      config = Config.default;
    }
    ~random:(Net.random ()) ~now:0

(* Frames pass until both are silent. *)
let exchange a b =
  let f = Frame.(alloc (pool ~size:1_514 ())) in
  let pass x y =
    let sent = ref false in
    while Stack.transmit x ~now:0 f <> Stack.stays do
      sent := true;
      Stack.input y ~now:0 ~interface:0 f
    done;
    !sent
  in
  let rec go () =
    let ab = pass a b in
    let ba = pass b a in
    if ab || ba then go ()
  in
  go ()

let net () =
  let gateway = host ~number:1 ~address:[ "10.0.0.1/24"; "fd00::1/64" ] () in
  let address = [ "10.0.0.2/24"; "fd00::2/64" ] and gateways = [ "10.0.0.1"; "fd00::1" ] in
  (gateway, host ~number:2 ~address ~gateway:gateways ())

let socket ?(address = Ipaddr.(V4 V4.any)) client =
  match Stack.bind_udp client ~address ~port:0 ~reuse:false with
  | Ok s -> s
  | Error _ -> Alcotest.fail "no socket"

let send t s ?(text = "hello") dst dst_port =
  let b = Bytes.of_string text in
  match Stack.send_udp t ~now:0 s ~dst:(ip dst) ~dst_port b ~off:0 ~len:(Bytes.length b) with
  | Ok () -> ()
  | Error _ -> Alcotest.fail "not sent"

let receive s =
  let b = Bytes.create 100 in
  match Udp_sockets.receive s b ~off:0 ~len:100 with
  | -1 -> "nothing"
  | n ->
      Fmt.str "%s from %a:%d" (Bytes.sub_string b 0 n) Weir_wire.Ip.pp (Udp_sockets.last_src s)
        (Udp_sockets.last_src_port s)

let text = Alcotest.(check string)
let intercepted (c : Counters.t) = (c.udp_no_port, c.udp_flows_dropped)

let datagrams () =
  let gateway, client = net () in
  Stack.set_transparent gateway true;
  let flows = Queue.create () in
  Udp_sockets.intercept (Stack.udp gateway) ~limit:2 (fun s -> Queue.push s flows);
  let s = socket client in
  let port = Udp_sockets.port s in
  send client s "192.0.2.7" 53;
  exchange client gateway;
  let flow = Queue.pop flows in
  text "the first datagram" (Fmt.str "hello from 10.0.0.2:%d" port) (receive flow);
  Alcotest.(check (pair string int))
    "for" ("192.0.2.7", 53)
    (Fmt.str "%a" Weir_wire.Ip.pp (Udp_sockets.address flow), Udp_sockets.port flow);
  send gateway flow ~text:"answer" "10.0.0.2" port;
  exchange client gateway;
  text "the answer comes from there" "answer from 192.0.2.7:53" (receive s);
  send client s ~text:"again" "192.0.2.7" 53;
  exchange client gateway;
  text "the same flow" (Fmt.str "again from 10.0.0.2:%d" port) (receive flow);
  Alcotest.(check bool) "no second one" true (Queue.is_empty flows);
  send client s "192.0.2.8" 53;
  send client s "192.0.2.9" 53;
  exchange client gateway;
  Alcotest.(check int) "as many as allowed" 1 (Queue.length flows);
  Alcotest.(check (pair int int)) "counted" (0, 1) (intercepted (Stack.counters gateway));
  Udp_sockets.close (Stack.udp gateway) flow;
  send client s "192.0.2.9" 53;
  exchange client gateway;
  Alcotest.(check int) "a closed one makes room" 2 (Queue.length flows)

let datagrams_v6 () =
  let gateway, client = net () in
  Stack.set_transparent gateway true;
  let flows = Queue.create () in
  Udp_sockets.intercept (Stack.udp gateway) ~limit:2 (fun s -> Queue.push s flows);
  let s = socket client ~address:Ipaddr.(V6 V6.unspecified) in
  send client s "2001:db8::7" 53;
  exchange client gateway;
  let flow = Queue.pop flows in
  text "the first datagram" (Fmt.str "hello from fd00::2:%d" (Udp_sockets.port s)) (receive flow);
  send gateway flow ~text:"answer" "fd00::2" (Udp_sockets.port s);
  exchange client gateway;
  text "the answer comes from there" "answer from 2001:db8::7:53" (receive s)

let own_sockets () =
  let gateway, client = net () in
  Stack.set_transparent gateway true;
  let own = socket gateway in
  let s = socket client in
  send client s "10.0.0.1" (Udp_sockets.port own);
  exchange client gateway;
  text "own sockets come first"
    (Fmt.str "hello from 10.0.0.2:%d" (Udp_sockets.port s))
    (receive own);
  send client s "192.0.2.7" 9;
  exchange client gateway;
  Alcotest.(check (pair int int)) "refused" (1, 0) (intercepted (Stack.counters gateway))

let connections () =
  let gateway, client = net () in
  Stack.set_transparent gateway true;
  let l = Tcp.intercept (Stack.tcp gateway) ~backlog:8 in
  let connect dst =
    match Stack.connect client ~now:0 (ip dst) ~port:80 with
    | Ok c ->
        exchange client gateway;
        (c, Option.get (Tcp.accept l))
    | Error _ -> Alcotest.fail "not connected"
  in
  let c, there = connect "192.0.2.7" in
  Alcotest.(check bool) "waits" false (Tcp.connected c);
  Tcp.answer there;
  exchange client gateway;
  Alcotest.(check bool) "connected" true (Tcp.connected c && Tcp.connected there);
  let c, there = connect "2001:db8::9" in
  Tcp.abort (Stack.tcp gateway) there;
  exchange client gateway;
  Alcotest.(check (option string))
    "refused" (Some "connection refused")
    (Option.map (Fmt.str "%a" Tcp.pp_error) (Tcp.error c))

let groups () =
  let gateway, client = net () in
  Stack.set_transparent gateway true;
  let taken = ref 0 in
  Udp_sockets.intercept (Stack.udp gateway) ~limit:9 (fun _ -> incr taken);
  let s = socket client in
  List.iter (fun group -> send client s group 9) [ "255.255.255.255"; "10.0.0.255"; "224.0.0.9" ];
  exchange client gateway;
  Alcotest.(check int) "no flows" 0 !taken;
  Stack.set_transparent gateway false;
  send client s "192.0.2.7" 9;
  exchange client gateway;
  (* With what came for the group. *)
  Alcotest.(check int) "off: not ours" 2 (Stack.counters gateway).ip_in_not_ours

let cases =
  [
    Suite.case "datagrams" datagrams;
    Suite.case "datagrams, IPv6" datagrams_v6;
    Suite.case "own sockets" own_sockets;
    Suite.case "connections" connections;
    Suite.case "broadcasts and groups" groups;
  ]
