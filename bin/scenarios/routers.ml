open Eio.Std
open Weir_base
open Weir_link
open Scenario

let near = { Impairment.none with delay_ns = Time.ms 1 }
let far = { bad with duplicate = 0.; delay_ns = Time.ms 10; jitter_ns = Time.ms 1 }

(* client - 10.1.0.0/24 - west - 10.2.0.0/24 - east - 10.3.0.0/24 - server. The
   last network carries shorter packets, so that they arrive there in fragments. *)
let chain ~config settings world =
  let home = lan settings world near and between = lan settings world far in
  let site = lan settings world near ~mtu:1_300 in
  let router name ~gateway a b = Weir_sim.router world ~name ~gateway [ a; b ] in
  let west = router "west" (home, "10.1.0.1/24") (between, "10.2.0.1/24") ~gateway:"10.2.0.2" in
  let east = router "east" (between, "10.2.0.2/24") (site, "10.3.0.1/24") ~gateway:"10.2.0.1" in
  let server =
    Weir_sim.host world site "10.3.0.9/24" ~name:"server" ~gateway:"10.3.0.1" ~config
      ~main:Echoes.echo_server
  in
  let client name address = Weir_sim.host world home address ~name ~gateway:"10.1.0.1" ~config in
  ([ west; east ], server, client "client" "10.1.0.9/24", client "other" "10.1.0.10/24")

let router_crash =
  let play settings world =
    let routers, server, client, other = chain ~config:patient settings world in
    let random = Weir_sim.random world in
    let upset () =
      for _ = 1 to 4 do
        Weir_sim.sleep world (`Ms (Random.State.int random 3_000));
        let router = List.nth routers (Random.State.int random 2) in
        Weir_sim.crash router;
        Weir_sim.sleep world (`Ms (Random.State.int random 8_000));
        Weir_sim.restart router
      done
    in
    Fiber.both
      (fun () -> Echoes.converse client server ~rounds:50 ~upset)
      (fun () ->
        for _ = 1 to 3 do
          Echoes.ask other server (text other.random (1 + Random.State.int other.random 40_000));
          Eio.Time.Mono.sleep other.mono_clock 2.
        done);
    drained world (client :: other :: server :: routers)
  in
  {
    name = "router-crash";
    about = "a conversation and echoes through two routers, which crash and restart four times";
    play;
  }
