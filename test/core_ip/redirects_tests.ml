(* Redirects of both families: whose are believed, and for how long. *)

open Weir_test
open Weir_base
open Weir_wire
open Weir_core
open V6_net

let ip s = Ip.of_ipaddr (address s)

let redirected ?(enabled = true) () =
  Stack.create
    {
      mac = Net.mac 1;
      addresses = List.map Ipaddr.Prefix.of_string_exn [ "10.0.0.1/24"; "fd00::1/64" ];
      gateways = [ address "10.0.0.254"; address "fe80::254" ];
      mtu = 1_500;
      secret = Stable_address.no_secret;
      config = { Config.default with redirects = enabled };
    }
    ~random:(Random.State.make [| 1 |]) ~now:0

let v4 ?(router = "10.0.0.254") ?(own = "10.0.0.1") ?(code = 1) ~target dst =
  let quote = Bytes.make 28 '\000' in
  Ipv4.write Ipv4.base quote ~off:0 ~src:(ip own) ~dst:(ip dst) ~protocol:17 ~data_length:8
    ~identification:0;
  let length = 8 + 28 in
  let b = Bytes.make (34 + length) '\000' in
  Ethernet.write b ~off:0 ~dst:(Net.mac 1) ~src:(Net.mac 2) Ethernet.ethertype_ipv4;
  Ipv4.write Ipv4.base b ~off:14 ~src:(ip router) ~dst:(ip "10.0.0.1") ~protocol:1
    ~data_length:length ~identification:0;
  Bytes.blit quote 0 b 42 28;
  let gateway = Ip.key (ip target) in
  Icmpv4.emit (Other { kind = 5; code; rest = gateway; data_length = 28 }) b ~off:34;
  b

let v6 ?hop_limit ?(router = "fe80::254") ~target dst =
  nd ?hop_limit ~src:(ip router) ~dst:own
    (Redirect { target = ip target; destination = ip dst; target_mac = None })

(* The first hop to [dst]. *)
let hop t dst =
  let dst = ip dst in
  let r = Routes.find (Stack.routes t) dst in
  if Routes.leads r then Fmt.str "%a" Ip.pp (Routes.next_hop r dst) else "nowhere"

let check t what expected dst = Alcotest.(check string) what expected (hop t dst)
let far = "192.0.2.9"
let far_v6 = "2001:db8::9"

let ignored () =
  let t = redirected ~enabled:false () in
  give t (v4 ~target:"10.0.0.7" far);
  give t (v6 ~target:"fe80::7" far_v6);
  check t "IPv4" "10.0.0.254" far;
  check t "IPv6" "fe80::254" far_v6;
  check_int "counted" 2 (counters t).redirects_in;
  check_int "not followed" 0 (counters t).redirects_followed

let followed () =
  let t = redirected () in
  give t (v4 ~target:"10.0.0.7" far);
  give t (v6 ~target:"fe80::7" far_v6);
  give t (v6 ~target:"2001:db8::8" "2001:db8::8");
  check t "IPv4" "10.0.0.7" far;
  check t "IPv6" "fe80::7" far_v6;
  check t "on the link" "2001:db8::8" "2001:db8::8";
  check t "others as before" "10.0.0.254" "192.0.2.8";
  check_int "followed" 3 (counters t).redirects_followed;
  (* Only who is the first hop now may send the host on. *)
  give t (v4 ~target:"10.0.0.8" far);
  check t "by the former router" "10.0.0.7" far;
  give t (v4 ~router:"10.0.0.7" ~target:"10.0.0.8" far);
  check t "by the new one" "10.0.0.8" far;
  Stack.tick t ~now:(Redirects.lifetime + 1);
  List.iter
    (fun (dst, router) -> check t "over" router dst)
    [ (far, "10.0.0.254"); (far_v6, "fe80::254"); ("2001:db8::8", "fe80::254") ]

let refused () =
  let t = redirected () in
  let set = "192.0.2.77" in
  Result.get_ok
    (Stack.add_route t (Ipaddr.Prefix.of_string_exn (set ^ "/32")) ~gateway:(address "10.0.0.254"));
  let before = Fmt.str "%a" Routes.pp (Stack.routes t) in
  List.iter
    (fun (what, b) ->
      give t b;
      Alcotest.(check string) what before (Fmt.str "%a" Routes.pp (Stack.routes t)))
    [
      ("not from the router", v4 ~router:"10.0.0.9" ~target:"10.0.0.7" far);
      ("from far away", v4 ~router:"192.0.2.1" ~target:"10.0.0.7" far);
      ("to a host elsewhere", v4 ~target:"192.0.2.7" far);
      ("to this host", v4 ~target:"10.0.0.1" far);
      ("to a broadcast", v4 ~target:"10.0.0.255" far);
      ("to the router itself", v4 ~target:"10.0.0.254" far);
      ("about another's packet", v4 ~own:"10.0.0.9" ~target:"10.0.0.7" far);
      ("about a neighbour", v4 ~target:"10.0.0.7" "10.0.0.8");
      ("about a group", v4 ~target:"10.0.0.7" "239.1.1.1");
      ("an unknown code", v4 ~code:4 ~target:"10.0.0.7" far);
      ("a route that was set", v4 ~target:"10.0.0.7" set);
      ("IPv6, not from the router", v6 ~router:"fe80::9" ~target:"fe80::7" far_v6);
      ("not from a link-local address", v6 ~router:"fd00::254" ~target:"fe80::7" far_v6);
      ("forwarded", v6 ~hop_limit:64 ~target:"fe80::7" far_v6);
      ("not to a link-local address", v6 ~target:"fd00::7" far_v6);
      ("a neighbour", v6 ~target:"fe80::7" "fd00::8");
      ("to this host, IPv6", v6 ~target:(Fmt.str "%a" Ip.pp (link_local t)) far_v6);
    ];
  check_int "none followed" 0 (counters t).redirects_followed

let bounded () =
  let t = redirected () in
  let before = List.length (String.split_on_char '\n' (Fmt.str "%a" Routes.pp (Stack.routes t))) in
  for n = 1 to 250 do
    give ~now:n t (v4 ~target:"10.0.0.7" (Fmt.str "192.0.2.%d" n));
    give ~now:n t (v6 ~target:"fe80::7" (Fmt.str "2001:db8::%x" n))
  done;
  let routes = List.length (String.split_on_char '\n' (Fmt.str "%a" Routes.pp (Stack.routes t))) in
  check_int "routes" (before + Redirects.most) routes;
  check t "the newest" "10.0.0.7" "192.0.2.250";
  check t "the oldest is forgotten" "10.0.0.254" "192.0.2.1"

(* Neighbour discovery finds that the gateway is not there, and the old way is taken again. *)
let gone () =
  let t = redirected () in
  give t (v4 ~target:"10.0.0.7" far);
  let s = udp t ~at:"::" ~port:9 in
  ignore (Result.get_ok (send t s ~dst:far ~port:9 "x"));
  ignore (sent t);
  let rec pass now =
    if now < Time.s 30 && hop t far = "10.0.0.7" then (
      Stack.tick t ~now;
      ignore (sent ~now t);
      pass (now + Time.ms 500))
  in
  pass 0;
  check t "the router" "10.0.0.254" far

let cases =
  [
    Suite.case "ignored, and counted" ignored;
    Suite.case "followed, if so configured" followed;
    Suite.case "not believed" refused;
    Suite.case "bounded" bounded;
    Suite.case "a gateway that does not answer" gone;
  ]
