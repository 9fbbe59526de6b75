(* Packets whose header a user chooses. *)

open Weir_test
open Weir_core
open Weir_wire

let mtu = 600
let there = Ipaddr.of_string_exn "255.255.255.255"
let host () = Net.host ~mtu ()

(* The headers of all that is sent. *)
let rec sent t =
  let f = Weir_base.Frame.(alloc (pool ~size:(mtu + 14) ())) in
  if Stack.transmit t ~now:0 f < 0 then []
  else
    match Ipv4.decode f.data ~off:14 ~len:(f.len - 14) with
    | Ok h -> h :: sent t
    | Error e -> Alcotest.failf "%a" Error.pp e

let print (h : Ipv4.t) =
  Fmt.str "%a > %a protocol %d ttl %d%s at %d, %d bytes" Ip.pp h.src Ip.pp h.dst h.protocol h.ttl
    (if h.dont_fragment then " whole" else "")
    h.fragment_offset h.data_length

let check what headers t = Alcotest.(check (list string)) what headers (List.map print (sent t))
let ok = function Ok () -> () | Error _ -> Alcotest.fail "not sent"

let ttl () =
  let t = host () in
  let socket = Result.get_ok (Stack.bind_udp t ~address:Ipaddr.(V4 V4.any) ~port:9 ~reuse:false) in
  let send ?ttl len =
    Stack.send_udp ?ttl t ~now:0 socket ~dst:there ~dst_port:7 (Bytes.create len) ~off:0 ~len
  in
  ok (send 1);
  check "by default" [ "10.0.0.1 > 255.255.255.255 protocol 17 ttl 64 at 0, 9 bytes" ] t;
  ok (send ~ttl:255 1);
  check "as asked" [ "10.0.0.1 > 255.255.255.255 protocol 17 ttl 255 at 0, 9 bytes" ] t;
  ok (send ~ttl:3 700);
  check "in fragments too"
    [
      "10.0.0.1 > 255.255.255.255 protocol 17 ttl 3 at 0, 576 bytes";
      "10.0.0.1 > 255.255.255.255 protocol 17 ttl 3 at 576, 132 bytes";
    ]
    t;
  let refused n =
    match send ~ttl:n 1 with
    | Ok () | Error _ -> Alcotest.failf "ttl %d" n
    | exception Invalid_argument _ -> ()
  in
  List.iter refused [ -1; 0; 256 ]

let raw () =
  let t = host () in
  let send ?ttl ?dont_fragment ?(dst = there) len =
    Stack.send_ip ?ttl ?dont_fragment t ~now:0 dst ~protocol:89 (Bytes.create len) ~off:0 ~len
  in
  ok (send ~ttl:1 ~dont_fragment:true 580);
  check "as asked" [ "10.0.0.1 > 255.255.255.255 protocol 89 ttl 1 whole at 0, 580 bytes" ] t;
  let is what wanted r = Alcotest.(check bool) what true (r = Error wanted) in
  is "whole" `Would_fragment (send ~dont_fragment:true 581);
  ok (send 581);
  Alcotest.(check int) "two" 2 (List.length (sent t));
  ok (send 65_515);
  Alcotest.(check int) "many" 114 (List.length (sent t));
  is "longer than any" `Too_long (send 65_516);
  is "to no one" `Bad_address (send ~dst:Ipaddr.(V4 V4.any) 1);
  Alcotest.(check string)
    "from" "127.0.0.1"
    (Ipaddr.to_string (Stack.source_for t Ipaddr.(V4 V4.localhost)))

let cases = [ Suite.case "a time to live" ttl; Suite.case "a payload of any protocol" raw ]
