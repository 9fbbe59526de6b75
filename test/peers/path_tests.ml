(* Two kernel routers between Weir and a kernel host, and between the routers a link of 1,280 bytes:
   Weir 10.0.0.11 - 10.0.0.1 (router) 10.1.0.1 - 10.1.0.2 (router) 10.2.0.1 - 10.2.0.2; and the same
   with fd00::11, fd00::1, fd01::1, fd01::2, fd02::1, fd02::2. *)

open Weir_programs
module Suite = Weir_test.Suite
module Options = Eio.Net.Sockopt

let far = "10.2.0.2"
let far_v6 = "fd02::2"
let length = 10_000_000

(* A namespace is a process in it; the last argument of [nsenter] is what runs there. *)
type place = Here | In of int

let inside place argv =
  match place with
  | Here -> argv
  | In pid -> [ "nsenter"; "-t"; string_of_int pid; "-n"; "--" ] @ argv

let words s = String.split_on_char ' ' s
let succeed (w : World.t) place argv = ignore (Programs.succeed w.env (inside place argv) : string)
let ip w place line = succeed w place ("ip" :: words line)

let sysctl w place name value =
  let path = "/proc/sys/" ^ String.concat "/" (String.split_on_char '.' name) in
  succeed w place [ "sh"; "-c"; Printf.sprintf "echo %s > %s" value path ]

let namespace (w : World.t) ~sw =
  let holder =
    Programs.start ~sw w.env ~ready:"ready"
      [ "unshare"; "--net"; "sh"; "-c"; "echo ready; exec sleep 120" ]
  in
  In (Programs.pid holder)

let veth w (a, at_a) (b, at_b) ~mtu =
  let pid = function Here -> string_of_int (Unix.getpid ()) | In pid -> string_of_int pid in
  ip w Here
    (Printf.sprintf "link add %s mtu %d type veth peer name %s mtu %d netns %s" a mtu b mtu
       (pid at_b));
  if at_a <> Here then ip w Here (Printf.sprintf "link set %s netns %s" a (pid at_a))

let address w place name a =
  let number = String.split_on_char '.' a in
  ip w place (Printf.sprintf "addr add %s/24 dev %s" a name);
  ip w place
    (Printf.sprintf "addr add fd0%s::%s/64 dev %s nodad" (List.nth number 1) (List.nth number 3)
       name);
  ip w place (Printf.sprintf "link set %s up" name)

let rules =
  "table inet mute {\n\
   chain out { type filter hook output priority 0;\n\
   icmp type destination-unreachable drop; icmpv6 type packet-too-big drop; }\n\
   }\n"

let mute (w : World.t) place =
  let file = Filename.concat w.dir "mute" in
  Programs.write file rules;
  succeed w place [ "nft"; "-f"; file ]

type net = { w : World.t; host : place; far : string }

let with_routers ?(ipv6 = false) ~offload ~silent f =
  List.iter Suite.needs_program [ "ip"; "nsenter"; "unshare"; "nft"; "python3" ];
  let gateway = World.kernel ^ if ipv6 then "," ^ World.kernel_v6 else "" in
  World.with_weir ~ipv6 ~offload ~gateway ~seconds:60. @@ fun w ->
  Eio.Switch.run @@ fun sw ->
  let second = namespace w ~sw and host = namespace w ~sw in
  (* Else the routers are silent for a second. *)
  List.iter (fun p -> sysctl w p "net.ipv6.conf.default.accept_dad" "0") [ Here; second; host ];
  veth w ("narrow0", Here) ("narrow1", second) ~mtu:1_280;
  veth w ("wide0", second) ("wide1", host) ~mtu:1_500;
  address w Here "narrow0" "10.1.0.1";
  address w second "narrow1" "10.1.0.2";
  address w second "wide0" "10.2.0.1";
  address w host "wide1" far;
  ip w Here "route add 10.2.0.0/24 via 10.1.0.2";
  ip w second "route add 10.0.0.0/24 via 10.1.0.1";
  ip w host "route add default via 10.2.0.1";
  ip w Here "-6 route add fd02::/64 via fd01::2";
  ip w second "-6 route add fd00::/64 via fd01::1";
  ip w host "-6 route add default via fd02::1";
  List.iter
    (fun p ->
      sysctl w p "net.ipv4.ip_forward" "1";
      sysctl w p "net.ipv6.conf.all.forwarding" "1")
    [ Here; second ];
  sysctl w host "net.ipv4.tcp_congestion_control" "reno";
  if silent then (
    sysctl w host "net.ipv4.tcp_mtu_probing" "1";
    mute w Here;
    mute w second);
  Fun.protect
    (fun () -> f { w; host; far = (if ipv6 then far_v6 else far) })
    ~finally:(fun () ->
      World.sysctl "net.ipv6.conf.all.forwarding" "0";
      Eio.Cancel.protect (fun () ->
          ignore (Programs.run w.env [ "ip"; "link"; "delete"; "narrow0" ]);
          if silent then ignore (Programs.run w.env [ "nft"; "delete"; "table"; "inet"; "mute" ])))

(* 10 MB there and back; the kernel has hashed all before it sends. *)
let exchange { w; host; far } what =
  let sent = Tcp_tests.data length in
  let file = Tcp_tests.data_file w sent in
  let peer =
    Programs.start ~sw:w.sw w.env ~ready:"ready"
      (inside host (World.python "tcp_listen" [ far; "9000"; file ]))
  in
  Eio.Switch.run (fun sw ->
      let c = Weir_eio.Network.connect w.host ~sw (Ipaddr.of_string_exn far) ~port:9000 in
      Tcp_tests.weir_side w what sent c);
  Tcp_tests.check_peer peer sent

(* The same, opened by the kernel. *)
let answered { w; host; _ } what =
  let sent = Tcp_tests.data length in
  let file = Tcp_tests.data_file w sent in
  let over, finished = Eio.Promise.create () in
  World.listen w ~port:9001 (fun c ->
      Tcp_tests.weir_side w what sent c;
      Eio.Promise.resolve finished ());
  let peer =
    Programs.start ~sw:w.sw w.env
      (inside host (World.python "tcp_connect" [ w.weir; "9001"; file ]))
  in
  Eio.Promise.await over;
  Tcp_tests.check_peer peer sent

let path_mtu { w; far; _ } = Weir_eio.Host.path_mtu w.host (Ipaddr.of_string_exn far)

let reported ?ipv6 ~offload () =
  with_routers ?ipv6 ~offload ~silent:false @@ fun n ->
  let c = Weir_eio.Host.counters n.w.host in
  exchange n "two routers, MTU 1280, ";
  Alcotest.(check int) "the path's MTU" 1_280 (path_mtu n);
  Alcotest.(check int) "reports followed" 1 c.tcp_path_reports;
  Alcotest.(check int) "timeouts" 0 c.tcp_timeouts;
  answered n "the kernel connects, MTU 1280, ";
  Alcotest.(check int) "the second begins with it" 1 c.tcp_path_reports

let swallowed ?ipv6 ~offload () =
  with_routers ?ipv6 ~offload ~silent:true @@ fun n ->
  let c = Weir_eio.Host.counters n.w.host in
  exchange n "two silent routers, MTU 1280, ";
  Alcotest.(check int) "reports" 0 c.tcp_path_reports;
  Alcotest.(check int) "black holes" 1 c.tcp_black_holes;
  let mtu = path_mtu n in
  if mtu > 1_280 || mtu < 1_064 then Alcotest.failf "a path MTU of %d" mtu;
  World.report "found MTU %d of 1280 by %d probes, %d timeouts" mtu c.tcp_path_probes c.tcp_timeouts;
  (* The kernel's own search takes six seconds. *)
  if offload then answered n "the kernel connects, silent routers, "

let datagrams () =
  with_routers ~offload:false ~silent:false @@ fun n ->
  let w = n.w in
  let s = Eio.Net.datagram_socket ~sw:w.sw w.net `UdpV4 in
  let dst = `Udp (World.address far, 9_100) in
  let send length = Eio.Net.send s ~dst [ Cstruct.create length ] in
  Eio.Net.setsockopt s Options.IP_MTU_DISCOVER `Do;
  send 1_400;
  let rec await tries =
    if path_mtu n <> 1_280 then
      if tries = 0 then Alcotest.fail "no report came"
      else (
        Eio.Time.sleep (Eio.Stdenv.clock w.env) 0.02;
        await (tries - 1))
  in
  await 100;
  (match send 1_400 with
  | () -> Alcotest.fail "a datagram that is too long was taken"
  | exception Eio.Io (Eio.Exn.X (Eio_unix.Unix_error (EMSGSIZE, _, _)), _) -> ());
  send 1_252;
  Eio.Net.setsockopt s Options.IP_MTU_DISCOVER `Want;
  send 1_400

let cases =
  [
    Suite.case "two routers, MTU 1280" (reported ~offload:false);
    Suite.case "two routers, MTU 1280, with offload" (reported ~offload:true);
    Suite.case "two silent routers" (swallowed ~offload:false);
    Suite.case "two silent routers, with offload" (swallowed ~offload:true);
    Suite.case "two routers, MTU 1280, IPv6" (reported ~ipv6:true ~offload:false);
    Suite.case "two routers, MTU 1280, IPv6, with offload" (reported ~ipv6:true ~offload:true);
    Suite.case "two silent routers, IPv6, with offload" (swallowed ~ipv6:true ~offload:true);
    Suite.case "datagrams that nobody may fragment" datagrams;
  ]
