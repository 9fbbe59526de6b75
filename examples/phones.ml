(* A protobuf service on both sides: protoc-gen-weir made Phones_pb of phones.proto. Two hosts on
   a cable in memory; the calls run at once, over one connection. *)

open Eio.Std
open Weir_rpc
open Weir_rpc_eio

module Book = struct
  let find ({ name; _ } : Phones_pb.Person.t) =
    match name with
    | "Ada" -> Phones_pb.Number.make ~digits:"1815" ()
    | _ -> Failure.fail (Application 404) (name ^ " has no phone")
end

let serve ~sw ~clock net address =
  let server = Server.create ~clock (Protobuf.handlers (Phones_pb.Book.handlers (module Book))) in
  let socket = Eio.Net.listen ~sw ~backlog:16 net address in
  Fiber.fork_daemon ~sw (fun () ->
      Eio.Net.run_server socket ~on_error:(traceln "%a" Fmt.exn) (fun flow _peer ->
          ignore (Server.serve server (Weir_eio.Flows.of_eio flow))))

let ask client name =
  match
    Client.call client (Protobuf.unary Phones_pb.Book.find) (Phones_pb.Person.make ~name ())
  with
  | Ok number -> number.digits
  | Error e -> Fmt.str "%a" Error.pp e

let () =
  Eio_main.run @@ fun env ->
  Switch.run @@ fun sw ->
  let clock = Eio.Stdenv.mono_clock env in
  let one_end, other_end = Weir_link.Memory.pair () in
  let net link address = Weir_eio.(net (host ~sw ~clock ~link ~address ())) in
  let address = `Tcp (Eio.Net.Ipaddr.of_raw "\010\000\000\001", 7) in
  serve ~sw ~clock (net one_end "10.0.0.1/24") address;
  let flow = Eio.Net.connect ~sw (net other_end "10.0.0.2/24") address in
  let client = Client.create ~sw ~clock (Weir_eio.Flows.of_eio flow) in
  List.iter print_endline (Fiber.List.map (ask client) [ "Ada"; "Grace" ]);
  Client.close client
