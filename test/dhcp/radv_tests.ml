(* Routers that advertise themselves: dnsmasq at one end of a TAP, and by hand in a world. *)

open Weir_core
open Weir_programs
open Dnsmasq_tests
module Suite = Weir_test.Suite
module Ip = Weir_wire.Ip

let router = "fd00:77::1"

(* The kernel would test its addresses only when there is a carrier, and dnsmasq wait for that. *)
let up () =
  Programs.write "/proc/sys/net/ipv6/conf/tap0/accept_dad" "0";
  ok (Interface.set_address "tap0" (Ipaddr.of_string_exn router) ~prefix:64)

let advertising t arguments =
  let all =
    [
      "dnsmasq";
      "--no-daemon";
      "--conf-file=/dev/null";
      "--pid-file=";
      "--port=0";
      "--interface=tap0";
      "--bind-interfaces";
      "--enable-ra";
      "--dhcp-range=fd00:77::,ra-only,64,600";
      "--dhcp-leasefile=" ^ Filename.concat t.dir "leases";
    ]
    @ arguments
  in
  let command = Filename.quote_command "exec" all ^ " 2>&1" in
  Programs.start ~sw:t.sw t.env ~ready:"router advertisement" [ "sh"; "-c"; command ]

let configuration = function Ok (c : Autoconf.configuration) -> c | Error m -> Alcotest.fail m
let text l = List.map (Fmt.str "%a" Ip.pp) l
let lines = Alcotest.(check (list string))

let all_of_it t link =
  up ();
  ignore
    (advertising t
       [
         "--dhcp-option=option6:dns-server,[fd00:77::53]";
         "--dhcp-option=option6:domain-search,lab.example";
         "--ra-param=tap0,mtu:1400,0,1800";
       ]);
  let clock = Eio.Stdenv.mono_clock t.env in
  let h = Weir_eio.host ~sw:t.sw ~clock ~link ~address:"auto" () in
  let c = configuration (Weir_eio.await_autoconf h) in
  let own =
    match text c.addresses with
    | [ a ]
      when String.starts_with ~prefix:"fd00:77::" a || String.starts_with ~prefix:"fd00:77:0" a ->
        a
    | l -> Alcotest.failf "got %s" (String.concat " " l)
  in
  Alcotest.(check int) "a router" 1 (List.length c.routers);
  lines "servers" [ "fd00:77::53" ] (text c.servers);
  lines "domains" [ "lab.example" ] c.domains;
  lines "the resolver asks them" [ "fd00:77::53" ]
    (List.map Ipaddr.to_string (Weir_eio.Host.pump h Weir_drive.Pump.resolvers));
  Weir_eio.Host.with_stack h (fun s ->
      Alcotest.(check int) "MTU" 1_400 (Stack.interface s 0).mtu;
      Alcotest.(check bool) "a route" true (Stack.has_route s (Ipaddr.of_string_exn "2a00::1")));
  ping t own

let ping_command t =
  up ();
  ignore (advertising t []);
  let r =
    Programs.run t.env
      (Programs.weir "ping"
         [ router; "-c"; "2"; "-i"; "0.1"; "--link"; "tap:tap0"; "--address"; "auto" ])
  in
  Alcotest.(check int) ("status\n" ^ r.err) 0 r.status;
  if not (Programs.contains r.out "2 received") then Alcotest.fail r.out;
  if not (Programs.contains r.err "weir: routers on tap0: fd00:77:") then Alcotest.fail r.err

(* -- in a world --------------------------------------------------------------- *)

(* What sends [says], as it is then, by frames made by hand. *)
let router_on world lan says =
  let link = Weir_sim.link world lan in
  let pool = Weir_base.Frame.pool ~size:1_514 () in
  let from = Ip.of_ipaddr (Ipaddr.of_string_exn "fe80::1") in
  fun () ->
    let message = Weir_wire.Nd.Router_advertisement !says in
    let length = Weir_wire.Nd.length message and dst = Ip.all_nodes in
    let f = Weir_base.Frame.alloc pool in
    let src = Weir_wire.Mac.of_int 0x02_00_00_00_00_77 in
    Weir_wire.Ethernet.write f.data ~off:0 ~dst:(Ip.group_mac dst) ~src
      Weir_wire.Ethernet.ethertype_ipv6;
    Weir_wire.Ipv6.write f.data ~off:14 ~src:from ~dst ~protocol:58 ~hop_limit:255
      ~data_length:length;
    let pseudo = Ip.pseudo_sum ~src:from ~dst ~protocol:58 ~length in
    Weir_wire.Nd.emit message ~pseudo f.data ~off:54;
    Weir_base.Frame.set f ~off:0 ~len:(54 + length);
    link#send ~now:(Weir_sim.now world) f;
    link#flush

let advertisement prefixes : Weir_wire.Nd.advertisement =
  let prefix (net, valid) : Weir_wire.Nd.prefix =
    let prefix = Ip.of_ipaddr (Ipaddr.of_string_exn net) in
    { prefix; length = 64; on_link = true; autonomous = true; valid; preferred = valid }
  in
  {
    hop_limit = 64;
    managed = false;
    other = false;
    preference = Medium;
    lifetime = 1_800;
    reachable = 0;
    retransmit = 0;
    router_mac = None;
    mtu = 0;
    prefixes = List.map prefix prefixes;
    routes = [];
    servers = [];
    domains = [];
  }

(* Two hosts find each other by addresses that a router gave them, before and after it renumbers. *)
let renumbered () =
  Weir_sim.run ~time_limit:(`S 86_400) @@ fun world ->
  let lan = Weir_sim.lan world ~latency:(`Ms 2) in
  let says = ref (advertisement [ ("2001:db8:1::", 86_400) ]) in
  let send = router_on world lan says in
  Eio.Switch.run @@ fun sw ->
  let client n =
    Weir_eio.host ~sw ~clock:(Weir_sim.mono_clock world)
      ~random:(Random.State.make [| Weir_sim.seed world; n |])
      ~link:(Weir_sim.link world lan) ~address:"auto" ()
  in
  let a = client 1 and b = client 2 in
  (match Weir_eio.await_autoconf a ~link:"lan0" with
  | Ok _ -> Alcotest.fail "without a router"
  | Error m ->
      Alcotest.(check string)
        "nobody answers"
        "no router answered on lan0 within 10 s: 2 requests were sent; is one on this link?" m);
  let found h = (configuration (Weir_eio.await_autoconf h)).addresses in
  let talk dst =
    match Weir_eio.ping a ~sequence:1 (Ip.to_ipaddr dst) with
    | Reply _ -> ()
    | Failed m -> Alcotest.failf "%a: %s" Ip.pp dst m
    | Lost -> Alcotest.failf "%a: lost" Ip.pp dst
  in
  send ();
  ignore (found a : Ip.t list);
  let old = List.hd (found b) in
  talk old;
  says := advertisement [ ("2001:db8:1::", 0); ("2001:db8:2::", 86_400) ];
  send ();
  Weir_sim.sleep world (`S 1);
  (match found b with
  | [ _; next ] ->
      talk next;
      Weir_sim.sleep world (`S 7_200);
      lines "the old one has gone" (text [ next ]) (text (found b));
      talk next
  | l -> Alcotest.failf "got %s" (String.concat " " (text l)));
  Alcotest.(check bool)
    "and cannot be used" false
    (Weir_eio.Host.with_stack b (fun s -> Stack.is_local s (Ip.to_ipaddr old)))

(* -- the command ---------------------------------------------------------------- *)

let serves driver t =
  Suite.needs_program "curl";
  up ();
  ignore (advertising t []);
  let site = Filename.concat t.dir "site" in
  Sys.mkdir site 0o755;
  Programs.write (Filename.concat site "index.html") "by a router";
  let arguments =
    [ site; "--quiet"; "--driver"; driver; "--link"; "tap:tap0"; "--address"; "auto" ]
  in
  let weir = Programs.start ~sw:t.sw t.env ~ready:"serving" (Programs.weir "serve" arguments) in
  let out = Programs.output weir in
  let words = String.split_on_char ' ' (String.concat " " (String.split_on_char '\n' out)) in
  let at = List.find (String.starts_with ~prefix:"http://") words in
  Alcotest.(check string)
    "the page" "by a router"
    (Programs.succeed t.env [ "curl"; "-sS"; "-g"; "--max-time"; "10"; at ]);
  Alcotest.(check int) "status" 0 (Programs.finish ~signal:Sys.sigint weir)

let cases =
  [
    Suite.case "renumbered, in a world" renumbered;
    case "dnsmasq" all_of_it;
    command "weir ping" ping_command;
    command "weir serve" (serves "eio");
    command "weir serve, Lwt" (serves "lwt");
  ]
