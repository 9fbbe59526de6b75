(* Worlds as the tests here want them, and programs for any network. *)

open Eio.Std
open Weir_link
module Suite = Weir_test.Suite

let check_int = Alcotest.(check int)
let check_bool = Alcotest.(check bool)
let check_string = Alcotest.(check string)
let ip a = Eio.Net.Ipaddr.of_raw (Ipaddr.to_octets a)
let tcp (h : Weir_sim.host) port : Eio.Net.Sockaddr.stream = `Tcp (ip h.address, port)
let any port : Eio.Net.Sockaddr.stream = `Tcp (Eio.Net.Ipaddr.V6.any, port)

let echo_server_at at (h : Weir_sim.host) =
  Switch.run @@ fun sw ->
  let socket = Eio.Net.listen ~sw ~reuse_addr:true ~backlog:16 h.net (`Tcp (at, 7)) in
  Eio.Net.run_server socket ~on_error:ignore (fun flow _peer -> Eio.Flow.copy flow flow)

let echo_server h = echo_server_at Eio.Net.Ipaddr.V4.any h
let connect ~sw (from : Weir_sim.host) to_ = Eio.Net.connect ~sw from.net (tcp to_ 7)

let ask client server question =
  Switch.run @@ fun sw ->
  let flow = connect ~sw client server in
  (* Both at once: who does not read has a small buffer. *)
  let send () =
    Eio.Flow.copy_string question flow;
    Eio.Flow.shutdown flow `Send
  in
  snd (Eio.Fiber.pair send (fun () -> Eio.Flow.read_all flow))

type pair = {
  world : Weir_sim.world;
  lan : Weir_sim.lan;
  server : Weir_sim.host;
  client : Weir_sim.host;
}

(* An echo server and a client on one LAN. *)
let pair ?config ?impairment ?(latency = `Ms 1) ?loss ?(main = echo_server) world =
  let lan = Weir_sim.lan ?impairment ~latency ?loss world in
  let server = Weir_sim.host world lan "10.0.0.1/24" ~name:"server" ?config ~main in
  { world; lan; server; client = Weir_sim.host world lan "10.0.0.2/24" ~name:"client" ?config }

let in_pair ?seed ?config ?impairment ?latency ?loss ?trace ?pcap ?main f () =
  Weir_sim.run ?seed ?trace ?pcap (fun world ->
      f (pair ?config ?impairment ?latency ?loss ?main world))

(* What says in so many words that a connection broke. *)
let expect_broken what f =
  match f () with _ -> Alcotest.failf "%s: no error" what | exception Eio.Io _ -> ()

let failure f : Weir_sim.Failure.t =
  match f () with
  | _ -> Alcotest.fail "the run did not fail"
  | exception Weir_sim.Failed failure -> failure

let contains = Weir_test.Text.contains

let expect_line lines part =
  if not (List.exists (fun l -> contains l part) lines) then
    Alcotest.failf "no %S in:\n%s" part (String.concat "\n" lines)

let seconds world = Weir_base.Time.to_float_s (Weir_sim.now world)

let lossy =
  {
    Impairment.none with
    loss = Steady 0.05;
    duplicate = 0.02;
    corrupt = 0.01;
    reorder = 0.05;
    reorder_ns = 3_000_000;
    delay_ns = 10_000_000;
    jitter_ns = 2_000_000;
  }

let quick =
  {
    Weir_core.Config.default with
    retries = 3;
    syn_retries = 2;
    rto_max = Weir_base.Time.s 2;
    orphan_timeout = Weir_base.Time.s 5;
  }

let text n = String.init n (fun i -> Char.chr (97 + (i * i / 7 mod 26)))
