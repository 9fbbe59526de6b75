(* Against radvd, another judge of configuration by routers than dnsmasq. *)

open Weir_core
open Weir_programs
open Dnsmasq_tests
module Suite = Weir_test.Suite
module Ip = Weir_wire.Ip

let router = "fd00:77::1"

(* [prefixes] as (network, valid, preferred); the least intervals that radvd takes. *)
let configuration ?(options = "") prefixes =
  let prefix (network, valid, preferred) =
    Printf.sprintf
      "prefix %s { AdvOnLink on; AdvAutonomous on; AdvValidLifetime %d; AdvPreferredLifetime %d; };\n"
      network valid preferred
  in
  Printf.sprintf
    "interface tap0 { AdvSendAdvert on; MinRtrAdvInterval 3; MaxRtrAdvInterval 4;\n\
     MinDelayBetweenRAs 3; AdvDefaultLifetime 4;\n\
     %s%s};\n"
    options
    (String.concat "" (List.map prefix prefixes))

type radvd = { file : string; running : Programs.running }

let start t text =
  Suite.needs_program "radvd";
  Radv_tests.up ();
  Programs.write "/proc/sys/net/ipv6/conf/all/forwarding" "1";
  let file = Filename.concat t.dir "radvd.conf" in
  Programs.write file text;
  let pid = Filename.concat t.dir "radvd.pid" in
  let argv = [ "radvd"; "-n"; "-d"; "1"; "-m"; "stderr"; "-C"; file; "-p"; pid ] in
  { file; running = Programs.start ~sw:t.sw t.env ~ready:"started" argv }

let host t link =
  let clock = Eio.Stdenv.mono_clock t.env in
  Weir_eio.host ~sw:t.sw ~clock ~link ~address:"auto" ()

let found h = match Weir_eio.await_autoconf h with Ok c -> c | Error m -> Alcotest.fail m
let now h = Option.get (Weir_eio.autoconf h)
let text l = List.map (Fmt.str "%a" Ip.pp) l
let lines = Alcotest.(check (list string))

let rec soon t what ?(tries = 400) f =
  if not (f ()) then
    if tries = 0 then Alcotest.failf "%s: not within 10 s" what
    else (
      Eio.Time.Mono.sleep (Eio.Stdenv.mono_clock t.env) 0.025;
      soon t what ~tries:(tries - 1) f)

let next_hop h dst =
  Weir_eio.Host.with_stack h (fun s ->
      let dst = Ip.of_ipaddr (Ipaddr.of_string_exn dst) in
      let r = Routes.find (Stack.routes s) dst in
      if Routes.leads r then Fmt.str "%a" Ip.pp (Routes.next_hop r dst) else "nowhere")

let source h dst =
  Weir_eio.Host.with_stack h (fun s ->
      Ipaddr.to_string (Stack.source_for s (Ipaddr.of_string_exn dst)))

let all_of_it t link =
  let options =
    "AdvLinkMTU 1400; AdvCurHopLimit 77;\n\
     RDNSS fd00:77::53 fd00:77::54 { AdvRDNSSLifetime 30; };\n\
     DNSSL lab.example other.example { AdvDNSSLLifetime 30; };\n\
     route 2001:db8:5::/48 { AdvRoutePreference high; AdvRouteLifetime 30; };\n"
  in
  let radvd = start t (configuration ~options [ ("fd00:77::/64", 600, 300) ]) in
  let h = host t link in
  let c = found h in
  lines "servers" [ "fd00:77::53"; "fd00:77::54" ] (text c.servers);
  lines "domains" [ "lab.example"; "other.example" ] c.domains;
  Alcotest.(check int) "one address" 1 (List.length c.addresses);
  let gateway = List.hd (text c.routers) in
  Alcotest.(check string) "the default route" gateway (next_hop h "2a00::1");
  Alcotest.(check string) "the route" gateway (next_hop h "2001:db8:5::1");
  Weir_eio.Host.with_stack h (fun s ->
      let i = Stack.interface s 0 in
      let own = List.hd c.addresses in
      let a =
        Array.find_opt (fun (a : Weir_core.Interface.address) -> Ip.equal a.ip own) i.addresses
      in
      let a = Option.get a in
      let left = a.valid_until - a.preferred_until in
      Alcotest.(check int) "MTU" 1_400 i.mtu;
      Alcotest.(check int) "lifetimes" (Weir_base.Time.s 300) left);
  ping t (List.hd (text c.addresses));
  (* It says at its end that it is a router no more. *)
  stop radvd.running;
  soon t "no router" (fun () -> (now h).routers = []);
  Alcotest.(check string) "no default route" "nowhere" (next_hop h "2a00::1");
  soon t "no servers" (fun () -> (now h).servers = []);
  Alcotest.(check int) "the address stays" 1 (List.length (now h).addresses)

(* Nothing says that it is over: what it advertised ends with its lifetimes. *)
let vanishes t link =
  let radvd = start t (configuration [ ("fd00:77::/64", 6, 4) ]) in
  let h = host t link in
  ignore (found h : Autoconf.configuration);
  ignore (Programs.finish ~signal:Sys.sigkill radvd.running : int);
  soon t "the router" (fun () -> (now h).routers = []);
  soon t "the address" (fun () -> (now h).addresses = []);
  Alcotest.(check string) "no default route" "nowhere" (next_hop h "2a00::1")

let renumbers t link =
  let radvd = start t (configuration [ ("fd00:77::/64", 600, 300) ]) in
  let h = host t link in
  let old = List.hd (text (found h).addresses) in
  Alcotest.(check string) "the source" old (source h "2a00::1");
  Programs.write radvd.file (configuration [ ("fd00:77::/64", 600, 0); ("fd00:88::/64", 600, 300) ]);
  Unix.kill (Programs.pid radvd.running) Sys.sighup;
  soon t "two addresses" (fun () -> List.length (now h).addresses = 2);
  soon t "another source" (fun () -> source h "2a00::1" <> old);
  Alcotest.(check bool)
    "of the new network" true
    (String.starts_with ~prefix:"fd00:88:" (source h "2a00::1"));
  ping t old

let case name f = Suite.case name (fun () -> with_tap f)

let cases =
  [
    case "all of it, and its end" all_of_it;
    case "a router that vanishes" vanishes;
    case "renumbering" renumbers;
  ]
