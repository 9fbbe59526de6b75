(* One host, several domains: every byte right, nobody hangs. *)

open Eio.Std
module Suite = Weir_test.Suite

let storm ~connections ~each ~large () =
  Eio_main.run @@ fun env ->
  Switch.run @@ fun sw ->
  let clock = Eio.Stdenv.mono_clock env in
  let link_a, link_b = Weir_link.Memory.pair () in
  let host link address = Weir_eio.(net (host ~sw ~clock ~link ~address ())) in
  let server = host link_a "10.0.0.1/24" and client = host link_b "10.0.0.2/24" in
  let w = { Weir_edges.Ends.server; at = "10.0.0.1"; client; sleep = Eio.Time.Mono.sleep clock } in
  Weir_edges.Storm.run w (Eio.Stdenv.domain_mgr env) ~connections ~each ~large

(* A host in each domain, and the cable between them. *)
let two_hosts () =
  Eio_main.run @@ fun env ->
  let clock = Eio.Stdenv.mono_clock env and bytes = 20_000_000 in
  let link_a, link_b = Weir_link.Memory.pair () in
  let text = Weir_edges.Ends.text bytes in
  let host ~sw link address = Weir_eio.(net (host ~sw ~clock ~link ~address ())) in
  let serve () =
    Switch.run @@ fun sw ->
    let net = host ~sw link_a "10.0.0.1/24" in
    let l = Eio.Net.listen ~sw ~backlog:4 net (Weir_edges.Ends.tcp "0.0.0.0" 80) in
    let c, _ = Eio.Net.accept ~sw l in
    Fiber.pair (fun () -> Eio.Flow.copy_string text c) (fun () -> Eio.Flow.read_all c = text) |> snd
  and ask () =
    Switch.run @@ fun sw ->
    let net = host ~sw link_b "10.0.0.2/24" in
    let c = Eio.Net.connect ~sw net (Weir_edges.Ends.tcp "10.0.0.1" 80) in
    let buf = Cstruct.create bytes in
    Fiber.both
      (fun () ->
        Eio.Flow.copy_string text c;
        Eio.Flow.shutdown c `Send)
      (fun () -> Eio.Flow.read_exact c buf);
    Cstruct.to_string buf = text
  in
  (* Checked here: two domains may not print at a time. *)
  let to_server, to_client =
    Fiber.pair serve (fun () -> Eio.Domain_manager.run (Eio.Stdenv.domain_mgr env) ask)
  in
  Alcotest.(check bool) "to the server" true to_server;
  Alcotest.(check bool) "to the client" true to_client

let cases =
  [
    Suite.case "a server in two domains" (storm ~connections:2_000 ~each:5_000 ~large:10_000_000);
    Suite.case "two hosts in two domains" two_hosts;
    Suite.slow "20,000 connections and 1 GB"
      (storm ~connections:20_000 ~each:5_000 ~large:225_000_000);
  ]
