open Lwt.Syntax
open World
module Suite = Weir_test.Suite
module Host = Weir_lwt.Host
module Datagram = Weir_lwt.Datagram
module Flow_lwt = Weir_flow_lwt.Flow_lwt

let elsewhere f = Domain.join (Domain.spawn f)
let b = Bytes.create 10
let buf = Cstruct.create 10
let seen p = ignore (p : _ Lwt.t)

let calls (w : World.t) l s d =
  let flow = Connection.flow s in
  let module M = Weir_lwt.Mirage_flow in
  let module C = Weir_lwt.Conduit_flow in
  [
    ("stack", fun () -> ignore (Host.stack w.a : Weir_core.Stack.t));
    ("flush", fun () -> Host.flush w.a);
    ("sleep", fun () -> seen (Host.sleep w.a 1));
    ("shutdown of a host", fun () -> seen (Weir_lwt.shutdown w.a));
    ("close of a host", fun () -> seen (Host.close w.a));
    ("ping", fun () -> seen (Weir_lwt.ping w.b ~sequence:1 (ip server_address)));
    ("connect", fun () -> seen (Network.connect w.b (ip server_address) ~port:80));
    ("listen", fun () -> ignore (Network.listen w.a ~port:81 ~backlog:1 : _ result));
    ("accept", fun () -> seen (Network.accept l));
    ("serve", fun () -> seen (Network.serve l (fun _ -> Lwt.return_unit)));
    ("close_listener", fun () -> seen (Network.close_listener l));
    ("read", fun () -> seen (Connection.read s b ~off:0 ~len:10));
    ("read_into", fun () -> seen (Connection.read_into s buf));
    ("read_fresh", fun () -> seen (Connection.read_fresh s));
    ("write", fun () -> seen (Connection.write s b ~off:0 ~len:10));
    ("write_string", fun () -> seen (Connection.write_string s "x"));
    ("writev", fun () -> seen (Connection.writev s [ buf ]));
    ("write_some", fun () -> seen (Connection.write_some s [ buf ]));
    ("shutdown", fun () -> Connection.shutdown s `Send);
    ("close", fun () -> seen (Connection.close s));
    ("abort", fun () -> Connection.abort s);
    ("set_nodelay", fun () -> Connection.set_nodelay s true);
    ("set_keepalive", fun () -> Connection.set_keepalive s None);
    ("set_user_timeout", fun () -> Connection.set_user_timeout s None);
    ("info", fun () -> ignore (Connection.info s : Weir_flow.Flow.tcp_info));
    ("a flow's read", fun () -> seen flow#read);
    ("a flow's write", fun () -> seen (Flow_lwt.write flow buf));
    ("a flow's shutdown_send", fun () -> seen flow#shutdown_send);
    ("a flow's close", fun () -> seen flow#close);
    ("Mirage's read", fun () -> seen (M.read s));
    ("Mirage's write", fun () -> seen (M.write s buf));
    ("Conduit's recv", fun () -> seen (C.recv s buf));
    ( "Conduit's connect",
      fun () -> seen (C.connect { host = w.b; address = ip server_address; port = 80 }) );
    ("open_", fun () -> ignore (Datagram.open_ w.a ~port:10 : _ result));
    ("a datagram's connect", fun () -> Datagram.connect d (ip "10.0.0.2") ~port:9);
    ("send", fun () -> seen (Datagram.send_string d ~dst:(ip "10.0.0.2", 9) "x"));
    ("recv", fun () -> seen (Datagram.recv d b ~off:0 ~len:10));
    ("a datagram's close", fun () -> seen (Datagram.close d));
  ]

let refused (w : World.t) =
  let* s, c = pair w in
  let l = listen w in
  let d = get_ok (Datagram.open_ w.a ~port:9) in
  let here = (Domain.self () :> int) in
  let went_on =
    elsewhere (fun () ->
        let there = (Domain.self () :> int) in
        let is_refused (_, call) =
          match call () with
          | () -> false
          | exception Error.Wrong_domain { owner; caller } -> owner = here && caller = there
        in
        List.filter (fun call -> not (is_refused call)) (calls w l s d))
  in
  Alcotest.(check (list string)) "went on" [] (List.map fst went_on);
  (* And nothing has happened. *)
  let* () = write c "still there" in
  Connection.shutdown c `Send;
  let* got = read_all s in
  Alcotest.(check string) "all is as it was" "still there" got;
  let* () = Network.close_listener l in
  Datagram.close d

(* A host of another domain at the far end of the cable answers. *)
let link () =
  let a, b = Weir_link.Memory.pair () in
  let stop = Atomic.make false in
  let far =
    Domain.spawn (fun () ->
        Eio_main.run @@ fun env ->
        Eio.Switch.run @@ fun sw ->
        let clock = Eio.Stdenv.mono_clock env in
        ignore (Weir_eio.host ~sw ~clock ~link:b ~address:"10.0.0.2/24" () : Weir_eio.host);
        while not (Atomic.get stop) do
          Eio.Time.Mono.sleep clock 0.001
        done)
  in
  let pong =
    Lwt_main.run
      (let host = Weir_lwt.host ~link:a ~address:"10.0.0.1/24" () in
       let* pong = Weir_lwt.ping host ~timeout_ns:10_000_000_000 ~sequence:1 (ip "10.0.0.2") in
       let* () = Weir_lwt.Host.close host in
       Lwt.return pong)
  in
  Atomic.set stop true;
  Domain.join far;
  match pong with Reply _ -> () | Failed e -> Alcotest.fail e | Lost -> Alcotest.fail "no answer"

let message () =
  let text = Printexc.to_string (Error.Wrong_domain { owner = 0; caller = 3 }) in
  Alcotest.(check string)
    "what to do"
    "Weir_lwt.Error.Wrong_domain: domain 3 called a host of domain 0; make the call there \
     (Lwt_unix.send_notification wakes its loop), or give each domain its own host"
    text

let words w =
  let before = Gc.minor_words () in
  for _ = 1 to 1_000 do
    Host.check w.a
  done;
  let spent = Gc.minor_words () -. before in
  if spent > 10. then Alcotest.failf "%.0f words for 1,000 checks" spent;
  Lwt.return_unit

let cases =
  [
    Suite.case "every call is refused, and nothing happens" (fun () -> run_virtual refused);
    Suite.case "a link's notice comes from any domain" link;
    Suite.case "the exception says what to do" message;
    Suite.case "the check allocates nothing" (fun () -> run_virtual words);
  ]
