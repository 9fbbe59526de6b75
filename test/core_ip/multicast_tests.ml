(* A datagram to a group leaves at once, to the group's Ethernet address. *)

open Weir_test
open Weir_core
module Mac = Weir_wire.Mac
module Ethernet = Weir_wire.Ethernet

let destination group =
  let t = Net.host () in
  let socket =
    match Stack.bind_udp t ~address:Ipaddr.(V4 V4.any) ~port:5353 ~reuse:false with
    | Ok s -> s
    | Error _ -> Alcotest.fail "no socket"
  in
  let dst = Ipaddr.of_string_exn group in
  (match Stack.send_udp t ~now:0 socket ~dst ~dst_port:5353 (Bytes.make 4 'x') ~off:0 ~len:4 with
  | Ok () -> ()
  | Error _ -> Alcotest.fail "not sent");
  let f = Weir_base.Frame.(alloc (pool ~size:1_514 ())) in
  ignore (Stack.transmit t ~now:0 f : int);
  match Ethernet.decode f.data ~off:0 ~len:f.len with
  | Ok e -> Fmt.str "%a" Mac.pp e.dst
  | Error e -> Alcotest.failf "%d bytes: %a" f.len Weir_wire.Error.pp e

(* RFC 1112 §6.4: the low 23 bits. *)
let groups () =
  let check mac group = Alcotest.(check string) group mac (destination group) in
  check "01:00:5e:00:00:fb" "224.0.0.251";
  check "01:00:5e:7f:ff:ff" "239.255.255.255";
  check "01:00:5e:00:00:01" "225.128.0.1"

let cases = [ Suite.case "Ethernet addresses of groups" groups ]
