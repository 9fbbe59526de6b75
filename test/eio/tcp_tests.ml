(* What Eio.Net asks of TCP: connections, their options and their ends, between two hosts. *)

open Eio.Std
open World
module Suite = Weir_test.Suite
module Idle = Weir_test.Idle

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

let half_close w =
  Switch.run @@ fun sw ->
  let s, c = pair w ~sw in
  Eio.Flow.copy_string "question" c;
  Eio.Flow.shutdown c `Send;
  Alcotest.(check string) "server reads" "question" (read_all s);
  Eio.Flow.copy_string "answer" s;
  Eio.Flow.close s;
  Alcotest.(check string) "client reads" "answer" (read_all c)

let close_twice w =
  Switch.run @@ fun sw ->
  let s, c = pair w ~sw in
  Eio.Flow.close c;
  Eio.Flow.close c;
  (match Eio.Flow.copy_string "x" c with
  | () -> Alcotest.fail "wrote to a closed flow"
  | exception Invalid_argument _ -> ());
  Alcotest.(check string) "the end" "" (read_all s)

let reset_on_unread w =
  Switch.run @@ fun sw ->
  let s, c = pair w ~sw in
  Eio.Flow.copy_string "unread" c;
  sleep w 0.01;
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
  let s, c = pair w ~sw in
  let buf = Cstruct.create 10 in
  (match within w.clock 0.02 (fun () -> Eio.Flow.single_read s buf) with
  | _ -> Alcotest.fail "read something"
  | exception Eio.Time.Timeout -> ());
  Eio.Flow.copy_string "later" c;
  let n = Eio.Flow.single_read s buf in
  Alcotest.(check string) "nothing was lost" "later" (Cstruct.to_string (Cstruct.sub buf 0 n))

let close_wakes_reader w =
  Switch.run @@ fun sw ->
  let s, _c = pair w ~sw in
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
  let s, c = pair w ~sw in
  let n = 8_000_000 in
  let sent = pattern n in
  Fiber.both
    (fun () ->
      Eio.Flow.copy_string sent c;
      Eio.Flow.shutdown c `Send)
    (fun () ->
      (* The windows fill and close; nothing may be lost or stuck. *)
      sleep w 0.7;
      Alcotest.(check bool) "bytes" true (read_all s = sent))

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

let options w =
  Switch.run @@ fun sw ->
  let _, c = pair w ~sw in
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
  let _, c = pair w ~sw in
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

(* What no host can have, and what it can after all. *)
let addresses _ =
  Eio_mock.Backend.run_full @@ fun env ->
  let host address =
    Switch.run @@ fun sw ->
    let link, _ = Weir_link.Memory.pair () in
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
  is "\"10.0.0.1\" is not an IP address with a prefix length, such as 10.0.0.11/24 or fd00::11/64"
    "10.0.0.1";
  List.iter (is "taken")
    [ "10.0.0.0/31"; "10.0.0.1/31"; "10.0.0.0/32"; "10.0.1.0/16"; "10.0.0.255/16" ]

let orderly_shutdown w =
  Switch.run @@ fun sw ->
  let s, c = pair w ~sw in
  Eio.Flow.copy_string "last words" s;
  Fiber.both
    (fun () -> Weir_eio.shutdown w.a)
    (fun () ->
      Alcotest.(check string) "all arrived, then the end" "last words" (read_all c);
      Eio.Flow.close c)

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
  sleep w 2.2;
  let meter = Idle.start () in
  sleep w 1.0;
  Idle.check (Idle.used meter)

let cases =
  [
    case "echo" echo;
    case "1 MB" transfer;
    case "20 MB" (transfer ~n:20_000_000);
    case "1 MB over a bad link" ~wrap:(Weir_test.Bad_link.wrap 1) transfer;
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
    case "orderly shutdown" orderly_shutdown;
    Suite.slow "1,000 idle connections use no CPU" (fun () -> with_world idle);
  ]
