(* LANs, trunks, links by hand, names, and what can be seen of them. *)

open Eio.Std
open Weir_link
open Room

let names p =
  let net = p.client.net in
  (match Eio.Net.getaddrinfo_stream ~service:"7" net "SERVER" with
  | [ `Tcp (a, 7) ] -> check_string "address" "10.0.0.1" (Fmt.str "%a" Eio.Net.Ipaddr.pp a)
  | _ -> Alcotest.fail "one address");
  let name, service = Eio.Net.getnameinfo net (tcp p.server 7 :> Eio.Net.Sockaddr.t) in
  check_string "name" "server" name;
  check_string "service" "echo" service;
  match Eio.Net.getaddrinfo net "nobody" with
  | _ -> Alcotest.fail "an address of nobody"
  | exception Eio.Io (Eio.Net.E (Address_lookup_failed _), _) -> ()

(* Over both families, with losses; a host has the same link-local address after a restart. *)
let both_families world =
  let lan = Weir_sim.lan world ~latency:(`Ms 1) ~loss:0.02 in
  let main = echo_server_at Eio.Net.Ipaddr.V6.any in
  let server = Weir_sim.host world lan ~name:"server" ~main "10.0.0.1/24,fd00::1/64" in
  let client = Weir_sim.host world lan ~name:"client" "fd00::2/64,10.0.0.2/24" in
  let addresses = Eio.Net.getaddrinfo_stream ~service:"7" client.net "server" in
  check_int "addresses" 2 (List.length addresses);
  let ask address =
    Switch.run @@ fun sw ->
    let flow = Eio.Net.connect ~sw client.net address in
    Eio.Flow.copy_string "question" flow;
    Eio.Flow.shutdown flow `Send;
    check_string "answer" "question" (Eio.Flow.read_all flow)
  in
  List.iter ask addresses;
  (match Eio.Net.getnameinfo client.net (`Tcp (ip (List.nth server.addresses 1), 7)) with
  | name, "echo" -> check_string "name" "server" name
  | _ -> Alcotest.fail "another service");
  Weir_sim.crash server;
  Weir_sim.restart server;
  List.iter ask addresses

let udp_of ~length p =
  Switch.run @@ fun sw ->
  let open_ (h : Weir_sim.host) port =
    Eio.Net.datagram_socket ~sw h.net (`Udp (Eio.Net.Ipaddr.V4.any, port))
  in
  let s = open_ p.server 9 and c = open_ p.client 0 in
  Eio.Net.send c ~dst:(`Udp (ip p.server.address, 9)) [ Cstruct.of_string (text length) ];
  let b = Cstruct.create 2_000 in
  let _, n = Eio.Net.recv s b in
  check_string "received" (text length) (Cstruct.to_string (Cstruct.sub b 0 n))

let udp = udp_of ~length:8

let latency world =
  let p = pair ~latency:(`Ms 20) world in
  ignore (ask p.client p.server "x" : string);
  (* ARP, the handshake, and the data there and back: six ways. *)
  Alcotest.(check (float 1e-6)) "time" 0.12 (seconds world)

(* No option set: an answer of a full and a short segment, and one written in
   two pieces, do not wait for the ACKs that the other side delays. *)
let no_stall world =
  let answers s =
    Switch.run @@ fun sw ->
    let c, _ = Eio.Net.accept ~sw s in
    for _ = 1 to 50 do
      Eio.Flow.read_exact c (Cstruct.create 1);
      Eio.Flow.copy_string (text 2_053) c;
      Eio.Flow.read_exact c (Cstruct.create 1);
      Eio.Flow.copy_string (text 30) c;
      Eio.Flow.copy_string (text 100) c
    done
  in
  let main (h : Weir_sim.host) =
    Switch.run @@ fun sw ->
    answers (Eio.Net.listen ~sw ~backlog:1 h.net (`Tcp (Eio.Net.Ipaddr.V4.any, 7)))
  in
  let p = pair ~latency:(`Us 100) ~main world in
  Switch.run @@ fun sw ->
  let c = connect ~sw p.client p.server in
  let ask n =
    Eio.Flow.copy_string "?" c;
    Eio.Flow.read_exact c (Cstruct.create n)
  in
  for _ = 1 to 50 do
    ask 2_053;
    ask 130
  done;
  check_bool "100 round trips and no delayed ACK" true (seconds world < 0.04)

let bandwidth world =
  let lan = Weir_sim.lan world ~bandwidth:8_000_000 in
  let server = Weir_sim.host world lan "10.0.0.1/24" ~main:echo_server in
  let client = Weir_sim.host world lan "10.0.0.2/24" in
  ignore (ask client server (text 1_000_000) : string);
  let s = seconds world in
  check_bool "about a second for 1 MB at 8 Mbit/s" true (s > 1. && s < 2.5)

let wan world =
  let config = Weir_core.Config.default in
  let office = Weir_sim.lan world ~name:"office" and site = Weir_sim.lan world ~name:"site" in
  let trunk = Weir_sim.trunk office site ~latency:(`Ms 50) in
  let server = Weir_sim.host world site "10.0.1.1/16" ~name:"server" ~config ~main:echo_server in
  let here = Weir_sim.host world site "10.0.1.2/16" ~name:"here" in
  let there = Weir_sim.host world office "10.0.0.1/16" ~name:"there" in
  let took from =
    let began = seconds world in
    check_string "echo" "x" (ask from server "x");
    seconds world -. began
  in
  check_bool "near" true (took here < 0.01);
  let far = took there in
  check_bool "far" true (far > 0.3 && far < 0.4);
  Weir_sim.cut_trunk trunk;
  Fiber.both
    (fun () -> check_bool "cut" true (took there > 1.))
    (fun () ->
      Weir_sim.sleep world (`S 1);
      check_bool "near all the same" true (took here < 0.01);
      Weir_sim.mend_trunk trunk);
  Weir_sim.partition [ there ] [ server ];
  Fiber.both
    (fun () -> check_bool "partitioned" true (took there > 1.))
    (fun () ->
      Weir_sim.sleep world (`S 1);
      Weir_sim.heal_all world);
  match Weir_sim.trunk site office with
  | _ -> Alcotest.fail "a loop"
  | exception Invalid_argument _ -> ()

let trunk_ways world =
  let a = Weir_sim.lan world and b = Weir_sim.lan world in
  let trunk = Weir_sim.trunk a b and came = ref 0 in
  let answer flow _ =
    Eio.Flow.read_exact flow (Cstruct.create 1);
    came := Weir_sim.now world;
    Eio.Flow.copy_string "y" flow
  in
  let main (h : Weir_sim.host) =
    Switch.run @@ fun sw ->
    let socket = Eio.Net.listen ~sw ~backlog:4 h.net (any 7) in
    Eio.Net.run_server socket ~on_error:ignore answer
  in
  let server = Weir_sim.host world b "10.0.0.1/24" ~main in
  let client = Weir_sim.host world a "10.0.0.2/24" in
  let ms there back =
    Switch.run @@ fun sw ->
    let flow = connect ~sw client server in
    let sent = Weir_sim.now world in
    Eio.Flow.copy_string "x" flow;
    Eio.Flow.read_exact flow (Cstruct.create 1);
    check_int "there" there ((!came - sent) / 1_000_000);
    check_int "back" back ((Weir_sim.now world - !came) / 1_000_000)
  in
  let slow n = { Impairment.none with delay_ns = n * 1_000_000 } in
  Weir_sim.impair_trunk trunk (slow 10) ~back:(slow 70);
  ms 10 70;
  Weir_sim.impair_trunk trunk (slow 30);
  ms 30 30

(* -- a narrow trunk ---------------------------------------------------------- *)

let mtu_at (h : Weir_sim.host) (peer : Weir_sim.host) =
  Weir_core.Stack.path_mtu (Option.get (Weir_sim.stack h)) peer.address

let narrow_trunk world =
  let a = Weir_sim.lan world and b = Weir_sim.lan world in
  let trunk = Weir_sim.trunk a b ~mtu:1_000 in
  let server = Weir_sim.host world b "10.0.0.1/24" ~name:"server" ~main:echo_server in
  let client = Weir_sim.host world a "10.0.0.2/24" ~name:"client" in
  udp_of ~length:1_400 { world; lan = a; server; client };
  check_int "fragments tell nothing" 1_500 (mtu_at client server);
  let question = text 100_000 in
  check_string "echo" question (ask client server question);
  check_int "the client knows" 1_000 (mtu_at client server);
  check_int "the server knows" 1_000 (mtu_at server client);
  Weir_sim.set_trunk_mtu trunk 900 ~silent:true;
  let question = text 1_000_000 in
  check_string "echo" question (ask client server question);
  check_bool "found" true (mtu_at client server <= 900);
  match Weir_sim.set_trunk_mtu trunk 500 with
  | () -> Alcotest.fail "an MTU of 500"
  | exception Invalid_argument _ -> ()

(* An IPv6 packet of 1,400 bytes by hand, and what comes back. *)
let narrow_trunk_v6 world =
  let open Weir_wire in
  let a = Weir_sim.lan world and b = Weir_sim.lan world in
  ignore (Weir_sim.trunk a b ~mtu:1_280 : Weir_sim.trunk);
  let link = Weir_sim.link world a in
  let address s = Ip.of_ipaddr (Ipaddr.of_string_exn s) in
  let src = address "2001:db8::77" and dst = address "2001:db8::78" in
  let frame = Weir_base.Frame.alloc (Weir_base.Frame.pool ~size:1_514 ()) in
  let mac n = Mac.of_int (0x020000000000 + n) in
  let packet = { Ipv6.base with src; dst; protocol = 17; data_length = 1_360 } in
  Ethernet.emit { dst = mac 2; src = mac 1; ethertype = Ethernet.ethertype_ipv6 } frame.data ~off:0;
  Ipv6.emit packet frame.data ~off:14;
  Weir_base.Frame.set_length frame 1_414;
  link#send ~now:0 frame;
  Weir_sim.sleep world (`Ms 10);
  let answer = link#receive ~now:0 in
  check_int "its length: the least MTU" (14 + 1_280) answer.len;
  match Ipv6.decode answer.data ~off:14 ~len:1_280 with
  | Error e -> Alcotest.failf "%a" Error.pp e
  | Ok h -> (
      check_bool "to the sender" true (Ip.equal h.dst src);
      let length = h.data_length in
      let pseudo = Ip.pseudo_sum ~src:h.src ~dst:h.dst ~protocol:58 ~length in
      match Icmpv6.decode ~pseudo answer.data ~off:54 ~len:length with
      | Ok (Packet_too_big { mtu; _ }) -> check_int "MTU" 1_280 mtu
      | Ok other -> Alcotest.failf "%a" Icmpv6.pp other
      | Error e -> Alcotest.failf "%a" Error.pp e)

let impaired p =
  ignore (ask p.client p.server (text 100_000) : string);
  check_int "nothing lost" 0 (Weir_sim.counters p.client ~outbound:false).lost;
  Weir_sim.impair_lan p.lan { Impairment.none with loss = Steady 0.1 };
  ignore (ask p.client p.server (text 100_000) : string);
  check_bool "lost on the way in" true ((Weir_sim.counters p.client ~outbound:false).lost > 0);
  check_int "not on the way out" 0 (Weir_sim.counters p.client ~outbound:true).lost;
  Weir_sim.impair p.client ~outbound:{ Impairment.none with loss = Steady 1. };
  Switch.run @@ fun sw -> expect_broken "all is lost" (fun () -> connect ~sw p.client p.server)

let path world =
  let p = pair world in
  let near = Weir_sim.host world p.lan "10.0.0.3/24" in
  let took from =
    let began = seconds world in
    check_string "echo" "x" (ask from p.server "x");
    seconds world -. began
  in
  Weir_sim.impair_path p.client p.server { Impairment.none with delay_ns = 100_000_000 };
  let far = took p.client in
  check_bool "this way only" true (far > 0.3 && far < 0.32);
  check_bool "these hosts only" true (took near < 0.05);
  Weir_sim.impair_path p.client p.server { Impairment.none with loss = Steady 1. };
  Weir_sim.impair_path p.server p.client { Impairment.none with delay_ns = 100_000_000 };
  Switch.run (fun sw -> expect_broken "all is lost" (fun () -> connect ~sw p.client p.server));
  Weir_sim.impair_path p.client p.server Impairment.none;
  check_bool "the other way" true (took p.client > 0.1)

let refused world =
  let lan = Weir_sim.lan world in
  let _ = Weir_sim.host world lan "10.0.0.1/24" ~name:"a" in
  List.iter
    (fun (what, f) ->
      match f () with _ -> Alcotest.failf "%s was taken" what | exception Invalid_argument _ -> ())
    [
      ("the same address", fun () -> ignore (Weir_sim.host world lan "10.0.0.1/24" ~name:"b"));
      ("the same name", fun () -> ignore (Weir_sim.host world lan "10.0.0.2/24" ~name:"A"));
      ("no network", fun () -> ignore (Weir_sim.host world lan "10.0.0.3"));
      ("a network's address", fun () -> ignore (Weir_sim.host world lan "10.0.0.0/24"));
      ("a broadcast", fun () -> ignore (Weir_sim.host world lan "10.0.0.255/24"));
      ("no gateway", fun () -> ignore (Weir_sim.host world lan "10.0.0.4/24" ~gateway:"x"));
      ("a loss of 2", fun () -> ignore (Weir_sim.lan world ~loss:2.));
      ("a small MTU", fun () -> ignore (Weir_sim.lan world ~mtu:100));
    ];
  check_bool "the world goes on" true (Weir_sim.is_on (Weir_sim.host world lan "10.0.0.9/24"))

(* A host under any driver, here the Eio one made by hand. *)
let by_hand p =
  Switch.run @@ fun sw ->
  let host =
    Weir_eio.host ~sw ~clock:(Weir_sim.mono_clock p.world) ~random:(Random.State.make [| 1 |])
      ~link:(Weir_sim.link p.world p.lan) ~address:"10.0.0.77/24" ()
  in
  let flow = Eio.Net.connect ~sw (Weir_eio.net host) (tcp p.server 7) in
  Eio.Flow.copy_string "by hand" flow;
  Eio.Flow.shutdown flow `Send;
  check_string "echo" "by hand" (Eio.Flow.read_all flow)

let environment world =
  let p = pair world in
  let env = Weir_sim.env p.client in
  let draw () =
    let b = Cstruct.create 16 in
    Eio.Flow.read_exact env#secure_random b;
    Cstruct.to_hex_string b
  in
  let first = draw () in
  check_bool "random" true (first <> draw ());
  let pool =
    Switch.run (fun sw ->
        let pool = Eio.Executor_pool.create ~sw ~domain_count:2 env#domain_mgr in
        Eio.Executor_pool.submit_exn pool ~weight:1. (fun () -> 6 * 7))
  in
  check_int "another domain, so to speak" 42 pool;
  let flow_of_time = Eio.Time.now env#clock in
  Eio.Time.sleep env#clock 2.;
  Alcotest.(check (float 1e-3)) "time" 2. (Eio.Time.now env#clock -. flow_of_time);
  first

let environments () =
  let of_seed seed = Weir_sim.run ~seed environment in
  check_bool "by the seed" true (of_seed 1 = of_seed 1 && of_seed 1 <> of_seed 2)

(* -- what can be seen ---------------------------------------------------- *)

let traced () =
  let lines = ref [] in
  Weir_sim.run ~seed:4
    ~trace:(fun l -> lines := l :: !lines)
    (fun world ->
      let p = pair ~impairment:lossy world in
      ignore (ask p.client p.server (text 200_000) : string);
      Weir_sim.partition [ p.client ] [ p.server ];
      Weir_sim.impair p.server ~outbound:{ Impairment.none with loss = Steady 1. };
      try
        ignore
          (Fiber.first
             (fun () ->
               Weir_sim.sleep world (`S 3);
               "")
             (fun () -> ask p.client p.server "x"))
      with Eio.Io _ -> ());
  let lines = List.rev !lines in
  List.iter (expect_line lines)
    [
      "0.000000000 client > server: ARP who-has 10.0.0.1 tell 10.0.0.2";
      "server > client: ARP 10.0.0.1 is-at";
      "client > server: 10.0.0.2:";
      "10.0.0.1:7 TCP S ";
      "(lost)";
      "(twice)";
      "(corrupted)";
      "(out of order)";
      "(partitioned)";
    ]

let captured () =
  let file what = Filename.temp_file "weir" what in
  let world_file = file ".world" and lan_file = file ".lan" and host_file = file ".host" in
  let all = [ world_file; lan_file; host_file ] in
  Fun.protect ~finally:(fun () -> List.iter Sys.remove all) @@ fun () ->
  let frames =
    Weir_sim.run ~pcap:world_file (fun world ->
        let lan = Weir_sim.lan world ~pcap:lan_file in
        let server = Weir_sim.host world lan "10.0.0.1/24" ~pcap:host_file ~main:echo_server in
        let client = Weir_sim.host world lan "10.0.0.2/24" in
        ignore (ask client server "x" : string);
        Weir_sim.sleep world (`S 1);
        Weir_sim.restart server;
        ignore (ask client server "x" : string);
        Weir_sim.sleep world (`S 1);
        Weir_sim.frames world)
  in
  let records path =
    let b = Bytes.unsafe_of_string (In_channel.with_open_bin path In_channel.input_all) in
    match Weir_wire.Pcap.fold (fun all (p : Weir_wire.Pcap.packet) -> p.time :: all) [] b with
    | Ok times -> List.rev times
    | Error e -> Alcotest.failf "%s: %a" path Weir_wire.Error.pp e
  in
  let times = records world_file in
  check_bool "frames" true (frames > 16);
  check_bool "all of them" true (List.length times >= frames);
  check_int "from the epoch on" 1_767_225_600_000_000_000 (List.hd times);
  check_bool "the LAN's is the same" true (times = records lan_file);
  check_bool "the host's, over both lives" true (List.length (records host_file) > 16)

let no_capture () =
  match Weir_sim.run ~pcap:"/no/such/folder/x" ignore with
  | () -> Alcotest.fail "it was made"
  | exception Sys_error _ -> ()

let in_world f () = Weir_sim.run f

(* How connections end, with the kernel's rules. *)
let ends =
  let case (name, f) =
    let ask (p : pair) =
      let sleep = Eio.Time.Mono.sleep p.client.mono_clock in
      f { Weir_edges.Ends.server = p.server.net; at = "10.0.0.1"; client = p.client.net; sleep }
    in
    Suite.case name (in_pair ask)
  in
  List.map case Weir_edges.Ends.all

let cases =
  [
    Suite.case "names" (in_pair names);
    Suite.case "both families" (in_world both_families);
    Suite.case "UDP" (in_pair udp);
    Suite.case "latency" (in_world latency);
    Suite.case "bandwidth" (in_world bandwidth);
    Suite.case "LANs joined by a trunk" (in_world wan);
    Suite.case "the ways of a trunk" (in_world trunk_ways);
    Suite.case "a narrow trunk" (in_world narrow_trunk);
    Suite.case "a narrow trunk, IPv6" (in_world narrow_trunk_v6);
    Suite.case "impairments change" (in_pair ~config:quick impaired);
    Suite.case "a path between two hosts" (in_world path);
    Suite.case "what makes no sense is refused" (in_world refused);
    Suite.case "a host by hand" (in_pair by_hand);
    Suite.case "environments" environments;
    Suite.case "the trace" traced;
    Suite.case "answers do not stall" (in_world no_stall);
    Suite.native Suite.since_1970 (Suite.case "captures" captured);
    Suite.case "a capture that cannot be made" no_capture;
  ]
  @ ends
