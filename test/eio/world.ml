(* Two hosts on one cable, in real time, and the calls that most tests begin with. *)

open Eio.Std
module Ends = Weir_edges.Ends

let address = Ends.address
let tcp = Ends.tcp
let server_address = "10.0.0.1"

type world = {
  a : Weir_eio.host;
  b : Weir_eio.host;
  net_a : [ `Generic ] Eio.Net.ty r;
  net_b : [ `Generic ] Eio.Net.ty r;
  clock : Eio.Time.Mono.ty r;
}

let within clock s f = Eio.Time.Timeout.(run_exn (seconds clock s)) f

let host ?config ?linger_ns ?seed ~sw ~clock link address =
  let random = Option.map (fun seed -> Random.State.make [| seed |]) seed in
  Weir_eio.host ~sw ~clock ?config ?linger_ns ?random ~link ~address ()

(* [wrap] impairs the client's end. *)
let with_world ?config ?(wrap = Fun.id) f =
  Eio_main.run @@ fun env ->
  Switch.run @@ fun sw ->
  let clock = Eio.Stdenv.mono_clock env in
  let link_a, link_b = Weir_link.Memory.pair () in
  let a = host ?config ~seed:1 ~sw ~clock link_a (server_address ^ "/24") in
  let b = host ?config ~seed:2 ~sw ~clock (wrap link_b) "10.0.0.2/24" in
  within clock 60. @@ fun () ->
  f { a; b; net_a = Weir_eio.net a; net_b = Weir_eio.net b; clock :> Eio.Time.Mono.ty r }

let case ?config ?wrap name f = Weir_test.Suite.case name (fun () -> with_world ?config ?wrap f)
let sleep w s = Eio.Time.Mono.sleep w.clock s

let listen ?(backlog = 16) ?(port = 80) w ~sw =
  Eio.Net.listen ~sw ~reuse_addr:true ~backlog w.net_a (tcp "0.0.0.0" port)

let connect ?(port = 80) w ~sw = Eio.Net.connect ~sw w.net_b (tcp server_address port)

let pair ?port w ~sw =
  let l = listen ?port w ~sw in
  Fiber.pair (fun () -> fst (Eio.Net.accept ~sw l)) (fun () -> connect ?port w ~sw)

(* The same as the driver's own connections. *)
let connections w ~sw =
  let l = Weir_eio.Network.listen w.a ~sw ~port:80 ~backlog:4 in
  Fiber.pair
    (fun () -> Weir_eio.Network.accept l ~sw)
    (fun () -> Weir_eio.Network.connect w.b ~sw (Ipaddr.of_string_exn server_address) ~port:80)

let read_all flow = Eio.Flow.read_all flow
let pattern = Weir_test.Text.random
