(* HTTP over a cable in memory: one host says hello, the other asks twice on one
   connection. *)

open Eio.Std
open Weir_http

let hello (request : Request.t) =
  match Request.path request.head with
  | "/" -> Response.text "hello from Weir\n"
  | _ -> Handler.not_found request

let serve listener =
  Switch.run @@ fun sw ->
  let connection = Weir_eio.Network.accept listener ~sw in
  Server.serve_connection (Server.create ()) (Weir_eio.Connection.flow connection) hello

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
  let host link address = Weir_eio.host ~sw ~clock:(Eio.Stdenv.mono_clock env) ~link ~address () in
  let server = host one_end "10.0.0.1/24" and client = host other_end "10.0.0.2/24" in
  let listener = Weir_eio.Network.listen server ~sw ~port:80 ~backlog:16 in
  Fiber.fork ~sw (fun () -> serve listener);
  let address = Ipaddr.V4.of_string_exn "10.0.0.1" in
  Switch.run @@ fun sw ->
  let connection = Weir_eio.Network.connect client ~sw address ~port:80 in
  let http = Client.create (Weir_eio.Connection.flow connection) in
  List.iter (get http) [ "/"; "/nothing" ]
