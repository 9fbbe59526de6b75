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

let cases =
  [
    Suite.case "a server in two domains" (storm ~connections:2_000 ~each:5_000 ~large:10_000_000);
    Suite.slow "20,000 connections and 1 GB"
      (storm ~connections:20_000 ~each:5_000 ~large:225_000_000);
  ]
