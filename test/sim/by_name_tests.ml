(* Connecting to names in worlds: several addresses, both families, callers that give up. *)

open Eio.Std
open Room
open Dns_room
module Zone = Weir_sim.Dns_server

let sockets h =
  Weir_eio.Host.with_stack h (fun stack ->
      ( Weir_core.Udp_sockets.length (Weir_core.Stack.udp stack),
        Weir_core.Tcp.length (Weir_core.Stack.tcp stack) ))

let by_name ~sw h node =
  match Weir_eio.connect h ~sw ~service:"echo" node with c -> Some c | exception Eio.Io _ -> None

let echoes c =
  let flow = Weir_eio.Connection.socket c in
  Eio.Flow.copy_string "x" flow;
  let b = Cstruct.create 1 in
  Eio.Flow.read_exact flow b;
  check_string "echo" "x" (Cstruct.to_string b);
  Weir_eio.Connection.abort c

let eyeballs world =
  Switch.run @@ fun sw ->
  let lan = Weir_sim.lan world in
  let _ = dns_at world lan resolver in
  let _ = Weir_sim.host world lan "10.0.0.1/24" ~main:echo_server in
  let h = own ~sw world lan in
  let connects node ~least ~most =
    let c, took = until_answered world (fun () -> by_name ~sw h node) in
    (match c with Some c -> echoes c | None -> Alcotest.failf "%s: no connection" node);
    if took < least || took > most then Alcotest.failf "%s: %g s" node took
  in
  connects "10.0.0.1" ~least:0. ~most:0.01;
  connects "www.example" ~least:0. ~most:0.01;
  connects "both.example" ~least:0. ~most:0.01;
  connects "two.example" ~least:0.25 ~most:0.27;
  Weir_sim.sleep world (`S 5);
  Alcotest.(check (pair int int)) "nothing is left" (0, 0) (sockets h);
  let fails node want =
    match Weir_eio.connect h ~sw ~service:"echo" node with
    | _ -> Alcotest.failf "%s: connected" node
    | exception Eio.Io (e, _) ->
        let got = Fmt.str "%a" Eio.Exn.pp_err e in
        if not (contains got want) then Alcotest.failf "%s: %s" node got
  in
  fails "nobody.example" "NONAME";
  fails "six.example" "unreachable";
  match Weir_eio.connect h ~sw ~service:"no such" "www.example" with
  | _ -> Alcotest.fail "connected"
  | exception Eio.Io (Eio.Net.E (Address_lookup_failed SERVICE), _) -> ()

let dual_echo (h : Weir_sim.host) =
  Switch.run @@ fun sw ->
  let socket =
    Eio.Net.listen ~sw ~reuse_addr:true ~backlog:16 h.net (`Tcp (Eio.Net.Ipaddr.V6.any, 7))
  in
  Eio.Net.run_server socket ~on_error:ignore (fun flow _peer -> Eio.Flow.copy flow flow)

(* The server is asked over IPv6; a name's IPv6 address is tried first, and IPv4's a quarter of a
   second later if that is dead. *)
let both_families world =
  Switch.run @@ fun sw ->
  let lan = Weir_sim.lan world in
  let host a b =
    Weir_sim.host world lan (Printf.sprintf "10.0.0.%d/24,2001:db8::%d/64" a a) ~main:b
  in
  let _ = host 53 (dns ()) and web = host 1 dual_echo in
  let random = Random.State.make [| Weir_sim.seed world |] in
  let h =
    Weir_eio.host ~sw ~clock:(Weir_sim.mono_clock world) ~random ~linger_ns:0
      ~link:(Weir_sim.link world lan) ~address:"10.0.0.9/24,2001:db8::9/64"
      ~resolvers:[ Ipaddr.of_string_exn "2001:db8::53" ]
      ()
  in
  Weir_sim.sleep world (`S 5);
  is (Weir_eio.net h) "dual.example" "2001:db8::1 10.0.0.1";
  let connects node want ~least ~most =
    let c, took = until_answered world (fun () -> Weir_eio.connect h ~sw ~service:"echo" node) in
    let remote =
      match Weir_eio.Connection.remote_address c with
      | `Tcp (a, _) -> Fmt.str "%a" Eio.Net.Ipaddr.pp a
      | `Unix _ -> "?"
    in
    check_string node want remote;
    echoes c;
    if took < least || took > most then Alcotest.failf "%s: %g s" node took
  in
  (* By RFC 6724 a private IPv6 address comes after IPv4's. *)
  is (Weir_eio.net h) "both.example" "10.0.0.1 fd00::1";
  connects "dual.example" "2001:db8::1" ~least:0. ~most:0.05;
  connects "only6.example" "2001:db8::1" ~least:0. ~most:0.05;
  connects "half.example" "10.0.0.1" ~least:0.25 ~most:0.3;
  Weir_sim.crash web;
  match Weir_eio.connect h ~sw ~service:"echo" "dual.example" with
  | _ -> Alcotest.fail "connected"
  | exception Eio.Io _ -> ()

(* A caller that gives up leaves nothing behind. *)
let cancelled world =
  Switch.run @@ fun sw ->
  let lan = Weir_sim.lan world in
  let _ = Weir_sim.host world lan "10.0.0.1/24" ~main:echo_server in
  let h = own ~sw world lan in
  let clock = Weir_sim.mono_clock world in
  let given_up f =
    match Eio.Time.Timeout.run (Eio.Time.Timeout.seconds clock 0.5) (fun () -> Ok (f ())) with
    | Ok _ -> Alcotest.fail "an answer"
    | Error `Timeout -> ()
  in
  given_up (fun () -> ignore (addresses (Weir_eio.net h) "www.example" : string));
  given_up (fun () ->
      ignore (Weir_eio.connect h ~sw ~service:"echo" "www.example" : Weir_eio.Connection.t));
  Alcotest.(check (pair int int)) "nothing is left" (0, 0) (sockets h);
  let _ = dns_at world lan resolver in
  given_up (fun () ->
      ignore (Weir_eio.connect h ~sw ~service:"echo" "dead.example" : Weir_eio.Connection.t));
  Alcotest.(check int) "no UDP sockets" 0 (fst (sockets h));
  is (Weir_eio.net h) "www.example" "10.0.0.1"

let cases =
  [
    Suite.case "connect by name" (in_world eyeballs);
    Suite.case "both families" (in_world both_families);
    Suite.case "cancelled" (in_world cancelled);
  ]
