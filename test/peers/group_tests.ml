(* Groups, with the kernel's bridge as the switch that passes on only what members ask for, and as the
   router that asks for members. *)

open Weir_programs
open Weir_eio.Udp_options
module Suite = Weir_test.Suite

let bridge = "br0"

type family = { group : string; other : string; kernel : string; weir : string; port : int }

let v4 =
  {
    group = "239.1.2.3";
    other = "239.1.2.4";
    kernel = World.kernel;
    weir = World.weir;
    port = 5_000;
  }

let v6 =
  {
    group = "ff05::1:3";
    other = "ff05::1:4";
    kernel = World.kernel_v6;
    weir = World.weir_v6;
    port = 5_002;
  }

(* The version of the queries, IGMP's and MLD's, is the bridge's choice. *)
let newest = "mcast_igmp_version 3 mcast_mld_version 2"
let old = "mcast_igmp_version 2 mcast_mld_version 1"

(* It asks each second, and forgets who does not answer for two. *)
let querier =
  "mcast_snooping 1 mcast_querier 1 mcast_query_interval 100 mcast_query_response_interval 50 \
   mcast_membership_interval 200 mcast_last_member_interval 20 mcast_startup_query_interval 25"

let ip (w : World.t) line =
  ignore (Programs.succeed w.env ("ip" :: String.split_on_char ' ' line) : string)

let members (w : World.t) = Programs.succeed w.env [ "bridge"; "mdb"; "show"; "dev"; bridge ]

let rec await (w : World.t) what ?(tries = 200) f =
  if not (f ()) then
    if tries = 0 then Alcotest.failf "%s; the bridge has\n%s" what (members w)
    else (
      Eio.Time.sleep (Eio.Stdenv.clock w.env) 0.025;
      await w what ~tries:(tries - 1) f)

(* Once a port of it forwards. *)
let await_bridge (w : World.t) =
  let routes = [ "ip"; "-6"; "route"; "show"; "table"; "all"; "dev"; bridge ] in
  await w "the bridge is not up" (fun () ->
      Programs.contains (Programs.succeed w.env routes) "ff00::/8")

let with_bridge ~versions f =
  List.iter Suite.needs_program [ "ip"; "bridge"; "python3" ];
  World.with_weir ~seconds:30. @@ fun w ->
  ip w "address flush dev tap0";
  ip w (Printf.sprintf "link add %s type bridge %s %s" bridge querier versions);
  ip w ("link set tap0 master " ^ bridge);
  World.configure_v6 bridge;
  World.configure_tap bridge ~address:World.kernel;
  Fun.protect
    (fun () ->
      await_bridge w;
      f w)
    ~finally:(fun () ->
      Eio.Cancel.protect (fun () -> ignore (Programs.run w.env [ "ip"; "link"; "delete"; bridge ])))

let has w group = Programs.contains (members w) ("grp " ^ group ^ " ")

let send (w : World.t) f texts =
  let arguments = f.group :: bridge :: string_of_int f.port :: texts in
  ignore (Programs.succeed w.env (World.python "group_send" arguments))

let text s =
  let b = Cstruct.create 1_000 in
  let _, n = Eio.Net.recv s b in
  Cstruct.to_string (Cstruct.sub b 0 n)

let membership group = any_interface (World.address group)

let joined f (w : World.t) =
  let s = Eio.Net.datagram_socket ~sw:w.sw w.net (`Udp (Eio.Net.Ipaddr.V6.any, f.port)) in
  (* What nobody asked for does not come. *)
  send w f [ "too early" ];
  Eio.Net.setsockopt s IP_ADD_MEMBERSHIP (membership f.group);
  await w "no member" (fun () -> has w f.group);
  send w f [ "hello" ];
  Alcotest.(check string) "received" "hello" (text s);
  let asked () = (Weir_eio.Host.counters w.host).group_queries in
  let before = asked () in
  await w "not asked" (fun () -> asked () > before + 5);
  Alcotest.(check bool) "a member as long as it answers" true (has w f.group);
  send w f [ "still here" ];
  Alcotest.(check string) "received" "still here" (text s);
  Eio.Net.setsockopt s IP_DROP_MEMBERSHIP (membership f.group);
  await w "still a member" (fun () -> not (has w f.group));
  (match Eio.Net.setsockopt s IP_DROP_MEMBERSHIP (membership f.group) with
  | () -> Alcotest.fail "left twice"
  | exception Eio.Io (Eio.Exn.X (Eio_unix.Unix_error (EADDRNOTAVAIL, _, _)), _) -> ());
  Eio.Net.setsockopt s MCAST_MSFILTER (membership f.group, `Include [ World.address f.kernel ]);
  await w "no member for one source" (fun () -> has w f.group);
  send w f [ "from whom it wants" ];
  Alcotest.(check string) "received" "from whom it wants" (text s);
  Eio.Net.close s;
  await w "still a member after close" (fun () -> not (has w f.group))

let sent f (w : World.t) =
  let peer =
    Programs.start ~sw:w.sw w.env ~ready:"ready"
      (World.python "group_listen" [ f.other; bridge; string_of_int (f.port + 1) ])
  in
  let listed = Programs.succeed w.env [ "ip"; "maddr"; "show"; "dev"; bridge ] in
  Alcotest.(check bool)
    ("the kernel is a member\n" ^ listed)
    true
    (Programs.contains listed f.other);
  let s = Eio.Net.datagram_socket ~sw:w.sw w.net `UdpV6 in
  Eio.Net.setsockopt s IP_MULTICAST_TTL 3;
  Eio.Net.send s ~dst:(`Udp (World.address f.other, f.port + 1)) [ Cstruct.of_string "hi" ];
  ignore (Programs.finish peer : int);
  Alcotest.(check bool)
    (Programs.output peer) true
    (Programs.contains (Programs.output peer) ("hi from " ^ f.weir))

(* Each query and each leaving takes its time: both families at once. *)
let case name ~versions f =
  Suite.case name (fun () ->
      with_bridge ~versions (fun w -> Eio.Fiber.both (fun () -> f v4 w) (fun () -> f v6 w)))

let cases =
  [
    case "IGMPv3 and MLDv2: members behind the kernel's bridge" ~versions:newest joined;
    case "IGMPv2 and MLDv1" ~versions:old joined;
    case "the kernel as a member" ~versions:newest sent;
  ]
