(* What the stack's own docs promise. *)

open Lwt.Syntax
open World
module TCP = Stack.TCP
module UDP = Stack.UDP
module IP = Stack.IP
module Error = Weir_lwt.Error
module Suite = Weir_test.Suite

let text = Alcotest.string
let b = Cstruct.of_string

(* A client's connection to [a], and what comes on it until its end. *)
let ask w port =
  let* r = TCP.create_connection (Stack.tcp w.b) (address_a, port) in
  match r with
  | Error e -> Lwt.return (Fmt.str "%a" TCP.pp_error e)
  | Ok flow ->
      let* s = Program_tests.read_all flow in
      let+ () = TCP.close flow in
      s

let says what flow =
  let* () = Program_tests.written (TCP.write flow (b what)) in
  TCP.close flow

let listening w =
  let tcp = Stack.tcp w.a in
  TCP.listen tcp ~port:80 (says "first");
  let* s = ask w 80 in
  Alcotest.(check text) "the first" "first" s;
  TCP.listen tcp ~port:80 (says "second");
  let* s = ask w 80 in
  Alcotest.(check text) "in its place" "second" s;
  TCP.unlisten tcp ~port:80;
  TCP.unlisten tcp ~port:81;
  let* s = ask w 80 in
  Alcotest.(check text) "nobody" "connection refused" s;
  TCP.listen tcp ~port:80 (says "again");
  let* s = ask w 80 in
  Alcotest.(check text) "again" "again" s;
  Lwt.return_unit

(* A server may keep a connection longer than its callback lasts. *)
let kept w =
  let accepted, accept = Lwt.wait () in
  TCP.listen (Stack.tcp w.a) ~port:80 (fun flow ->
      Lwt.wakeup_later accept flow;
      Lwt.return_unit);
  let* client = Program_tests.connected w 80 in
  let* server = accepted in
  let* () = sleep w 60. in
  let addresses = Alcotest.(check (pair text int)) in
  let pair (a, port) = (Ipaddr.to_string a, port) in
  addresses "who" (pair (TCP.src client)) (pair (TCP.dst server));
  addresses "where" ("10.0.0.1", 80) (pair (TCP.src server));
  let* () = says "late" server in
  let* s = Program_tests.read_all client in
  Alcotest.(check text) "late" "late" s;
  TCP.close client

let raising w =
  TCP.listen (Stack.tcp w.a) ~port:80 (fun _ -> failwith "in a callback");
  UDP.listen (Stack.udp w.a) ~port:80 (fun ~src:_ ~dst:_ ~src_port:_ _ -> failwith "in another");
  let* all =
    caught (fun () ->
        let* s = ask w 80 in
        Alcotest.(check text) "closed" "" s;
        let* r = UDP.write ~dst:address_a ~dst_port:80 (Stack.udp w.b) (b "x") in
        Alcotest.(check bool) "sent" true (r = Ok ());
        sleep w 1.)
  in
  Alcotest.(check (list text))
    "told" [ "in a callback"; "in another" ]
    (List.map (function Failure s -> s | e -> Printexc.to_string e) all);
  Lwt.return_unit

(* As one who tries several addresses at once gives up the slower. *)
let cancelled w =
  let p = TCP.create_connection (Stack.tcp w.b) (v4 "10.0.0.77", 80) in
  let* () = Lwt.pick [ Lwt.map ignore p; sleep w 0.5 ] in
  Alcotest.(check bool) "given up" true (Lwt.state p = Fail Lwt.Canceled);
  let tcp = Weir_core.Stack.tcp (Weir_lwt.Host.stack w.host_b) in
  Alcotest.(check int) "nothing is left" 0 (Weir_core.Tcp.length tcp);
  Lwt.return_unit

let keepalive w =
  let accepted, accept = Lwt.wait () in
  let of_flow flow =
    match Weir_core.Tcp.keepalive (Weir_lwt.Connection.tcb flow) with
    | Some k -> Printf.sprintf "%d %d %d" k.idle k.interval k.probes
    | None -> "none"
  in
  TCP.listen (Stack.tcp w.a) ~port:80
    ~keepalive:{ after = 60_000_000_000L; interval = 1_000_000_000L; probes = 3 } (fun flow ->
      Lwt.wakeup_later accept flow;
      Lwt.return_unit);
  let* client = Program_tests.connected w 80 ~keepalive:{ after = 2L; interval = 3L; probes = 4 } in
  let* server = accepted in
  Alcotest.(check text) "the server's" "60000000000 1000000000 3" (of_flow server);
  Alcotest.(check text) "the client's" "2 3 4" (of_flow client);
  Lwt.return_unit

let raises what f =
  match f () with
  | () -> Alcotest.failf "%s: went on" what
  | exception Invalid_argument _ -> "invalid"
  | exception Error.Error e -> Fmt.str "%a" Error.pp e

let ports w =
  let nothing ~src:_ ~dst:_ ~src_port:_ _ = Lwt.return_unit in
  let tcp port () = TCP.listen (Stack.tcp w.a) ~port (fun _ -> Lwt.return_unit) in
  let udp port () = UDP.listen (Stack.udp w.a) ~port nothing in
  List.iter
    (fun port ->
      Alcotest.(check text) "TCP" "invalid" (raises "TCP" (tcp port));
      Alcotest.(check text) "UDP" "invalid" (raises "UDP" (udp port)))
    [ -1; 0; 65_536 ];
  let l = Result.get_ok (Weir_lwt.Network.listen w.host_a ~port:80 ~backlog:1) in
  Alcotest.(check text) "taken" "port 80 is in use" (raises "TCP" (tcp 80));
  let d = Result.get_ok (Weir_lwt.Datagram.open_ w.host_a ~port:80) in
  Alcotest.(check text) "taken" "port 80 is in use" (raises "UDP" (udp 80));
  let* () = Weir_lwt.Network.close_listener l in
  Weir_lwt.Datagram.close d

(* -- datagrams ----------------------------------------------------------- *)

let sent p =
  let+ r = p in
  match r with Ok () -> "sent" | Error e -> Fmt.str "%a" UDP.pp_error e

let sends what wanted p =
  let+ s = sent p in
  Alcotest.(check text) what wanted s

(* Where a datagram came from and was sent to, as the callback has it. *)
let addresses w =
  let got = ref [] in
  UDP.listen (Stack.udp w.a) ~port:9 (fun ~src ~dst ~src_port data ->
      let line =
        Fmt.str "%a:%d to %a: %s" Ipaddr.pp src src_port Ipaddr.pp dst (Cstruct.to_string data)
      in
      got := line :: !got;
      Lwt.return_unit);
  let write ?src ?ttl ?(stack = w.b) dst text =
    UDP.write ?src ?ttl ~src_port:4_000 ~dst ~dst_port:9 (Stack.udp stack) (b text)
  in
  let* () = sends "one" "sent" (write address_a "to you") in
  let* () = sleep w 0.1 in
  let* () = sends "all" "sent" (write (v4 "255.255.255.255") "to all") in
  let* () = sends "all here" "sent" (write (v4 "10.0.0.255") "to all here") in
  let* () = sends "home" "sent" (write ~stack:w.a (v4 "127.0.0.1") "to myself") in
  let* () = sends "mapped" "sent" (write (Ipaddr.V6 (Ipaddr.to_v6 address_a)) "mapped") in
  let* () = sends "own" "sent" (write ~src:address_b ~ttl:255 address_a "from me") in
  let* () = sleep w 0.1 in
  Alcotest.(check (list text))
    "told"
    [
      "10.0.0.2:4000 to 10.0.0.1: to you";
      "127.0.0.1:4000 to 127.0.0.1: to myself";
      "10.0.0.2:4000 to 255.255.255.255: to all";
      "10.0.0.2:4000 to 10.0.0.255: to all here";
      "10.0.0.2:4000 to 10.0.0.1: mapped";
      "10.0.0.2:4000 to 10.0.0.1: from me";
    ]
    (List.rev !got);
  let* () =
    sends "not ours" "10.0.0.9 cannot be used as an address here"
      (write ~src:(v4 "10.0.0.9") address_a "x")
  in
  let* () = sends "no route" "2001:db8::1 cannot be used as an address here" (write v6 "x") in
  let* () =
    sends "too long" "a datagram of 65508 bytes is too long"
      (write address_a (String.make 65_508 'x'))
  in
  Lwt.return_unit

(* Callbacks that do not end hold back what is read, not more. *)
let flood w =
  let open_, gate = Lwt.wait () in
  let live = ref 0 and most = ref 0 and all = ref 0 in
  UDP.listen (Stack.udp w.a) ~port:9 (fun ~src:_ ~dst:_ ~src_port:_ _ ->
      incr live;
      most := Int.max !most !live;
      let+ () = open_ in
      incr all;
      decr live);
  let rec send n =
    if n = 0 then Lwt.return_unit
    else
      let* () =
        sends "datagram" "sent" (UDP.write ~dst:address_a ~dst_port:9 (Stack.udp w.b) (b "x"))
      in
      let* () = sleep w 0.0001 in
      send (n - 1)
  in
  let* () = send 3_000 in
  Alcotest.(check int) "at most" 1_000 !most;
  Lwt.wakeup_later gate ();
  let* () = sleep w 1. in
  Alcotest.(check int) "then the others" 3_000 !all;
  UDP.unlisten (Stack.udp w.a) ~port:9;
  let* () = send 1 in
  let* () = sleep w 1. in
  Alcotest.(check int) "no more" 3_000 !all;
  Lwt.return_unit

(* -- packets ------------------------------------------------------------- *)

let sum16 buf =
  let rec go sum i =
    if i >= Cstruct.length buf then sum else go (sum + Cstruct.BE.get_uint16 buf i) (i + 2)
  in
  let sum = go 0 0 in
  let sum = (sum land 0xffff) + (sum lsr 16) in
  lnot ((sum land 0xffff) + (sum lsr 16)) land 0xffff

(* A datagram made by hand: header, pseudo-header and all. *)
let packets w =
  let got = ref [] in
  UDP.listen (Stack.udp w.a) ~port:9 (fun ~src ~dst:_ ~src_port data ->
      got := Fmt.str "%a:%d %d bytes" Ipaddr.pp src src_port (Cstruct.length data) :: !got;
      Lwt.return_unit);
  let ip = Stack.ip w.b in
  let write ?fragment ?ttl ?src ?(dst = address_a) n =
    let data = Cstruct.create n in
    IP.write ip ?fragment ?ttl ?src dst `UDP ~size:8
      (fun h ->
        Cstruct.BE.set_uint16 h 0 4_000;
        Cstruct.BE.set_uint16 h 2 9;
        Cstruct.BE.set_uint16 h 4 (8 + n);
        Cstruct.BE.set_uint16 h 6
          (sum16 (Cstruct.concat [ IP.pseudoheader ip dst `UDP (8 + n); h; data ]));
        8)
      [ data ]
  in
  let is what wanted p =
    let+ r = p in
    let s = match r with Ok () -> "sent" | Error e -> Fmt.str "%a" IP.pp_error e in
    Alcotest.(check text) what wanted s
  in
  let* () = is "short" "sent" (write ~fragment:false ~ttl:1 4) in
  let* () = sleep w 0.1 in
  let* () = is "long" "sent" (write ~src:address_b 4_000) in
  let* () = is "whole" "the packet is longer than the path's MTU" (write ~fragment:false 4_000) in
  let* () = is "far" "no route: 192.0.2.1" (write ~dst:(v4 "192.0.2.1") 4) in
  let* () =
    is "not ours" "10.0.0.9 cannot be used as an address here" (write ~src:(v4 "10.0.0.9") 4)
  in
  let* () = is "IPv6" "no route: 2001:db8::1" (IP.write ip v6 `UDP (fun _ -> 0) [ b "x" ]) in
  let* () = sleep w 0.1 in
  Alcotest.(check (list text))
    "arrived"
    [ "10.0.0.2:4000 4 bytes"; "10.0.0.2:4000 4000 bytes" ]
    (List.rev !got);
  Lwt.return_unit

let facts w =
  let ip = Stack.ip w.a in
  let address = Alcotest.testable Ipaddr.pp (fun a b -> Ipaddr.compare a b = 0) in
  Alcotest.(check address) "from" address_a (IP.src ip ~dst:address_b);
  Alcotest.(check address) "at home" (v4 "127.0.0.1") (IP.src ip ~dst:(v4 "127.0.0.1"));
  Alcotest.(check address) "none" (Ipaddr.V6 Ipaddr.V6.unspecified) (IP.src ip ~dst:v6);
  let is_v4 : Ipaddr.t -> bool = function V4 _ -> true | V6 _ -> false in
  let v4_only, link_local = List.partition is_v4 (IP.get_ip ip) in
  Alcotest.(check (list address)) "addresses" [ address_a ] v4_only;
  Alcotest.(check int) "and the link-local one" 1 (List.length link_local);
  Alcotest.(check text)
    "with their networks" "10.0.0.1/24"
    (String.concat " "
       (List.filter_map
          (function
            | Ipaddr.V4 p -> Some (Ipaddr.V4.Prefix.to_string p)
            | V6 p -> if Ipaddr.V6.Prefix.bits p = 64 then None else Some "not a /64")
          (IP.configured_ips ip)));
  Alcotest.(check (pair int int)) "MTU" (1_480, 1_460) (IP.mtu ip ~dst:address_b, IP.mtu ip ~dst:v6);
  let pseudo = IP.pseudoheader ip ~src:v6 v6 `TCP 20 in
  Alcotest.(check text)
    "a pseudo-header" "0000001400000006"
    (Cstruct.to_hex_string (Cstruct.sub pseudo 32 8));
  (match IP.pseudoheader ip ~src:address_a v6 `TCP 20 with
  | _ -> Alcotest.fail "a pseudo-header of both families"
  | exception Invalid_argument _ -> ());
  let refused p =
    Lwt.catch
      (fun () -> Lwt.bind p (fun () -> Alcotest.fail "taken in"))
      (function Invalid_argument _ -> Lwt.return_unit | e -> Lwt.reraise e)
  in
  let empty = Cstruct.empty and no ~src:_ ~dst:_ _ = Lwt.return_unit in
  let* () = refused (TCP.input (Stack.tcp w.a) ~src:address_b ~dst:address_a empty) in
  let* () = refused (UDP.input (Stack.udp w.a) ~src:address_b ~dst:address_a empty) in
  let* () = refused (IP.input ip ~tcp:no ~udp:no ~default:(fun ~proto:_ -> no) empty) in
  let* r = TCP.create_connection (Stack.tcp w.a) (v6, 80) in
  match r with
  | Error (`Failed (Bad_address _)) -> Lwt.return_unit
  | _ -> Alcotest.fail "a connection without a route"

(* -- the end ------------------------------------------------------------- *)

let disconnect w =
  let listening = Stack.listen w.a in
  TCP.listen (Stack.tcp w.a) ~port:80 (fun flow ->
      let* () = Program_tests.written (TCP.write flow (b "last words")) in
      Lwt.return_unit);
  let* client = Program_tests.connected w 80 in
  let* () = sleep w 0.1 in
  Alcotest.(check bool) "listening" true (Lwt.is_sleeping listening);
  let* () = Stack.disconnect w.a in
  let* () = listening in
  let* s = Program_tests.read_all client in
  Alcotest.(check text) "sent before the end" "last words" s;
  let closed = "the socket was closed here" in
  Alcotest.(check text)
    "TCP" closed
    (raises "TCP" (fun () -> TCP.listen (Stack.tcp w.a) ~port:80 (says "")));
  Alcotest.(check text)
    "UDP" closed
    (raises "UDP" (fun () ->
         UDP.listen (Stack.udp w.a) ~port:80 (fun ~src:_ ~dst:_ ~src_port:_ _ -> Lwt.return_unit)));
  let* () = sends "UDP" closed (UDP.write ~dst:address_b ~dst_port:9 (Stack.udp w.a) (b "x")) in
  let* r = TCP.create_connection (Stack.tcp w.a) (address_b, 80) in
  (match r with
  | Error (`Failed Closed_locally) -> ()
  | _ -> Alcotest.fail "a connection from a closed host");
  let* () = Stack.disconnect w.a in
  Stack.listen w.a

let elsewhere w =
  let calls =
    [
      (fun () -> TCP.listen (Stack.tcp w.a) ~port:80 (says ""));
      (fun () -> ignore (TCP.create_connection (Stack.tcp w.a) (address_b, 80) : _ Lwt.t));
      (fun () -> ignore (UDP.write ~dst:address_b ~dst_port:9 (Stack.udp w.a) (b "x") : _ Lwt.t));
      (fun () ->
        UDP.listen (Stack.udp w.a) ~port:9 (fun ~src:_ ~dst:_ ~src_port:_ _ -> Lwt.return_unit));
      (fun () -> ignore (IP.write (Stack.ip w.a) address_b `UDP (fun _ -> 0) [] : _ Lwt.t));
      (fun () -> ignore (IP.configured_ips (Stack.ip w.a) : _ list));
    ]
  in
  let refused call = match call () with () -> false | exception Error.Wrong_domain _ -> true in
  let all = Domain.join (Domain.spawn (fun () -> List.map refused calls)) in
  Alcotest.(check (list bool)) "refused" (List.map (fun _ -> true) calls) all;
  Lwt.return_unit

let cases =
  [
    case "listening" listening;
    case "a connection outlives its callback" kept;
    case "exceptions in callbacks" raising;
    case "a connection attempt given up" cancelled;
    case "keepalive" keepalive;
    case "ports" ports;
    case "where datagrams come from and go" addresses;
    case "a flood of datagrams" flood;
    case "packets made by hand" packets;
    case "facts, and IPv6" facts;
    case "disconnect" disconnect;
    case "another domain" elsewhere;
  ]
