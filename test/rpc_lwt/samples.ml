(* doc/messages.md shows the parts of this file; the build compares them. *)

open Weir_rpc
module Codec = Weir_message.Codec

[@@@part "lwt"]

open Weir_rpc_lwt

let calls_clock (c : Weir_lwt.Clock.t) : Clock.t = { now = c.now; sleep = Weir_lwt.Clock.sleep c }
let greet = Method.make "greet" Codec.string Codec.string

let serve ~clock listener =
  let answer name = Lwt.return ("Hello " ^ name) in
  let server = Server.create ~clock:(calls_clock clock) [ Handler (greet, answer) ] in
  Weir_lwt.Network.serve ~max_connections:1_000 listener (fun connection ->
      Lwt.map ignore (Server.serve server (Weir_lwt.Connection.flow connection)))

let ask ~clock connection =
  let flow = Weir_lwt.Connection.flow connection in
  let client = Client.create ~clock:(calls_clock clock) flow in
  Lwt.finalize
    (fun () -> Client.call client ~timeout_ns:2_000_000_000 greet "Ada")
    (fun () -> Client.close client)

[@@@part "end"]
