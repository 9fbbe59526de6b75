open Eio.Std
open Weir_base
open Weir_link
open Scenario
module Dhcp = Weir_sim.Dhcp_server
module Stack = Weir_core.Stack
module Config = Weir_core.Config

let near =
  {
    Impairment.none with
    delay_ns = Time.ms 1;
    jitter_ns = Time.ms 1;
    loss = Steady 0.02;
    duplicate = 0.01;
  }

let far = { Impairment.none with delay_ns = Time.ms 10; jitter_ns = Time.ms 5; loss = Steady 0.01 }

(* A connection without its address is given up within two minutes. The connections are idle for
   long: five keepalive probes in a row are lost once in a few thousand runs, ten are not. *)
let config =
  let keepalive =
    Option.map (fun (k : Config.keepalive) -> { k with probes = 10 }) quick.keepalive
  in
  { quick with retries = 8; rto_max = Time.s 10; keepalive }

let longest_end = Time.s 150
let v4 = Ipaddr.V4.of_string_exn
let old_v6 = Ipaddr.V6.Prefix.of_string_exn "fd00:1::/64"
let new_v6 = Ipaddr.V6.Prefix.of_string_exn "fd00:2::/64"
let old_pool = List.init 10 (fun i -> v4 (Printf.sprintf "10.1.0.%d" (50 + i)))
let new_pool = List.init 10 (fun i -> v4 (Printf.sprintf "10.1.0.%d" (150 + i)))
let server_v4 = Ipaddr.of_string_exn "10.9.0.9"
let server_v6 = Ipaddr.of_string_exn "fd00:9::9"

let in_pool pool (a : Ipaddr.t) =
  match a with V4 a -> List.exists (fun b -> Ipaddr.V4.compare a b = 0) pool | V6 _ -> false

let in_prefix prefix (a : Ipaddr.t) =
  match a with V4 _ -> false | V6 a -> Ipaddr.V6.Prefix.mem a prefix

type places = {
  world : Weir_sim.world;
  home : Weir_sim.lan;
  router : Weir_sim.host;
  leases : Dhcp.t;
  dhcp : Weir_sim.host;
  server : Weir_sim.host;
  client : Weir_sim.host;
}

(* client - home, where all may change - router - site - server. *)
let places settings world =
  let home = lan settings world near and site = lan settings world far in
  let router =
    Weir_sim.router world ~name:"router"
      [ (home, "10.1.0.1/24,fd00:1::1/64,fd00:2::1/64"); (site, "10.9.0.1/24,fd00:9::1/64") ]
  in
  let gateway = Weir_wire.(Dhcpv4_options.(routers, of_address (Ip.of_v4 (v4 "10.1.0.1")))) in
  let leases = Dhcp.create ~seconds:600 ~options:[ gateway ] ~address:(v4 "10.1.0.2") old_pool in
  let dhcp =
    Weir_sim.host world home "10.1.0.2/24" ~name:"dhcp" ~main:(fun h ->
        Dhcp.serve leases ~net:h.net)
  in
  let server =
    Weir_sim.host world site "10.9.0.9/24,fd00:9::9/64" ~name:"server" ~gateway:"10.9.0.1,fd00:9::1"
      ~config ~main:(fun h -> serve ~both:true h ~port:7 (fun flow -> Eio.Flow.copy flow flow))
  in
  let client = Weir_sim.host world home "dhcp,auto" ~name:"client" ~config in
  { world; home; router; leases; dhcp; server; client }

let advertise p prefixes =
  let lasting prefix preferred = (Ipaddr.V6.Prefix.to_string prefix, `S preferred, `S 300) in
  Weir_sim.advertise p.router p.home ~every:(`S 60)
    (List.map (fun (prefix, preferred) -> lasting prefix preferred) prefixes)

let await_configuration p =
  let host = Option.get (Weir_sim.driver p.client) in
  let there what = function Ok _ -> () | Error m -> require false "%s: %s" what m in
  there "no lease" (Weir_eio.await_lease host ~timeout_ns:(Time.s 300));
  there "no prefix" (Weir_eio.await_autoconf host ~timeout_ns:(Time.s 300))

let has p what is =
  let all = Weir_sim.addresses p.client in
  require (List.exists is all) "the client has no %s, but %a" what Fmt.(list Ipaddr.pp) all

let has_no p what is =
  let all = Weir_sim.addresses p.client in
  require (not (List.exists is all)) "the client still has the %s: %a" what Fmt.(list Ipaddr.pp) all

let open_ p ~sw to_ =
  let address = `Tcp (Eio.Net.Ipaddr.of_raw (Ipaddr.to_octets to_), 7) in
  trying p.client ~tries:10 (fun () -> Eio.Net.connect ~sw p.client.net address)

let line p flow =
  let sent = text p.client.random (1 + Random.State.int p.client.random 3_000) in
  let back = Cstruct.create (String.length sent) in
  Fiber.both (fun () -> Eio.Flow.copy_string sent flow) (fun () -> Eio.Flow.read_exact flow back);
  require (String.equal (Cstruct.to_string back) sent) "a line came back changed"

let survives p what flow =
  match line p flow with
  | () -> ()
  | exception e when broke e -> require false "%s did not survive: %s" what (Printexc.to_string e)

let is_timeout why =
  let what = "timed out" in
  let n = String.length what in
  let rec from i = i + n <= String.length why && (String.sub why i n = what || from (i + 1)) in
  from 0

(* With an error that says why, and soon. *)
let fails p what flow =
  let began = Weir_sim.now p.world in
  match line p flow with
  | () -> require false "%s goes on without its address" what
  | exception Eio.Io (e, _) ->
      let took = Weir_sim.now p.world - began and why = Fmt.str "%a" Eio.Exn.pp_err e in
      require (took <= longest_end) "%s ended only after %a" what Time.pp took;
      require (is_timeout why) "%s ended by %s" what why

let new_source p prefix =
  let stack = Option.get (Weir_sim.stack p.client) in
  let source = Stack.source_for stack server_v6 in
  require (in_prefix prefix source) "new connections are from %a" Ipaddr.pp source

(* What does not change the configuration: a DHCP server that is away for a while, a router that
   crashes, renewals. *)
let nothing_changes p flows =
  let random = Weir_sim.random p.world in
  let away h most =
    Weir_sim.sleep p.world (`Ms (Random.State.int random 150_000));
    Weir_sim.crash h;
    Weir_sim.sleep p.world (`Ms (Random.State.int random most));
    Weir_sim.restart h
  in
  let talk (what, flow) () =
    for _ = 1 to 60 do
      survives p what flow;
      Weir_sim.sleep p.world (`Ms (Random.State.int random 14_000))
    done
  in
  Fiber.all
    ((fun () -> away p.dhcp 90_000) :: (fun () -> away p.router 8_000) :: List.map talk flows)

let play settings world =
  let p = places settings world in
  advertise p [ (old_v6, 150) ];
  await_configuration p;
  Switch.run @@ fun sw ->
  let by_v4 = open_ p ~sw server_v4 and by_v6 = open_ p ~sw server_v6 in
  nothing_changes p [ ("IPv4", by_v4); ("IPv6", by_v6) ];
  has p "lease" (in_pool old_pool);
  (* Another prefix beside the old one, which is deprecated; another pool. *)
  advertise p [ (new_v6, 150); (old_v6, 0) ];
  p.leases.pool <- new_pool;
  Weir_sim.sleep world (`S 60);
  has p "address in the new prefix" (in_prefix new_v6);
  new_source p new_v6;
  survives p "a connection from a deprecated address" by_v6;
  let second = open_ p ~sw server_v6 in
  (* The server refuses the old lease when it is to be renewed. *)
  Weir_sim.sleep world (`S 620);
  has p "lease of the new pool" (in_pool new_pool);
  has_no p "old lease" (in_pool old_pool);
  survives p "a connection from a deprecated address" by_v6;
  fails p "a connection over the old lease" by_v4;
  let by_new_lease = open_ p ~sw server_v4 in
  (* The old prefix ends. *)
  advertise p [ (new_v6, 150) ];
  Weir_sim.sleep world (`S 310);
  has_no p "old prefix" (in_prefix old_v6);
  fails p "a connection from the old prefix" by_v6;
  survives p "a connection from the new prefix" second;
  survives p "a connection over the new lease" by_new_lease;
  List.iter Eio.Resource.close [ by_v4; by_v6; second; by_new_lease ];
  drained world [ p.client; p.server ]

let renumbering =
  {
    name = "renumbering";
    about =
      "connections while the lease and the prefix of a host stay, are replaced, and end; the DHCP \
       server and the router crash";
    play;
  }
