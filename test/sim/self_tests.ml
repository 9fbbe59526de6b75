(* Hosts that configure themselves, and routers of both families. *)

open Eio.Std
open Room
module Dhcp = Weir_sim.Dhcp_server
module Dns = Weir_sim.Dns_server
module Options = Weir_wire.Dhcpv4_options
module Ip = Weir_wire.Ip

let v4 = Ipaddr.V4.of_string_exn
let zone = [ Dns.a "www.corp.example" "10.2.0.9"; Dns.aaaa "www.corp.example" "fd00:2::9" ]

let dns (h : Weir_sim.host) =
  Switch.run @@ fun sw ->
  Dns.serve ~sw ~net:h.net zone;
  Fiber.await_cancel ()

let options =
  Options.
    [
      (routers, of_address (Ip.of_v4 (v4 "10.1.0.1")));
      (name_servers, of_addresses [ Ip.of_v4 (v4 "10.2.0.53") ]);
      (domain_name, "nowhere.example");
      (domain_search, of_names [ "corp.example" ]);
    ]

(* clients - home, with a DHCP server - router, which advertises - site, with servers. *)
type places = {
  world : Weir_sim.world;
  home : Weir_sim.lan;
  leases : Dhcp.t;
  router : Weir_sim.host;
  server : Weir_sim.host;
}

let places ?(options = options) world =
  let home = Weir_sim.lan world ~latency:(`Ms 1) and site = Weir_sim.lan world in
  let router =
    Weir_sim.router world ~name:"router"
      [ (home, "10.1.0.1/24,fd00:1::1/64"); (site, "10.2.0.1/24,fd00:2::1/64") ]
  in
  let leases = Dhcp.create ~options ~address:(v4 "10.1.0.2") [ v4 "10.1.0.50"; v4 "10.1.0.51" ] in
  let _ =
    Weir_sim.host world home "10.1.0.2/24" ~name:"dhcp" ~main:(fun h ->
        Dhcp.serve leases ~net:h.net)
  in
  let static address name main =
    Weir_sim.host world site address ~name ~gateway:"10.2.0.1,fd00:2::1" ~main
  in
  let server = static "10.2.0.9/24,fd00:2::9/64" "server" (echo_server_at Eio.Net.Ipaddr.V6.any) in
  let _ = static "10.2.0.53/24,fd00:2::53/64" "dns" dns in
  { world; home; leases; router; server }

let advertise ?resolvers ?search p =
  Weir_sim.advertise p.router p.home ?resolvers ?search [ ("fd00:1::/64", `S 3_600, `S 7_200) ]

let ok = function Ok x -> x | Error m -> Alcotest.fail m
let driver h = Option.get (Weir_sim.driver h)
let await_lease h = ignore (ok (Weir_eio.await_lease (driver h)) : Weir_eio.lease)

let await_prefix h =
  ignore (ok (Weir_eio.await_autoconf (driver h)) : Weir_core.Autoconf.configuration)

let show h = String.concat " " (List.map Ipaddr.to_string (Weir_sim.addresses h))
let at (h : Weir_sim.host) a = { h with address = Ipaddr.of_string_exn a }

let by_dhcp world =
  let p = places world in
  let c = Weir_sim.host world p.home "dhcp" ~name:"client" ~main:echo_server in
  check_string "at first" "" (show c);
  await_lease c;
  check_string "its address" "10.1.0.50" (show c);
  check_string "through the router" "x" (ask c p.server "x");
  (* Its name leads to the address that it has. *)
  check_string "by its name" "y"
    ( Eio.Net.with_tcp_connect p.server.net ~host:"client" ~service:"7" @@ fun flow ->
      Eio.Flow.copy_string "y" flow;
      Eio.Flow.shutdown flow `Send;
      Eio.Flow.read_all flow );
  (* Options 15 and 119: the second is searched if it is there. *)
  Dns_room.is c.net "www" "10.2.0.9 fd00:2::9";
  let other = Weir_sim.host world p.home "dhcp" in
  await_lease other;
  check_string "another's" "10.1.0.51" (show other);
  (* INIT-REBOOT: a request, and no discovery (RFC 2131 §3.2). *)
  let asked () = (Dhcp.count p.leases "discover", Dhcp.count p.leases "request") in
  let discovers, requests = asked () in
  Weir_sim.restart c;
  await_lease c;
  check_string "the same again" "10.1.0.50" (show c);
  Alcotest.(check (pair int int)) "asked for" (discovers, requests + 1) (asked ());
  (* Its pool is another when it comes back. *)
  p.leases.pool <- [ v4 "10.1.0.60" ];
  Weir_sim.restart c;
  await_lease c;
  check_string "refused, and another" "10.1.0.60" (show c)

let domain_alone world =
  let options = List.filter (fun (code, _) -> code <> Options.domain_search) options in
  let options =
    List.map
      (fun (code, s) -> (code, if code = Options.domain_name then "corp.example" else s))
      options
  in
  let p = places ~options world in
  let c = Weir_sim.host world p.home "dhcp" in
  await_lease c;
  Dns_room.is c.net "www" "10.2.0.9 fd00:2::9";
  let chosen = Weir_sim.host world p.home "dhcp" ~resolvers:[ Ipaddr.of_string_exn "10.2.0.9" ] in
  await_lease chosen;
  check_string "the program's own servers stay" "AGAIN"
    (Dns_room.addresses chosen.net "www.corp.example")

let by_routers world =
  let p = places world in
  let c = Weir_sim.host world p.home "auto" ~name:"client" in
  (match Weir_eio.await_autoconf (driver c) with
  | Error _ -> ()
  | Ok _ -> Alcotest.fail "configured by nobody");
  advertise p ~resolvers:[ Ipaddr.V6.of_string_exn "fd00:2::53" ] ~search:[ "corp.example" ];
  await_prefix c;
  let address = show c in
  check_bool "in the prefix" true (String.starts_with ~prefix:"fd00:1:" address);
  check_string "through the router" (text 50_000) (ask c (at p.server "fd00:2::9") (text 50_000));
  Dns_room.is c.net "www" "fd00:2::9 10.2.0.9";
  (* A router that comes back advertises; a host that comes back asks, and makes the same address. *)
  Weir_sim.restart p.router;
  Weir_sim.restart c;
  await_prefix c;
  check_string "the same again" address (show c);
  let other = Weir_sim.host world p.home "auto" in
  let began = seconds world in
  await_prefix other;
  check_bool "in less than four seconds" true (seconds world -. began < 4.);
  Weir_sim.stop_advertising p.router p.home;
  Weir_sim.sleep world (`Ms 100);
  expect_broken "no router" (fun () -> ask c (at p.server "fd00:2::9") "x")

let by_both world =
  let p = places world in
  advertise p ~resolvers:[ Ipaddr.V6.of_string_exn "fd00:2::53" ];
  let c = Weir_sim.host world p.home "dhcp, auto" in
  await_lease c;
  await_prefix c;
  check_int "addresses" 2 (List.length (Weir_sim.addresses c));
  check_string "IPv4" "x" (ask c p.server "x");
  check_string "IPv6" "x" (ask c (at p.server "fd00:2::9") "x");
  let resolvers = Weir_eio.Host.resolvers (driver c) in
  check_string "resolvers of both" "fd00:2::53 10.2.0.53"
    (String.concat " " (List.map Ipaddr.to_string resolvers))

(* home - west - between, whose packets are shorter - east - site - a trunk that becomes narrow. *)
let narrow address least world =
  let lan ?mtu () = Weir_sim.lan world ?mtu in
  let home = lan () and between = lan ~mtu:1_400 () and site = lan () and beyond = lan () in
  let both n host = Printf.sprintf "10.%d.0.%d/24,fd00:%d::%d/64" n host n host in
  let gateway n host = Printf.sprintf "10.%d.0.%d,fd00:%d::%d" n host n host in
  let router name ~gateway a b = Weir_sim.router world ~name ~gateway [ a; b ] in
  let _west = router "west" (home, both 1 1) (between, both 2 1) ~gateway:(gateway 2 2) in
  let _east = router "east" (between, both 2 2) (site, both 3 1) ~gateway:(gateway 2 1) in
  let trunk = Weir_sim.trunk site beyond in
  let main = echo_server_at Eio.Net.Ipaddr.V6.any in
  let server = Weir_sim.host world beyond (both 3 9) ~gateway:(gateway 3 1) ~main in
  let c = Weir_sim.host world home (both 1 9) ~gateway:(gateway 1 1) in
  let server = at server address in
  let path () = Weir_core.Stack.path_mtu (Option.get (Weir_sim.stack c)) server.address in
  check_string "through a narrow LAN" (text 200_000) (ask c server (text 200_000));
  check_int "its MTU" 1_400 (path ());
  Fiber.both
    (fun () -> check_string "it shrinks" (text 3_000_000) (ask c server (text 3_000_000)))
    (fun () ->
      Weir_sim.sleep world (`Ms 5);
      Weir_sim.set_trunk_mtu trunk least);
  check_int "narrow" least (path ())

let in_world f () = Weir_sim.run f

let refused world =
  let lan = Weir_sim.lan world in
  match Weir_sim.host world lan "dhcp" ~gateway:"10.0.0.1" with
  | _ -> Alcotest.fail "a gateway besides DHCP"
  | exception Invalid_argument _ -> ()

let cases =
  [
    Suite.case "an address by DHCP, after restarts too" (in_world by_dhcp);
    Suite.case "the domain of DHCP's option 15" (in_world domain_alone);
    Suite.case "an address by routers" (in_world by_routers);
    Suite.case "both, and resolvers of both" (in_world by_both);
    Suite.case "a gateway besides DHCP" (in_world refused);
    Suite.case "a narrow path, IPv4" (in_world (narrow "10.3.0.9" 1_000));
    Suite.case "a narrow path, IPv6" (in_world (narrow "fd00:3::9" 1_300));
  ]
