(* Calls that stream, each to be read as a loop: the server sends a walk as it goes, the client
   stops it when it has seen enough, and sends lines of which the server makes a sum. *)

open Weir_rpc
open Weir_rpc_eio
module Codec = Weir_message.Codec

let number = Codec.map ~name:"number" int_of_string string_of_int Codec.string
let walk = Method.Download (Method.make "walk" number number)
let sum = Method.Upload (Method.make "sum" number number)

(* [send] waits for a client that is slow. *)
let rec walking n send =
  send n;
  if n > 1 then walking (if n mod 2 = 0 then n / 2 else (3 * n) + 1) send

let rec adding total receive =
  match receive () with None -> total | Some n -> adding (total + n) receive

exception Enough

let () =
  Eio_main.run @@ fun env ->
  Eio.Switch.run @@ fun sw ->
  let clock = Eio.Stdenv.mono_clock env in
  let server = Server.create ~clock [ Download (walk, walking); Upload (sum, adding 0) ] in
  let here, there = Eio_unix.Net.socketpair_stream ~sw () in
  Eio.Fiber.fork ~sw (fun () -> ignore (Server.serve server (Weir_eio.Flows.of_eio there)));
  let client = Client.create ~sw ~clock (Weir_eio.Flows.of_eio here) in
  let show n = if n > 50 then raise Enough else Fmt.pr "%d@." n in
  (match Client.download client walk 13 show with
  | Ok () -> print_endline "at the end"
  | Error e -> print_endline (Error.to_string e));
  (try ignore (Client.download client walk 15 show) with Enough -> print_endline "enough");
  let send_all send = List.iter (fun n -> ignore (send n)) [ 13; 15; 27 ] in
  (match Client.upload client sum send_all with
  | Ok total -> Fmt.pr "the sum is %d@." total
  | Error e -> print_endline (Error.to_string e));
  Client.close client
