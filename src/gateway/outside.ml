open Eio.Std

type datagrams = { send : Bytes.t -> unit; receive : unit -> Bytes.t }

let longest = 65_507
let to_eio (a, port) = (Eio.Net.Ipaddr.of_raw (Ipaddr.to_octets a), port)

let of_net net ~sw to_ =
  let family = match fst to_ with Ipaddr.V4 _ -> `UdpV4 | V6 _ -> `UdpV6 in
  let socket = Eio.Net.datagram_socket ~sw net family in
  let target = `Udp (to_eio to_) and buffer = lazy (Cstruct.create longest) in
  let rec receive () =
    let buffer = Lazy.force buffer in
    let from, n = Eio.Net.recv socket buffer in
    if from = target then Cstruct.to_bytes (Cstruct.sub buffer 0 n) else receive ()
  in
  { send = (fun b -> Eio.Net.send socket ~dst:target [ Cstruct.of_bytes b ]); receive }

let error = function
  | Eio.Io (Eio.Exn.X (Eio_unix.Unix_error (e, _, _)), _) -> Some e
  | Eio.Io (Eio.Net.E (Connection_failure (Refused (Eio_unix.Unix_error (e, _, _)))), _)
  | Eio.Io (Eio.Net.E (Connection_reset (Eio_unix.Unix_error (e, _, _))), _)
  | Eio.Io (Eio.Fs.E (Permission_denied (Eio_unix.Unix_error (e, _, _))), _) ->
      Some e
  | Eio.Io (Eio.Net.E (Connection_failure Timeout), _) -> Some ETIMEDOUT
  | _ -> None

let sockaddr (a, port) =
  Unix.ADDR_INET (Eio_unix.Net.Ipaddr.to_unix (Eio.Net.Ipaddr.of_raw (Ipaddr.to_octets a)), port)

(* System calls of our own: the descriptor does not block, and is used in no other way. *)
let call f = try f () with Unix.Unix_error (e, call, what) -> raise (Eio_unix.Err.v e call what)

let connected ~sw kind ~protocol to_ =
  let family = match fst to_ with Ipaddr.V4 _ -> Unix.PF_INET | V6 _ -> PF_INET6 in
  call @@ fun () ->
  let fd = Unix.socket ~cloexec:true family kind protocol in
  let hook = Switch.on_release_cancellable sw (fun () -> Unix.close fd) in
  match
    Unix.set_nonblock fd;
    Unix.connect fd (sockaddr to_)
  with
  | () -> fd
  | exception e ->
      ignore (Switch.try_remove_hook hook : bool);
      Unix.close fd;
      raise e

let rec send fd b =
  match Unix.send fd b 0 (Bytes.length b) [] with
  | _ -> ()
  | exception Unix.Unix_error (EINTR, _, _) -> send fd b
  (* A full queue: the datagram is lost. *)
  | exception Unix.Unix_error ((EAGAIN | EWOULDBLOCK | ENOBUFS), _, _) -> ()

(* No fiber runs between a read and the copy, so that one buffer for each domain does. *)
let scratch = Domain.DLS.new_key (fun () -> Bytes.create longest)

let rec receive fd =
  match Unix.recv fd (Domain.DLS.get scratch) 0 longest [] with
  | n -> Bytes.sub (Domain.DLS.get scratch) 0 n
  | exception Unix.Unix_error ((EAGAIN | EWOULDBLOCK | EINTR), _, _) ->
      Eio_unix.await_readable fd;
      receive fd

let datagrams ~sw to_ =
  let fd = connected ~sw SOCK_DGRAM ~protocol:0 to_ in
  {
    send = (fun b -> call (fun () -> send fd b));
    receive = (fun () -> call (fun () -> receive fd));
  }

(* -- echo ------------------------------------------------------------------- *)

let header = 8
let icmp = function Ipaddr.V4 _ -> (1, 8, 0) | V6 _ -> (58, 128, 129)

let ping ~clock ?(timeout_ns = 10_000_000_000) address ~sequence data =
  Switch.run @@ fun sw ->
  let protocol, request, reply = icmp address in
  let fd = connected ~sw SOCK_DGRAM ~protocol (address, 0) in
  let message = Bytes.make (header + String.length data) '\000' in
  Bytes.set_uint8 message 0 request;
  Bytes.set_uint16_be message 6 sequence;
  Bytes.blit_string data 0 message header (String.length data);
  (* The kernel writes the identifier and the checksum, and gives us answers to them only. *)
  call (fun () -> send fd message);
  let rec answer () =
    let b = call (fun () -> receive fd) in
    if Bytes.length b >= header && Bytes.get_uint8 b 0 = reply && Bytes.get_uint16_be b 6 = sequence
    then Ok (Bytes.sub_string b header (Bytes.length b - header))
    else answer ()
  in
  let limit = Mtime.Span.of_uint64_ns (Int64.of_int timeout_ns) in
  match Eio.Time.Timeout.run (Eio.Time.Timeout.v clock limit) answer with
  | Ok data -> Some data
  | Error `Timeout -> None
