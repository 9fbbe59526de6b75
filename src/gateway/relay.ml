module Connection = Weir_eio.Connection
module Slice = Weir_flow.Slice

type outcome = Closed | Reset_by_client | Reset_by_server | Limited
type progress = { sent : int -> unit; received : int -> unit; client_closed : unit -> unit }

exception Failed of outcome

(* A failure of one side ends the relay, and says which side it was. *)
let side outcome f = try f () with Eio.Io _ -> raise (Failed outcome)

(* -- what a limit lets pass ------------------------------------------------- *)

type allowance = { limit : Decision.limit option; mutable left : int }

let allowance limit =
  {
    limit;
    left = Option.fold limit ~none:max_int ~some:(fun (l : Decision.limit) -> Int.max 0 l.bytes);
  }

let is_counted a way =
  match a.limit with None -> false | Some l -> l.counted = `Both || l.counted = way

let allowed a way n = if is_counted a way then Int.min n a.left else n
let spend a way n = if is_counted a way then a.left <- a.left - n

(* The limit of one direction stops both. *)
let is_reached a = a.left <= 0
let resets a = match a.limit with Some { then_ = `Reset; _ } -> true | _ -> false

(* -- the kernel's sockets ------------------------------------------------------ *)

external receive_now : Unix.file_descr -> Bytes.t -> int -> int -> int = "weir_gateway_receive"
[@@noalloc]

external send_now : Unix.file_descr -> Bytes.t -> int -> int -> int = "weir_gateway_send"
[@@noalloc]

external tcp_info : Unix.file_descr -> (int * int) option = "weir_gateway_tcp_info"

let again = -1
let failed = -2

type kernel = { rtt_ns : int; retransmitted : int }

let kernel_info server =
  Option.bind (Eio_unix.Resource.fd_opt server) @@ fun fd ->
  Eio_unix.Fd.use fd ~if_closed:(fun () -> None) tcp_info
  |> Option.map (fun (rtt_us, retransmitted) -> { rtt_ns = rtt_us * 1_000; retransmitted })

(* All of the [len] bytes at [off]. *)
let rec send_all fd b ~off ~len =
  if len > 0 then
    let n = send_now fd b off len in
    if n = failed then raise (Failed Reset_by_server)
    else if n = again then (
      Eio_unix.await_writable fd;
      send_all fd b ~off ~len)
    else send_all fd b ~off:(off + n) ~len:(len - n)

(* -- from the client to the server ------------------------------------------- *)

(* After the limit nothing passes, but the client's end is awaited. *)
let rec swallow client slice =
  side Reset_by_client (fun () -> Connection.view client slice);
  if slice.Slice.len > 0 then swallow client slice else raise (Failed Limited)

let stop a client slice =
  if resets a then raise (Failed Limited);
  swallow client slice

(* The bytes that a view shows stay where they are until the next. *)
let rec up a p ~client ~send slice =
  side Reset_by_client (fun () -> Connection.view client slice);
  let { Slice.bytes; off; len } = slice in
  if len > 0 then (
    let n = allowed a `Sent len in
    if n > 0 then (
      send bytes ~off ~len:n;
      spend a `Sent n;
      p.sent n);
    if is_reached a then stop a client slice;
    up a p ~client ~send slice)
  else if is_reached a then raise (Failed Limited)

(* -- from the server to the client ------------------------------------------- *)

exception Nothing_now
exception End

let most = 262_144

(* Reads into the connection's own buffer. *)
let fill a fd =
 fun b off len ->
  let n = receive_now fd b off (allowed a `Received len) in
  if n = again then raise_notrace Nothing_now
  else if n = failed then raise_notrace (Failed Reset_by_server)
  else if n = 0 then raise_notrace End
  else n

let rec down_direct a p ~client fd =
  match side Reset_by_client (fun () -> Connection.write_by client ~want:most (fill a fd)) with
  | n ->
      spend a `Received n;
      p.received n;
      if is_reached a then if resets a then raise (Failed Limited) else Eio.Fiber.await_cancel ();
      down_direct a p ~client fd
  | exception Nothing_now ->
      Eio_unix.await_readable fd;
      down_direct a p ~client fd
  | exception End -> ()

let first_buffer = 16_384
let longest_buffer = 65_536

let rec down_copied a p ~client ~server buffer =
  match side Reset_by_server (fun () -> Eio.Flow.single_read server buffer) with
  | exception End_of_file -> ()
  | length ->
      let n = allowed a `Received length in
      side Reset_by_client (fun () -> Eio.Flow.write client [ Cstruct.sub buffer 0 n ]);
      spend a `Received n;
      p.received n;
      if is_reached a then if resets a then raise (Failed Limited) else Eio.Fiber.await_cancel ();
      let filled = length = Cstruct.length buffer in
      let grows = filled && length < longest_buffer in
      down_copied a p ~client ~server (if grows then Cstruct.create longest_buffer else buffer)

(* -- both --------------------------------------------------------------------- *)

let shutdown outcome flow = side outcome (fun () -> Eio.Flow.shutdown flow `Send)

let both a p ~client ~server ~send ~down =
  let socket = Connection.socket client in
  let up () =
    up a p ~client ~send (Slice.empty ());
    shutdown Reset_by_server server;
    p.client_closed ()
  and down () =
    down ();
    shutdown Reset_by_client socket
  in
  match Eio.Fiber.both up down with
  | () -> Closed
  | exception Failed outcome -> outcome
  | exception Eio.Exn.Multiple ((Failed outcome, _) :: _) -> outcome

let run ?limit ~client ~server p =
  let a = allowance limit in
  let generic () =
    let send b ~off ~len =
      side Reset_by_server (fun () -> Eio.Flow.write server [ Cstruct.of_bytes ~off ~len b ])
    and down () =
      down_copied a p ~client:(Connection.socket client) ~server (Cstruct.create first_buffer)
    in
    both a p ~client ~server ~send ~down
  in
  match Eio_unix.Resource.fd_opt server with
  | None -> generic ()
  | Some fd ->
      Eio_unix.Fd.use fd ~if_closed:generic @@ fun fd ->
      let send b ~off ~len = send_all fd b ~off ~len and down () = down_direct a p ~client fd in
      both a p ~client ~server ~send ~down
