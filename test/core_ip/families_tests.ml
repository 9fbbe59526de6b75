(* Sockets of both families. *)

open Weir_wire
open Weir_core
open Weir_test
open V6_net

let both number = Fmt.str "10.0.0.%d/24,fd00::%d/64" number number

let one_socket () =
  let a = host ~addresses:(both 1) () and b = host ~number:2 ~addresses:(both 2) () in
  let any = udp b ~at:"::" ~port:9 and s = udp a ~at:"::" ~port:1_000 in
  let hears what dst want =
    Result.get_ok (send a s ~dst ~port:9 "x");
    ignore (settle a b);
    Alcotest.(check string) what want (receive any)
  in
  hears "IPv4" "10.0.0.2" "x from 10.0.0.1";
  hears "IPv6" "fd00::2" "x from fd00::1";
  hears "IPv4 as IPv6" "::ffff:10.0.0.2" "x from 10.0.0.1";
  hears "the group of all nodes" "ff02::1" (Fmt.str "x from %a" Ip.pp (link_local a));
  let refused what want r = check_bool what true (r = Error want) in
  let bind at = Stack.bind_udp b ~address:(address at) ~port:9 ~reuse:false in
  let is_in_use what at =
    check_bool what true (match bind at with Error `In_use -> true | _ -> false)
  in
  is_in_use "0.0.0.0" "0.0.0.0";
  is_in_use "an address" "fd00::2";
  is_in_use "again" "::";
  let v4 = udp a ~at:"0.0.0.0" ~port:1_001 in
  refused "IPv6 from 0.0.0.0" `Bad_address (send a v4 ~dst:"fd00::2" ~port:9 "x");
  let own = udp a ~at:"fd00::1" ~port:1_002 in
  refused "IPv4 from an IPv6 address" `No_route (send a own ~dst:"10.0.0.2" ~port:9 "x");
  refused "no route" `No_route (send a s ~dst:"2001:db8::1" ~port:9 "x")

let connects () =
  let a = host ~addresses:(both 1) () and b = host ~number:2 ~addresses:(both 2) () in
  let listen at = Tcp.listen (Stack.tcp b) ~address:(v6 at) ~port:80 ~backlog:8 ~reuse:false in
  let l = Result.get_ok (listen "::") in
  let opens what ?local dst want =
    let c =
      Result.get_ok
        (Stack.connect a ~now:0 ?local:(Option.map address local) (address dst) ~port:80)
    in
    ignore (settle a b);
    (match Tcp.accept l with
    | Some s -> Alcotest.(check string) what want (Fmt.str "%a" Ip.pp (Tcp.remote s))
    | None -> Alcotest.failf "%s: nobody came" what);
    check_bool what true (Tcp.state c = Established);
    Tcp.mss c
  in
  (* 12 bytes of each segment are timestamps. *)
  check_int "its MSS" 1_448 (opens "IPv4" "10.0.0.2" "10.0.0.1");
  check_int "its MSS" 1_428 (opens "IPv6" "fd00::2" "fd00::1");
  ignore
    (opens "from a link-local address"
       ~local:(Fmt.str "%a" Ip.pp (link_local a))
       (Fmt.str "%a" Ip.pp (link_local b))
       (Fmt.str "%a" Ip.pp (link_local a)));
  check_bool "the port is in use" true (Result.is_error (listen "10.0.0.2"));
  let fails what ?local dst want =
    match Stack.connect a ~now:0 ?local:(Option.map address local) (address dst) ~port:80 with
    | Ok _ -> Alcotest.failf "%s: connects" what
    | Error e -> check_bool what true (e = want)
  in
  fails "both families" ~local:"10.0.0.1" "fd00::2" `No_route;
  fails "no route" "2001:db8::1" `No_route;
  fails "a group" "ff02::1" `Bad_address

(* The host itself, without the link. *)
let to_itself () =
  let t = host ~addresses:(both 1) () in
  let l =
    Result.get_ok (Tcp.listen (Stack.tcp t) ~address:Ip.any_v6 ~port:80 ~backlog:8 ~reuse:false)
  in
  List.iter
    (fun (dst, from) ->
      ignore (Result.get_ok (Stack.connect t ~now:0 (address dst) ~port:80));
      lines dst [] (sent t);
      match Tcp.accept l with
      | Some s -> Alcotest.(check string) dst from (Fmt.str "%a" Ip.pp (Tcp.remote s))
      | None -> Alcotest.failf "%s: nobody came" dst)
    [ ("::1", "::1"); ("fd00::1", "fd00::1"); ("::", "::1"); ("127.0.0.1", "127.0.0.1") ]

let cases =
  [
    Suite.case "datagrams of both families" one_socket;
    Suite.case "connections of both families" connects;
    Suite.case "to itself" to_itself;
  ]
