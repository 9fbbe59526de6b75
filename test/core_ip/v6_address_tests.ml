(* IPv6 addresses of a host: which is a source, how one is made, which link it belongs to. *)

open Weir_base
open Weir_wire
open Weir_core
open Weir_test
open V6_net

let sources () =
  let t = host ~addresses:"fd00::1/64,2001:db8::1/64,10.0.0.1/24" () in
  Result.get_ok
    (Stack.add_route t (Ipaddr.Prefix.of_string_exn "::/0") ~gateway:(address "2001:db8::fe"));
  let from what dst want =
    Alcotest.(check string) what want (Ipaddr.to_string (Stack.source_for t (address dst)))
  in
  from "the same network" "fd00::9" "fd00::1";
  from "elsewhere" "2001:db8:1::9" "2001:db8::1";
  from "elsewhere, far" "2a00::9" "2001:db8::1";
  from "unique local" "fd00:0:0:9::9" "fd00::1";
  from "link-local" "fe80::9" (Fmt.str "%a" Ip.pp (link_local t));
  from "all nodes" "ff02::1" (Fmt.str "%a" Ip.pp (link_local t));
  from "itself" "::1" "::1";
  let i = Stack.interface t 0 in
  Stack.add_address t i ~state:Deprecated (Ipaddr.Prefix.of_string_exn "2001:db8::1/64");
  Stack.add_address t i (Ipaddr.Prefix.of_string_exn "2001:db8:0:2::1/64");
  from "a deprecated one" "2a00::9" "2001:db8:0:2::1"

let stable () =
  let make ?(secret = "a") ?(interface = 0) ?(counter = 0) prefix =
    Fmt.str "%a" Ip.pp
      (Stable_address.make
         ~secret:(Stable_address.secret_of_string secret)
         ~prefix:(v6 prefix) ~interface ~counter)
  in
  let first = make "fd00::" in
  Alcotest.(check string) "always the same" first (make "fd00::77");
  check_bool "in the network" true (Ip.shares_prefix (v6 first) (v6 "fd00::") ~bits:64);
  let others =
    [
      make "fd00:0:0:1::";
      make ~secret:"b" "fd00::";
      make ~interface:1 "fd00::";
      make ~counter:1 "fd00::";
    ]
  in
  let id a = String.sub (v6 a :> string) 8 8 in
  check_int "all different" 5 (List.length (List.sort_uniq compare (List.map id (first :: others))))

let narrow () =
  let t =
    Stack.create
      {
        mac = Net.mac 1;
        addresses = [ Ipaddr.Prefix.of_string_exn "10.0.0.1/24" ];
        gateways = [];
        mtu = 1_279;
        secret = Stable_address.no_secret;
        config = Config.default;
      }
      ~random:(Net.random ()) ~now:0
  in
  check_int "no link-local address" 1 (Array.length (Stack.interface t 0).addresses);
  match Stack.add_address t (Stack.interface t 0) (Ipaddr.Prefix.of_string_exn "fd00::1/64") with
  | () -> Alcotest.fail "IPv6 on a link that is too narrow"
  | exception Invalid_argument _ -> ()

(* Every link has fe80::/64: the source tells which is meant. *)
let two_links () =
  let t = host () in
  let second = Stack.add_interface t ~mac:(Net.mac 5) ~mtu:1_500 in
  let of_interface (i : Interface.t) =
    let a =
      List.find (fun (a : Interface.address) -> Ip.is_link_local a.ip) (Array.to_list i.addresses)
    in
    a.ip
  in
  let leaves_by i =
    let local = Ip.to_ipaddr (of_interface i) in
    ignore (Result.get_ok (Stack.connect t ~now:0 ~local (address "fe80::9") ~port:80));
    let f = Frame.alloc pool in
    let by = Stack.transmit t ~now:0 f in
    Frame.release f;
    ignore (frames t);
    by
  in
  check_int "the first" 0 (leaves_by (Stack.interface t 0));
  check_int "the second" 1 (leaves_by second)

let cases =
  [
    Suite.case "sources" sources;
    Suite.case "stable addresses" stable;
    Suite.case "a narrow link" narrow;
    Suite.case "two links" two_links;
  ]
