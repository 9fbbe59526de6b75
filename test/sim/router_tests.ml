(* Routers between LANs. *)

open Room
open Weir_link

let routed ?main ?mtu world =
  let home = Weir_sim.lan world ~latency:(`Ms 1)
  and site = Weir_sim.lan world ~latency:(`Ms 1) ?mtu in
  let router =
    Weir_sim.router world ~name:"router" [ (home, "10.1.0.1/24"); (site, "10.2.0.1/24") ]
  in
  let main = Option.value main ~default:echo_server in
  let server =
    Weir_sim.host world site "10.2.0.9/24" ~name:"server" ~gateway:"10.2.0.1" ~config:quick ~main
  in
  let client =
    Weir_sim.host world home "10.1.0.9/24" ~name:"client" ~gateway:"10.1.0.1" ~config:quick
  in
  (router, server, client)

let forwarded (h : Weir_sim.host) =
  (Weir_core.Stack.counters (Option.get (Weir_sim.stack h))).ip_forwarded

let through world =
  let router, server, client = routed world in
  check_string "echo" (text 100_000) (ask client server (text 100_000));
  check_bool "forwarded" true (forwarded router > 140);
  (* The router is a host as well. *)
  check_string "to the server" "x" (ask router server "x")

let fragments world =
  let router, server, client = routed world ~mtu:700 in
  check_string "echo" (text 50_000) (ask client server (text 50_000));
  let out = Weir_sim.counters router ~interface:1 ~outbound:true in
  check_bool "in fragments" true (out.entered > 2 * 35)

let crash world =
  let router, server, client = routed world in
  Weir_sim.crash router;
  expect_broken "no way" (fun () -> ask client server "x");
  Weir_sim.restart router;
  (* The client does not ask at once for an address that has not answered. *)
  Weir_sim.sleep world (`S 5);
  check_string "echo" "x" (ask client server "x");
  Weir_sim.unplug router;
  expect_broken "cut on both sides" (fun () -> ask client server "y");
  Weir_sim.plug router;
  Weir_sim.sleep world (`S 5);
  check_string "echo" "x" (ask client server "x")

(* home - a - between - b - site, with static routes at both routers. *)
let two_hops world =
  let lan () = Weir_sim.lan world ~latency:(`Ms 1) in
  let home = lan () and between = lan () and site = lan () in
  let a = Weir_sim.router world ~name:"a" [ (home, "10.1.0.1/24"); (between, "10.9.0.1/24") ] in
  let b = Weir_sim.router world ~name:"b" [ (between, "10.9.0.2/24"); (site, "10.2.0.1/24") ] in
  let server =
    Weir_sim.host world site "10.2.0.9/24" ~gateway:"10.2.0.1" ~config:quick ~main:echo_server
  in
  let client = Weir_sim.host world home "10.1.0.9/24" ~gateway:"10.1.0.1" ~config:quick in
  expect_broken "no route at a" (fun () -> ask client server "x");
  Weir_sim.route a "10.2.0.0/24" ~gateway:"10.9.0.2";
  Weir_sim.route b "10.1.0.0/24" ~gateway:"10.9.0.1";
  check_string "echo" "x" (ask client server "x");
  Weir_sim.restart a;
  check_string "its routes are there again" "x" (ask client server "x");
  Weir_sim.impair_path b server { Impairment.none with loss = Steady 1. };
  expect_broken "a path in the far LAN" (fun () -> ask client server "x")

(* A host in two LANs that is no router. *)
let two_homes world =
  let home = Weir_sim.lan world and site = Weir_sim.lan world in
  let h = Weir_sim.host world home "10.1.0.1/24" ~main:echo_server in
  Weir_sim.attach h site "10.2.0.1/24";
  let near = Weir_sim.host world home "10.1.0.9/24" ~gateway:"10.1.0.1" ~config:quick in
  let far =
    Weir_sim.host world site "10.2.0.9/24" ~gateway:"10.2.0.1" ~config:quick ~main:echo_server
  in
  check_string "from one" "x" (ask near h "x");
  check_string "from the other" "x" (ask far h "x");
  expect_broken "not through it" (fun () -> ask near far "x");
  Weir_sim.restart h;
  check_string "in its next life" "x" (ask far h "x")

(* Every LAN has both families; a router's default gateway is on its second link. *)
let families world =
  let home = Weir_sim.lan world and site = Weir_sim.lan world in
  let echo = echo_server_at Eio.Net.Ipaddr.V6.any in
  let router =
    Weir_sim.router world ~name:"router" ~gateway:"10.2.0.9,fd00:2::9" ~config:quick ~main:echo
      [ (home, "10.1.0.1/24,fd00:1::1/64"); (site, "10.2.0.1/24,fd00:2::1/64") ]
  in
  let server =
    Weir_sim.host world site "10.2.0.9/24,fd00:2::9/64" ~gateway:"10.2.0.1,fd00:2::1" ~config:quick
      ~main:echo
  in
  let client =
    Weir_sim.host world home "fd00:1::9/64,10.1.0.9/24" ~gateway:"fd00:1::1,10.1.0.1" ~config:quick
  in
  let at (h : Weir_sim.host) a = { h with address = Ipaddr.of_string_exn a } in
  check_string "IPv4 through the router" "x" (ask client server "x");
  check_string "IPv6 in the first LAN" "x" (ask client (at router "fd00:1::1") "x");
  check_string "IPv6 in the second" "x" (ask server (at router "fd00:2::1") "x");
  let before = forwarded router in
  check_string "IPv6 through it" "x" (ask client (at server "fd00:2::9") "x");
  check_bool "forwarded" true (forwarded router > before);
  match Weir_sim.attach client site "fd00:2::9/64" with
  | () -> Alcotest.fail "an address twice"
  | exception Invalid_argument _ -> ()

let with_offload () =
  let digest () =
    Weir_sim.run ~offload:true ~seed:5 (fun world ->
        let router, server, client = routed world in
        check_string "echo" (text 200_000) (ask client server (text 200_000));
        ignore router;
        Weir_sim.digest world)
  in
  check_int "digest" (digest ()) (digest ())

let refused world =
  let home = Weir_sim.lan world and site = Weir_sim.lan world in
  let check what f =
    match f () with
    | (_ : Weir_sim.host) -> Alcotest.failf "%s was taken" what
    | exception Invalid_argument _ -> ()
  in
  check "one LAN" (fun () -> Weir_sim.router world [ (home, "10.1.0.1/24") ]);
  check "one LAN twice" (fun () ->
      Weir_sim.router world [ (home, "10.1.0.1/24"); (home, "10.2.0.1/24") ]);
  let h = Weir_sim.host world home "10.1.0.2/24" in
  check "an address twice" (fun () ->
      Weir_sim.router world [ (home, "10.1.0.3/24"); (site, "10.1.0.2/24") ]);
  check "a gateway elsewhere" (fun () ->
      Weir_sim.route h "10.3.0.0/24" ~gateway:"10.7.0.1";
      h);
  check "no network" (fun () ->
      Weir_sim.route h "10.3.0" ~gateway:"10.1.0.1";
      h)

let in_world f () = Weir_sim.run f

let cases =
  [
    Suite.case "through a router" (in_world through);
    Suite.case "to a LAN with a smaller MTU" (in_world fragments);
    Suite.case "a router that crashes" (in_world crash);
    Suite.case "two routers, static routes" (in_world two_hops);
    Suite.case "a host in two LANs" (in_world two_homes);
    Suite.case "addresses of both families" (in_world families);
    Suite.case "with offloads" with_offload;
    Suite.case "routers that make no sense" (in_world refused);
  ]
