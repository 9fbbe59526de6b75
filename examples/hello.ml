(* HTTP over a cable in memory: one host says hello, the other asks twice on one
   connection. *)

open Eio.Std
open Weir_http

let hello (request : Request.t) =
  match Request.path request.head with
  | "/" -> Response.text "hello from Weir\n"
  | _ -> Handler.not_found request

let serve ~net ~clock =
  Switch.run @@ fun sw ->
  let server = Weir_http_eio.Server.create ~sw ~clock hello in
  let address = `Tcp (Eio.Net.Ipaddr.V4.any, 80) in
  Weir_http_eio.Server.run server (Eio.Net.listen ~sw ~backlog:16 net address)

let get client path =
  match Client.get client { host = "10.0.0.1"; port = 80; target = path } with
  | Error e -> Fmt.pr "%s: %a@." path Error.pp e
  | Ok response ->
      let body = Weir_flow.Flow.read_all response.body ~max:1_000 in
      Fmt.pr "%s: %d, %S@." path response.head.status body

let () =
  Eio_main.run @@ fun env ->
  Switch.run @@ fun sw ->
  let one_end, other_end = Weir_link.Memory.pair () in
  let clock = Eio.Stdenv.mono_clock env in
  let host link address = Weir_eio.host ~sw ~clock ~link ~address () in
  let server = host one_end "10.0.0.1/24" and client = host other_end "10.0.0.2/24" in
  Fiber.first
    (fun () -> serve ~net:(Weir_eio.net server) ~clock)
    (fun () ->
      let address = Ipaddr.of_string_exn "10.0.0.1" in
      let connection = Weir_eio.Network.connect client ~sw address ~port:80 in
      let http = Client.create (Weir_eio.Connection.flow connection) in
      List.iter (get http) [ "/"; "/nothing" ])
