open Eio.Std
open Weir_link
module Suite = Weir_test.Suite
module Idle = Weir_test.Idle

let address a = Eio.Net.Ipaddr.of_raw (Ipaddr.V4.to_octets (Ipaddr.V4.of_string_exn a))
let tcp a port : Eio.Net.Sockaddr.stream = `Tcp (address a, port)
let server_address = "10.0.0.1"

type world = {
  a : Weir_eio.host;
  b : Weir_eio.host;
  net_a : [ `Generic ] Eio.Net.ty r;
  net_b : [ `Generic ] Eio.Net.ty r;
  clock : Eio.Time.Mono.ty r;
}

let within clock s f = Eio.Time.Timeout.(run_exn (seconds clock s)) f

(* Two hosts on one cable; [wrap] impairs the client's end. *)
let with_world ?config ?(wrap = fun l -> l) f =
  Eio_main.run @@ fun env ->
  Switch.run @@ fun sw ->
  let clock = Eio.Stdenv.mono_clock env in
  let link_a, link_b = Memory.pair () in
  let host n link address =
    Weir_eio.host ~sw ~clock ?config ~random:(Random.State.make [| n |]) ~link ~address ()
  in
  let a = host 1 link_a (server_address ^ "/24") and b = host 2 (wrap link_b) "10.0.0.2/24" in
  within clock 60.0 (fun () ->
      f { a; b; net_a = Weir_eio.net a; net_b = Weir_eio.net b; clock :> Eio.Time.Mono.ty r })

let listen ?(backlog = 16) ?(port = 80) w ~sw =
  Eio.Net.listen ~sw ~reuse_addr:true ~backlog w.net_a (tcp "0.0.0.0" port)

let connect ?(port = 80) w ~sw = Eio.Net.connect ~sw w.net_b (tcp server_address port)
let read_all flow = Eio.Flow.read_all flow

let echo w =
  Switch.run @@ fun sw ->
  let l = listen w ~sw in
  Fiber.both
    (fun () ->
      Switch.run @@ fun sw ->
      let c, from = Eio.Net.accept ~sw l in
      (match from with
      | `Tcp (ip, _) ->
          Alcotest.(check string) "peer" "10.0.0.2" (Fmt.str "%a" Eio.Net.Ipaddr.pp ip)
      | `Unix _ -> Alcotest.fail "a Unix peer");
      Eio.Flow.copy c c)
    (fun () ->
      Switch.run @@ fun sw ->
      let c = connect w ~sw in
      Eio.Flow.copy_string "hello" c;
      Eio.Flow.shutdown c `Send;
      Alcotest.(check string) "echo" "hello" (read_all c))

(* [n] bytes of a seeded pattern, and their digest. *)
let pattern n =
  let r = Random.State.make [| n |] in
  String.init n (fun _ -> Char.unsafe_chr (Random.State.bits r land 255))

let transfer ?(n = 1_000_000) w =
  Switch.run @@ fun sw ->
  let l = listen w ~sw in
  let sent = pattern n in
  Fiber.both
    (fun () ->
      Switch.run @@ fun sw ->
      let c, _ = Eio.Net.accept ~sw l in
      Alcotest.(check string)
        "bytes"
        (Digest.to_hex (Digest.string sent))
        (Digest.to_hex (Digest.string (read_all c))))
    (fun () ->
      Switch.run @@ fun sw ->
      let c = connect w ~sw in
      Eio.Flow.copy_string sent c)

let impaired seed =
  let i =
    {
      Impairment.none with
      loss = Steady 0.02;
      duplicate = 0.01;
      reorder = 0.02;
      reorder_ns = 300_000;
      corrupt = 0.005;
      delay_ns = 200_000;
      jitter_ns = 100_000;
    }
  in
  fun l -> (Impair.wrap ~seed ~outbound:i ~inbound:i l :> Link.t)

let refused w =
  Switch.run @@ fun sw ->
  match connect ~port:81 w ~sw with
  | _ -> Alcotest.fail "connected"
  | exception
      Eio.Io (Eio.Net.E (Connection_failure (Refused (Eio_unix.Unix_error (ECONNREFUSED, _, _)))), _)
    ->
      ()

(* Neither is an answer of the other side's. *)
let unreachable address code w =
  Switch.run @@ fun sw ->
  match Eio.Net.connect ~sw w.net_b (tcp address 80) with
  | _ -> Alcotest.fail "connected"
  | exception Eio.Io (Eio.Exn.X (Eio_unix.Unix_error (e, "connect", _)), _) ->
      Alcotest.(check string) "code" (Unix.error_message code) (Unix.error_message e)

let port_zero w =
  Switch.run @@ fun sw ->
  let l = Eio.Net.listen ~sw ~backlog:4 w.net_a (tcp server_address 0) in
  match Eio.Net.listening_addr l with
  | `Tcp (_, port) ->
      Alcotest.(check bool) "a port" true (port > 0);
      ignore (connect ~port w ~sw)
  | `Unix _ -> Alcotest.fail "a Unix address"

let port_in_use w =
  Switch.run @@ fun sw ->
  let _ = listen w ~sw in
  match listen w ~sw with
  | _ -> Alcotest.fail "listened twice"
  | exception Eio.Io (Eio.Exn.X (Eio_unix.Unix_error (EADDRINUSE, "bind", _)), _) -> ()

let accepted_pair ?port w ~sw =
  let l = listen ?port w ~sw in
  Fiber.pair (fun () -> fst (Eio.Net.accept ~sw l)) (fun () -> connect ?port w ~sw)

let half_close w =
  Switch.run @@ fun sw ->
  let s, c = accepted_pair w ~sw in
  Eio.Flow.copy_string "question" c;
  Eio.Flow.shutdown c `Send;
  Alcotest.(check string) "server reads" "question" (read_all s);
  Eio.Flow.copy_string "answer" s;
  Eio.Flow.close s;
  Alcotest.(check string) "client reads" "answer" (read_all c)

let close_twice w =
  Switch.run @@ fun sw ->
  let s, c = accepted_pair w ~sw in
  Eio.Flow.close c;
  Eio.Flow.close c;
  (match Eio.Flow.copy_string "x" c with
  | () -> Alcotest.fail "wrote to a closed flow"
  | exception Invalid_argument _ -> ());
  Alcotest.(check string) "the end" "" (read_all s)

let reset_on_unread w =
  Switch.run @@ fun sw ->
  let s, c = accepted_pair w ~sw in
  Eio.Flow.copy_string "unread" c;
  Eio.Time.Mono.sleep w.clock 0.01;
  Eio.Flow.close s;
  match read_all c with
  | _ -> Alcotest.fail "no reset"
  | exception Eio.Io (Eio.Net.E (Connection_reset _), _) -> ()

let closed_by_switch w =
  Switch.run @@ fun sw ->
  let l = listen w ~sw in
  let s = ref None in
  Switch.run (fun inner ->
      let a, _ =
        Fiber.pair (fun () -> fst (Eio.Net.accept ~sw l)) (fun () -> connect w ~sw:inner)
      in
      s := Some a);
  Alcotest.(check string) "the end" "" (read_all (Option.get !s))

let cancelled_read w =
  Switch.run @@ fun sw ->
  let s, c = accepted_pair w ~sw in
  let buf = Cstruct.create 10 in
  (match within w.clock 0.02 (fun () -> Eio.Flow.single_read s buf) with
  | _ -> Alcotest.fail "read something"
  | exception Eio.Time.Timeout -> ());
  Eio.Flow.copy_string "later" c;
  let n = Eio.Flow.single_read s buf in
  Alcotest.(check string) "nothing was lost" "later" (Cstruct.to_string (Cstruct.sub buf 0 n))

let close_wakes_reader w =
  Switch.run @@ fun sw ->
  let s, _c = accepted_pair w ~sw in
  Fiber.both
    (fun () ->
      match Eio.Flow.single_read s (Cstruct.create 1) with
      | _ -> Alcotest.fail "read something"
      | exception Eio.Io (Eio.Net.E (Connection_reset _), _) -> ())
    (fun () ->
      Fiber.yield ();
      Eio.Flow.close s)

let slow_reader w =
  Switch.run @@ fun sw ->
  let s, c = accepted_pair w ~sw in
  let n = 8_000_000 in
  let sent = pattern n in
  Fiber.both
    (fun () ->
      Eio.Flow.copy_string sent c;
      Eio.Flow.shutdown c `Send)
    (fun () ->
      (* The windows fill and close; nothing may be lost or stuck. *)
      Eio.Time.Mono.sleep w.clock 0.7;
      Alcotest.(check bool) "bytes" true (read_all s = sent))

let udp w =
  Switch.run @@ fun sw ->
  let s = Eio.Net.datagram_socket ~sw w.net_a (`Udp (address "0.0.0.0", 53)) in
  let c = Eio.Net.datagram_socket ~sw w.net_b `UdpV4 in
  let big = pattern 20_000 in
  Eio.Net.send c ~dst:(`Udp (address server_address, 53)) [ Cstruct.of_string big ];
  let buf = Cstruct.create 65_536 in
  let from, n = Eio.Net.recv s buf in
  Alcotest.(check bool) "in fragments" true (Cstruct.to_string (Cstruct.sub buf 0 n) = big);
  Eio.Net.send s ~dst:from [ Cstruct.of_string "re"; Cstruct.of_string "ply" ];
  let _, n = Eio.Net.recv c buf in
  Alcotest.(check string) "reply" "reply" (Cstruct.to_string (Cstruct.sub buf 0 n))

let loopback w =
  Switch.run @@ fun sw ->
  let l = listen w ~sw in
  Fiber.both
    (fun () ->
      Switch.run @@ fun sw ->
      let c, _ = Eio.Net.accept ~sw l in
      Eio.Flow.copy c c)
    (fun () ->
      Switch.run @@ fun sw ->
      let c = Eio.Net.connect ~sw w.net_a (tcp "127.0.0.1" 80) in
      Eio.Flow.copy_string "to myself" c;
      Eio.Flow.shutdown c `Send;
      Alcotest.(check string) "echo" "to myself" (read_all c))

let ping w =
  (match Weir_eio.ping w.b ~sequence:1 (Ipaddr.V4.of_string_exn server_address) with
  | Reply { bytes; _ } -> Alcotest.(check int) "bytes" 56 bytes
  | Failed e -> Alcotest.fail e
  | Lost -> Alcotest.fail "lost");
  match Weir_eio.ping w.b ~sequence:2 (Ipaddr.V4.of_string_exn "192.0.2.9") with
  | Failed _ -> ()
  | _ -> Alcotest.fail "no route, yet an answer"

let names w =
  let one service node =
    List.map (Fmt.str "%a" Eio.Net.Sockaddr.pp) (Eio.Net.getaddrinfo ~service w.net_a node)
  in
  Alcotest.(check (list string))
    "literal"
    [ "tcp:10.1.2.3:443"; "udp:10.1.2.3:443" ]
    (one "https" "10.1.2.3");
  Alcotest.(check (list string)) "over TCP only" [ "tcp:10.1.2.3:80" ] (one "http" "10.1.2.3");
  Alcotest.(check (pair string string))
    "backwards" ("localhost", "domain")
    (Eio.Net.getnameinfo w.net_a (`Udp (Eio.Net.Ipaddr.V4.loopback, 53)));
  match one "80" "no.such.name" with
  | _ -> Alcotest.fail "found"
  | exception Eio.Io (Eio.Net.E (Address_lookup_failed NONAME), _) -> ()

(* What no host can have, and what it can after all. *)
let addresses _ =
  Eio_mock.Backend.run_full @@ fun env ->
  let host address =
    Switch.run @@ fun sw ->
    let link, _ = Memory.pair () in
    match Weir_eio.host ~sw ~clock:env#mono_clock ~link ~address () with
    | _ -> "taken"
    | exception Invalid_argument m -> m
  in
  let is expected address = Alcotest.(check string) address expected (host address) in
  let no_host's what a = is (Printf.sprintf "%s is %s, which no host can have" a what) a in
  no_host's "the network's own address" "10.0.0.0/24";
  no_host's "the network's broadcast address" "10.0.0.255/24";
  no_host's "the network's broadcast address" "10.0.0.3/30";
  no_host's "the broadcast address" "255.255.255.255/32";
  no_host's "a loopback address" "127.0.0.1/8";
  no_host's "a multicast address" "224.0.0.251/24";
  no_host's "an address that means \"this host\"" "0.0.0.0/0";
  no_host's "an address that means \"this host\"" "0.1.2.3/24";
  is "\"10.0.0.1\" is not an IPv4 address with a prefix length, such as 10.0.0.11/24" "10.0.0.1";
  List.iter (is "taken")
    [ "10.0.0.0/31"; "10.0.0.1/31"; "10.0.0.0/32"; "10.0.1.0/16"; "10.0.0.255/16" ]

let options w =
  Switch.run @@ fun sw ->
  let _, c = accepted_pair w ~sw in
  let open Eio.Net in
  setsockopt c Sockopt.TCP_NODELAY true;
  Alcotest.(check bool) "nodelay" true (getsockopt c Sockopt.TCP_NODELAY);
  setsockopt c Sockopt.TCP_KEEPIDLE 5;
  Alcotest.(check bool) "off until asked" false (getsockopt c Sockopt.SO_KEEPALIVE);
  setsockopt c Sockopt.SO_KEEPALIVE true;
  Alcotest.(check int) "keepidle" 5 (getsockopt c Sockopt.TCP_KEEPIDLE);
  Alcotest.(check string) "by default" "cubic" (getsockopt c Sockopt.TCP_CONGESTION);
  setsockopt c Sockopt.TCP_CONGESTION "reno";
  Alcotest.(check string) "chosen" "reno" (getsockopt c Sockopt.TCP_CONGESTION);
  match setsockopt c Sockopt.TCP_CORK true with
  | () -> Alcotest.fail "accepted"
  | exception Eio.Io (Eio.Net.E Invalid_option, _) -> ()

(* A host's list says which there are, and which comes first. *)
let named name (Weir_core.Congestion.Algorithm a) = Weir_core.Congestion.Algorithm { a with name }

let own_congestion =
  Weir_core.Config.
    { default with congestion = named "own" Weir_core.Reno.algorithm :: default.congestion }

let congestion_by_name w =
  Switch.run @@ fun sw ->
  let _, c = accepted_pair w ~sw in
  let open Eio.Net in
  let is what = Alcotest.(check string) what what (getsockopt c Sockopt.TCP_CONGESTION) in
  is "own";
  List.iter
    (fun name ->
      setsockopt c Sockopt.TCP_CONGESTION name;
      is name)
    [ "cubic"; "own"; "reno" ];
  match setsockopt c Sockopt.TCP_CONGESTION "nosuch" with
  | () -> Alcotest.fail "accepted"
  | exception Eio.Io _ -> is "reno"

(* An idle host sleeps: what 1,000 open connections cost in a second. *)
let idle w =
  Switch.run @@ fun sw ->
  let l = listen ~backlog:64 w ~sw in
  Fiber.both
    (fun () ->
      for _ = 1 to 1_000 do
        ignore (Eio.Net.accept ~sw l)
      done)
    (fun () ->
      for _ = 1 to 1_000 do
        ignore (connect w ~sw)
      done);
  Eio.Time.Mono.sleep w.clock 2.2;
  let meter = Idle.start () in
  Eio.Time.Mono.sleep w.clock 1.0;
  Idle.check (Idle.used meter)

let orderly_shutdown w =
  Switch.run @@ fun sw ->
  let s, c = accepted_pair w ~sw in
  Eio.Flow.copy_string "last words" s;
  Fiber.both
    (fun () -> Weir_eio.shutdown w.a)
    (fun () ->
      Alcotest.(check string) "all arrived, then the end" "last words" (read_all c);
      Eio.Flow.close c)

let connections w ~sw =
  let l = Weir_eio.Network.listen w.a ~sw ~port:80 ~backlog:4 in
  Fiber.pair
    (fun () -> Weir_eio.Network.accept l ~sw)
    (fun () -> Weir_eio.Network.connect w.b ~sw (Ipaddr.V4.of_string_exn server_address) ~port:80)

(* What a flow of the stack knows beside reading and writing, asked of the type
   that knows nothing. *)
let flow_extensions w =
  let module Flow = Weir_flow.Flow in
  Switch.run @@ fun sw ->
  let s, c = connections w ~sw in
  let flow = (Weir_eio.Connection.flow c :> Flow.flow) in
  Flow.write_string flow "hello";
  Option.iter (fun (f : Flow.half_close) -> f#shutdown_send) (Flow.cast flow Flow.Half_close);
  let got = Flow.read_all (Weir_eio.Connection.flow s) ~max:100 in
  Alcotest.(check string) "read up to the half-close" "hello" got;
  match Flow.cast flow Flow.Tcp with
  | None -> Alcotest.fail "no statistics"
  | Some tcp ->
      Alcotest.(check bool) "a window" true (tcp#tcp_info.cwnd >= 1_000);
      Option.iter (fun (f : Flow.closable) -> f#close) (Flow.cast flow Flow.Closable)

(* Views of the receive buffer, written on without a buffer between; then the
   other end's buffer opens again as they are done with. *)
let flow_views w =
  let open Weir_flow in
  Switch.run @@ fun sw ->
  let s, c = connections w ~sw in
  let sent = pattern 3_000_000 and flow = Weir_eio.Connection.flow c in
  let echo () =
    let s = Weir_eio.Connection.flow s in
    let n = Flow.copy s s in
    s#shutdown_send;
    n
  and send () =
    Flow.write_string flow sent;
    flow#shutdown_send
  in
  let sink = Memory.sink () in
  let echoed, ((), n) =
    Fiber.pair echo (fun () -> Fiber.pair send (fun () -> Flow.copy flow sink))
  in
  Alcotest.(check (pair int int)) "3 MB" (String.length sent, String.length sent) (echoed, n);
  Alcotest.(check bool) "the same" true (sink#contents = sent);
  Alcotest.(check int) "the end stays" 0 (Flow.read flow).len

(* Bytes that a view has shown are read: closing then is no loss to the peer. *)
let view_then_close w =
  let open Weir_flow in
  Switch.run @@ fun sw ->
  let s, c = connections w ~sw in
  let server = Weir_eio.Connection.flow s and client = Weir_eio.Connection.flow c in
  Flow.write_string client "question";
  Alcotest.(check string) "shown" "question" (Slice.to_string (Flow.read server));
  server#close;
  Alcotest.(check int) "an end, no reset" 0 (Flow.read client).len;
  match Flow.read server with
  | _ -> Alcotest.fail "read from a closed flow"
  | exception Flow.Error (Flow.Closed, _) -> ()

(* Short slices of one call share a segment. *)
let gathered w =
  let open Weir_flow in
  Switch.run @@ fun sw ->
  let s, c = connections w ~sw in
  Weir_eio.Connection.set_option c Eio.Net.Sockopt.TCP_NODELAY true;
  let client = Weir_eio.Connection.flow c and server = Weir_eio.Connection.flow s in
  let frames () = (Weir_eio.Host.link_stats w.b).tx_frames in
  let before = frames () in
  Flow.writev client (List.init 100 (fun i -> Slice.of_string (Printf.sprintf "%02d" i)));
  Fiber.yield ();
  Alcotest.(check int) "frames" 1 (frames () - before);
  Alcotest.(check int) "bytes" 200 (Flow.read server).len;
  (* More than the buffers hold, which a reader empties meanwhile. *)
  let pieces = List.init 1_000 (fun i -> pattern (i * 7)) in
  let all = String.concat "" pieces in
  let (), got =
    Fiber.pair
      (fun () ->
        Flow.writev client (List.map Slice.of_string pieces);
        client#shutdown_send)
      (fun () -> Flow.read_all server ~max:(String.length all))
  in
  Alcotest.(check bool) "3.5 MB" true (got = all)

(* A flow's reader knows no Eio: it meets the flow's own errors. *)
let flow_errors w =
  let open Weir_flow in
  Switch.run @@ fun sw ->
  let s, c = connections w ~sw in
  let client = Weir_eio.Connection.flow c in
  Flow.write_string (Weir_eio.Connection.flow s) "unread";
  Eio.Time.Mono.sleep w.clock 0.01;
  client#close;
  (match Flow.write_string client "x" with
  | () -> Alcotest.fail "wrote to a closed flow"
  | exception Flow.Error (Flow.Closed, _) -> ());
  match Flow.read_into (Weir_eio.Connection.flow s) (Bytes.create 1) ~off:0 ~len:1 with
  | _ -> Alcotest.fail "no reset"
  | exception Flow.Error (Flow.Reset, _) -> ()

(* A Weir flow as Eio's and back again, over a connection, 2 MB echoed. *)
let flow_adapters w =
  let module Flow = Weir_flow.Flow in
  Switch.run @@ fun sw ->
  let s, c = accepted_pair w ~sw in
  let there = Weir_eio.Flows.of_eio s in
  let and_back = Weir_eio.Flows.to_eio there in
  let sent = pattern 2_000_000 in
  let echo () =
    Eio.Flow.copy and_back and_back;
    Eio.Flow.shutdown and_back `Send
  and send () =
    Eio.Flow.copy_string sent c;
    Eio.Flow.shutdown c `Send
  in
  let (), ((), got) = Fiber.pair echo (fun () -> Fiber.pair send (fun () -> read_all c)) in
  Alcotest.(check bool) "2 MB" true (got = sent);
  Eio.Flow.close c;
  (* Resets cross in both directions. *)
  let s, c = accepted_pair w ~port:81 ~sw in
  let s' = Weir_eio.Flows.of_eio s in
  Eio.Flow.copy_string "unread" s;
  Eio.Time.Mono.sleep w.clock 0.01;
  Eio.Flow.close c;
  (match Flow.read s' with
  | _ -> Alcotest.fail "no reset"
  | exception Flow.Error (Flow.Reset, _) -> ());
  match Eio.Flow.read_all (Weir_eio.Flows.to_eio s') with
  | _ -> Alcotest.fail "no reset"
  | exception Eio.Io (Eio.Net.E (Connection_reset _), _) -> ()

(* What Eio's failures became comes back as itself, a timeout as a lost connection. *)
let adapted_errors _ =
  let module Flow = Weir_flow.Flow in
  let failing e =
    object
      inherit Flow.flow
      method read_into _ ~off:_ ~len:_ = raise (Flow.Error e)
      method write _ ~off:_ ~len:_ = raise (Flow.Error e)
    end
  in
  let read e = ignore (Eio.Flow.read_all (Weir_eio.Flows.to_eio (failing e))) in
  (match read Flow.timeout with
  | () -> Alcotest.fail "read"
  | exception Eio.Io (Eio.Exn.X (Eio_unix.Unix_error (ETIMEDOUT, _, _)), _) -> ());
  let own = Eio.Net.err Invalid_option in
  match read (Weir_eio.Flows.error own) with
  | () -> Alcotest.fail "read"
  | exception Eio.Io (Eio.Net.E Invalid_option, _) -> ()

let case ?config ?wrap name f = Suite.case name (fun () -> with_world ?config ?wrap f)

let () =
  Suite.run "eio"
    ([
       ( "tcp",
         [
           case "echo" echo;
           case "1 MB" transfer;
           case "20 MB" (transfer ~n:20_000_000);
           case "1 MB over a bad link" ~wrap:(impaired 1) transfer;
           case "refused" refused;
           case "no such host" (unreachable "10.0.0.77" EHOSTUNREACH);
           case "no route" (unreachable "192.0.2.1" ENETUNREACH);
           case "port 0" port_zero;
           case "port in use" port_in_use;
           case "half-close" half_close;
           case "close is idempotent" close_twice;
           case "unread data reset" reset_on_unread;
           case "released by a switch" closed_by_switch;
           case "a cancelled read loses nothing" cancelled_read;
           case "close wakes a reader" close_wakes_reader;
           case "slow reader" slow_reader;
           case "loopback" loopback;
           case "options" options;
           case ~config:own_congestion "congestion control by name" congestion_by_name;
           Suite.case "addresses that no host can have" addresses;
           case "a flow's extensions" flow_extensions;
           case "views of the receive buffer" flow_views;
           case "shown, then closed" view_then_close;
           case "slices gathered into segments" gathered;
           case "a flow's errors" flow_errors;
           case "flows of one kind as the other" flow_adapters;
           case "errors of one kind as the other's" adapted_errors;
           case "orderly shutdown" orderly_shutdown;
           Suite.slow "1,000 idle connections use no CPU" (fun () -> with_world idle);
         ] );
       ("udp", [ case "datagrams, also in fragments" udp ]);
       ("icmp", [ case "ping" ping ]);
       ("names", [ case "getaddrinfo" names ]);
     ]
    @ [ ("edge", Edge_tests.cases); ("domains", Domain_tests.cases) ]
    @ View_tests.tests @ Nodelay_tests.tests @ Spin_tests.tests)
