(* Hosts that configure themselves in simulated worlds, on virtual time. *)

open Eio.Std
open Weir_base
open Weir_core
module Ip = Weir_wire.Ip
module Suite = Weir_test.Suite
module Server = Weir_sim.Dhcp_server

let v4 s = Ip.of_v4 (Ipaddr.V4.of_string_exn s)
let host_of = Ipaddr.V4.of_string_exn
let pool ?(net = "10.0.0.") n = List.init n (fun i -> host_of (net ^ string_of_int (50 + i)))
let address (l : Dhcp_lease.t) = Fmt.str "%a" Ipaddr.V4.Prefix.pp l.address

type t = { world : Weir_sim.world; lan : Weir_sim.lan; server : Server.t; host : Weir_sim.host }

let with_server ?seed ?loss ?seconds ?(options = []) ?(pool = pool 10) ?(limit = `S 86_400) f =
  Weir_sim.run ?seed ~time_limit:limit @@ fun world ->
  let lan = Weir_sim.lan world ~latency:(`Ms 2) ?loss in
  let server = Server.create ?seconds ~options ~address:(host_of "10.0.0.1") pool in
  let main (h : Weir_sim.host) = Server.serve server ~net:h.net in
  f { world; lan; server; host = Weir_sim.host world lan "10.0.0.1/24" ~name:"server" ~main }

let client ?(seed = 1) ?dhcp ?linger_ns ~sw t =
  Weir_eio.host ~sw ~clock:(Weir_sim.mono_clock t.world)
    ~random:(Random.State.make [| Weir_sim.seed t.world; seed |])
    ?dhcp ?linger_ns ~link:(Weir_sim.link t.world t.lan) ~address:"dhcp" ()

let ok = function Ok (l : Dhcp_lease.t) -> l | Error m -> Alcotest.fail m
let check_string = Alcotest.(check string)

let echo ~net =
  Switch.run @@ fun sw ->
  let socket =
    Eio.Net.listen ~sw ~reuse_addr:true ~backlog:4 net (`Tcp (Eio.Net.Ipaddr.V4.any, 7))
  in
  Eio.Net.run_server socket ~on_error:ignore (fun flow _ -> Eio.Flow.copy flow flow)

let ask ~net (l : Dhcp_lease.t) text =
  Switch.run @@ fun sw ->
  let ip = Eio.Net.Ipaddr.of_raw (Ipaddr.V4.to_octets (Ipaddr.V4.Prefix.address l.address)) in
  let flow = Eio.Net.connect ~sw net (`Tcp (ip, 7)) in
  Eio.Flow.copy_string text flow;
  Eio.Flow.shutdown flow `Send;
  Eio.Flow.read_all flow

(* Two hosts find each other, and keep their addresses for two hours of ten-minute leases. *)
let two_clients seed =
  with_server ~seed ~loss:0.1 @@ fun t ->
  Switch.run @@ fun sw ->
  let a = client ~sw ~seed:1 t and b = client ~sw ~seed:2 t in
  let await h = ok (Weir_eio.await_lease h ~timeout_ns:(Time.s 300)) in
  let la, lb = Fiber.pair (fun () -> await a) (fun () -> await b) in
  if address la = address lb then Alcotest.failf "both have %s" (address la);
  let talk () = check_string "echo" "hello" (ask ~net:(Weir_eio.net a) lb "hello") in
  Fiber.fork_daemon ~sw (fun () -> echo ~net:(Weir_eio.net b));
  talk ();
  Weir_sim.sleep t.world (`S 7_200);
  let still h (l : Dhcp_lease.t) =
    match Weir_eio.lease h with
    | Some now when address now = address l && now.until > Weir_sim.now t.world -> ()
    | Some now -> Alcotest.failf "%s has become %s" (address l) (address now)
    | None -> Alcotest.failf "%s is lost" (address l)
  in
  still a la;
  still b lb;
  talk ();
  let asked = Server.count t.server "request" in
  if asked < 40 || asked > 120 then Alcotest.failf "%d requests" asked

let seeds () = List.iter two_clients (List.init 30 Fun.id)

(* The server dies: the address goes with the lease, not before; and comes back with it. *)
let server_dies () =
  with_server @@ fun t ->
  Switch.run @@ fun sw ->
  let h = client ~sw t in
  let first = ok (Weir_eio.await_lease h) in
  Weir_sim.crash t.host;
  (match Weir_eio.lease_after h (Some first) with
  | None -> ()
  | Some l -> Alcotest.failf "%s from a dead server" (address l));
  Alcotest.(check int) "when the lease ended" first.until (Weir_sim.now t.world);
  (match
     Eio.Net.connect ~sw (Weir_eio.net h) (`Tcp (Eio.Net.Ipaddr.of_raw "\010\000\000\001", 7))
   with
  | _ -> Alcotest.fail "connected without an address"
  | exception Eio.Io _ -> ());
  Weir_sim.sleep t.world (`S 1_000);
  Alcotest.(check bool) "none" true (Weir_eio.lease h = None);
  Weir_sim.restart t.host;
  match Weir_eio.lease_after h None with
  | Some l -> check_string "the same again" (address first) (address l)
  | None -> Alcotest.fail "no lease"

(* Another network on the same wire: the old address is refused when it is to be renewed. *)
let renumbered () =
  with_server @@ fun t ->
  Switch.run @@ fun sw ->
  let h = client ~sw t in
  let first = ok (Weir_eio.await_lease h) in
  check_string "at first" "10.0.0.50/24" (address first);
  t.server.pool <- pool ~net:"10.0.0.1" 3;
  let rec until_other l =
    match Weir_eio.lease_after h l with
    | Some l when address l <> address first -> l
    | l -> until_other l
  in
  check_string "then" "10.0.0.150/24" (address (until_other (Some first)));
  Bench.check_between "at T1" 300. 320. (Weir_sim.now t.world);
  Alcotest.(check bool)
    "the old one is gone" false
    (Weir_eio.Host.with_stack h (fun s ->
         Stack.is_local s (V4 (Ipaddr.V4.Prefix.address first.address))))

(* Somebody has the first addresses of the pool already. *)
let conflict () =
  with_server @@ fun t ->
  let squatters = [ "10.0.0.50/24"; "10.0.0.51/24" ] in
  List.iter (fun a -> ignore (Weir_sim.host t.world t.lan a : Weir_sim.host)) squatters;
  Switch.run @@ fun sw ->
  let h = client ~sw t in
  let l = ok (Weir_eio.await_lease h ~timeout_ns:(Time.s 60)) in
  check_string "a free one" "10.0.0.52/24" (address l);
  Alcotest.(check int) "declined" 2 (Server.count t.server "decline");
  if Weir_sim.now t.world < Time.s 20 then Alcotest.fail "without the pauses"

let released () =
  with_server @@ fun t ->
  let first = Switch.run (fun sw -> ok (Weir_eio.await_lease (client ~sw t))) in
  Weir_sim.sleep t.world (`Ms 100);
  Alcotest.(check int) "at the end of its switch" 1 (Server.count t.server "release");
  Switch.run (fun sw ->
      let h = client ~sw ~seed:2 t in
      check_string "free for the next" (address first) (address (ok (Weir_eio.await_lease h)));
      Weir_eio.shutdown h;
      Weir_sim.sleep t.world (`Ms 100);
      Alcotest.(check int) "by shutdown" 2 (Server.count t.server "release"));
  Weir_sim.sleep t.world (`Ms 100);
  Alcotest.(check int) "once" 2 (Server.count t.server "release");
  Switch.run (fun sw -> ignore (ok (Weir_eio.await_lease (client ~sw ~linger_ns:0 t))));
  Weir_sim.sleep t.world (`Ms 100);
  Alcotest.(check int) "not in a crash" 2 (Server.count t.server "release")

let nobody () =
  Weir_sim.run ~time_limit:(`S 10_000) @@ fun world ->
  let lan = Weir_sim.lan world in
  Switch.run @@ fun sw ->
  let clock = Weir_sim.mono_clock world and link = Weir_sim.link world lan in
  let h = Weir_eio.host ~sw ~clock ~link ~address:"dhcp" () in
  (match Weir_eio.await_lease h ~link:"lan0" with
  | Ok _ -> Alcotest.fail "a lease of nobody"
  | Error m ->
      check_string "why"
        "no DHCP server answered on lan0 within 10 s: 2 requests were sent; is a server on this \
         link?"
        m);
  Alcotest.(check int) "after ten seconds" (Time.s 10) (Weir_sim.now world);
  (* While it waits it is no host of any address. *)
  Weir_sim.sleep world (`S 3_600);
  if Weir_sim.frames world > 65 then Alcotest.failf "%d frames in an hour" (Weir_sim.frames world)

(* The value, and what it does to the host. *)
let settings () =
  let open Weir_wire.Dhcpv4_options in
  let route n length g = { network = v4 n; length; gateway = v4 g } in
  let options =
    [
      (routers, of_address (v4 "10.0.0.254"));
      ( classless_routes,
        of_routes
          [
            route "172.16.0.0" 12 "192.0.2.1";
            route "192.0.2.0" 24 "0.0.0.0";
            route "0.0.0.0" 0 "10.0.0.1";
            route "203.0.113.0" 24 "198.51.100.9";
          ] );
      (name_servers, of_addresses [ v4 "10.0.0.1"; v4 "192.0.2.53" ]);
      (domain_name, "weir.example");
      (domain_search, of_names [ "weir.example"; "example" ]);
      (interface_mtu, of_number 1_300 ~bytes:2);
    ]
  in
  with_server ~options @@ fun t ->
  Switch.run @@ fun sw ->
  let h = client ~sw t in
  let l = ok (Weir_eio.await_lease h) in
  check_string "the lease"
    "10.0.0.50/24 from 10.0.0.1, routes 172.16.0.0/12 via 192.0.2.1, 192.0.2.0/24 on the link, \
     0.0.0.0/0 via 10.0.0.1, 203.0.113.0/24 via 198.51.100.9, resolvers 10.0.0.1 192.0.2.53, \
     domain weir.example, search weir.example example, MTU 1300"
    (Fmt.str "%a" Dhcp_lease.pp l);
  let of_v4 line = not (String.contains line ':') in
  let routes () =
    Weir_eio.Host.with_stack h (fun s -> Fmt.str "%a" Routes.pp (Stack.routes s))
    |> String.split_on_char '\n' |> List.filter of_v4 |> String.concat "\n"
  in
  let all =
    "192.0.2.0/24 on the link\n\
     10.0.0.0/24 on the link\n\
     172.16.0.0/12 via 192.0.2.1\n\
     0.0.0.0/0 via 10.0.0.1"
  in
  let sorted s = List.sort compare (String.split_on_char '\n' s) in
  Alcotest.(check (list string)) "the routes" (sorted all) (sorted (routes ()));
  let mtu () = Weir_eio.Host.with_stack h (fun s -> (Stack.interface s 0).mtu) in
  Alcotest.(check int) "the MTU" 1_300 (mtu ());
  (* The server changes its mind. *)
  t.server.options <- [ (routers, of_address (v4 "10.0.0.254")) ];
  ignore (Weir_eio.lease_after h (Some l));
  Alcotest.(check (list string))
    "renewed"
    [ "0.0.0.0/0 via 10.0.0.254"; "10.0.0.0/24 on the link" ]
    (sorted (routes ()));
  Alcotest.(check int) "the link's MTU" 1_500 (mtu ());
  Weir_sim.crash t.host;
  let rec until_gone l = Option.iter (fun l -> until_gone (Weir_eio.lease_after h (Some l))) l in
  until_gone (Weir_eio.lease h);
  check_string "nothing is left" "" (routes ())

(* One more interface of a host that has a static address. *)
let second_interface () =
  with_server @@ fun t ->
  Switch.run @@ fun sw ->
  let clock = Weir_sim.mono_clock t.world in
  let other = Weir_sim.lan t.world in
  let h = Weir_eio.host ~sw ~clock ~link:(Weir_sim.link t.world other) ~address:"10.9.0.1/24" () in
  let i = Weir_eio.attach h ~sw ~link:(Weir_sim.link t.world t.lan) ~address:"dhcp" () in
  check_string "its lease" "10.0.0.50/24"
    (address (ok (Weir_eio.await_lease h ~interface:i.number)));
  match Weir_eio.lease h with
  | _ -> Alcotest.fail "the first has one"
  | exception Invalid_argument _ -> ()

let replay () =
  let run () =
    with_server ~seed:7 ~loss:0.2 @@ fun t ->
    Switch.run @@ fun sw ->
    let h = client ~sw t in
    ignore (ok (Weir_eio.await_lease h ~timeout_ns:(Time.s 600)));
    Weir_sim.sleep t.world (`S 3_600);
    Weir_sim.digest t.world
  in
  Alcotest.(check int) "the same frames at the same times" (run ()) (run ())

let cases =
  Suite.
    [
      case "two clients, 10% loss, 30 seeds" seeds;
      case "the server dies and comes back" server_dies;
      case "renumbered" renumbered;
      case "addresses in use" conflict;
      case "released at the end" released;
      case "no server" nobody;
      case "routes, MTU, names" settings;
      case "a second interface" second_interface;
      case "a seed replays" replay;
    ]
