open Eio.Std
module Sockopt = Eio.Net.Sockopt

type net = [ `Generic | `Unix ] Eio.Net.ty r
type stream = [ `Generic | `Unix ] Eio.Net.stream_socket_ty r
type listener = [ `Generic | `Unix ] Eio.Net.listening_socket_ty r
type datagram = [ `Generic | `Unix ] Eio.Net.datagram_socket_ty r
type address = Eio.Net.Ipaddr.v4v6

(* Two networks, or the same one twice, and what a question has for itself. *)
type t = {
  sw : Switch.t;
  server : net;
  client : net;
  at : address;  (** the server's *)
  here : address;  (** the client's *)
  broadcast : address;
  port : int;  (** this one and the nine after it are nobody else's *)
  clock : Eio.Time.Mono.ty r;
  domains : Eio.Domain_manager.ty r;
  patience : float;  (** seconds after which a call hangs *)
}

(* -- what a program can match on ----------------------------------------- *)

let code e =
  let s = Printexc.to_string (Unix.Unix_error (e, "", "")) in
  Scanf.sscanf s "Unix.Unix_error(%s@," (fun name ->
      match String.index_opt name '.' with
      | Some i -> String.sub name (i + 1) (String.length name - i - 1)
      | None -> name)

let backend : Eio.Exn.Backend.t -> string = function
  | Eio_unix.Unix_error (e, _, _) -> code e
  | e -> Fmt.str "%a" Eio.Exn.Backend.pp e

let name : exn -> string = function
  | Eio.Io (Eio.Net.E (Connection_reset e), _) -> "Connection_reset " ^ backend e
  | Eio.Io (Eio.Net.E (Connection_failure (Refused e)), _) ->
      "Connection_failure Refused " ^ backend e
  | Eio.Io (Eio.Net.E (Connection_failure Timeout), _) -> "Connection_failure Timeout"
  | Eio.Io (Eio.Net.E Invalid_option, _) -> "Invalid_option"
  | Eio.Io (Eio.Net.E (Address_lookup_failed e), _) ->
      "Address_lookup_failed " ^ Eio.Net.Getaddrinfo_error.to_tag e
  | Eio.Io (Eio.Fs.E (Permission_denied e), _) -> "Permission_denied " ^ backend e
  | Eio.Io (Eio.Fs.E (Not_found e), _) -> "Not_found " ^ backend e
  | Eio.Io (Eio.Exn.Not_available e, _) -> "Not_available " ^ backend e
  | Eio.Io (Eio.Exn.X e, _) -> "X " ^ backend e
  | Eio.Cancel.Cancelled _ -> "Cancelled"
  | Eio.Time.Timeout -> "Timeout"
  | Invalid_argument _ -> "Invalid_argument"
  | Unix.Unix_error (e, _, _) -> "Unix_error " ^ code e
  | e -> Printexc.to_string e

(* -- waiting ------------------------------------------------------------- *)

(* All questions are asked at once, so that waiting costs little. Frames between
   hosts of this process take turns of its scheduler. *)
let settle w =
  Eio.Time.Mono.sleep w.clock 0.2;
  for _ = 1 to 30 do
    Fiber.yield ()
  done

(* A fiber that waits in vain may be one that cannot be cancelled. *)
let waits w f =
  let result, resolve = Promise.create () in
  Fiber.fork_daemon ~sw:w.sw (fun () ->
      let answer = match f () with s -> s | exception e -> name e in
      Promise.resolve resolve answer;
      `Stop_daemon);
  Fiber.first
    (fun () -> Promise.await result)
    (fun () ->
      Eio.Time.Mono.sleep w.clock w.patience;
      "hangs")

(* What [f] says, or the exception. *)
let tried f = match f () with s -> s | exception e -> name e
let ( >> ) a f = a ^ ", " ^ f ()

(* What [f] comes to, which waits while [g] is done. *)
let meanwhile w f g =
  let answer = Fiber.fork_promise ~sw:w.sw (fun () -> waits w f) in
  settle w;
  g ();
  Promise.await_exn answer

(* -- sockets ------------------------------------------------------------- *)

let ip s = Eio.Net.Ipaddr.of_raw (Ipaddr.to_octets (Ipaddr.of_string_exn s))
let nowhere = ip "192.0.2.1"
let mapped (a : address) = Eio.Net.Ipaddr.of_raw (String.make 10 '\000' ^ "\255\255" ^ (a :> string))
let tcp a port : Eio.Net.Sockaddr.stream = `Tcp (a, port)
let udp a port : Eio.Net.Sockaddr.datagram = `Udp (a, port)
let server w = tcp w.at w.port

let listen ?reuse_addr ?reuse_port ?(backlog = 8) ?address ?(sw : Switch.t option) w : listener =
  let address = Option.value address ~default:(tcp Eio.Net.Ipaddr.V4.any w.port) in
  Eio.Net.listen ?reuse_addr ?reuse_port ~backlog ~sw:(Option.value sw ~default:w.sw) w.server
    address

let connect ?bind_to ?options ?address ?(sw : Switch.t option) w : stream =
  let address = Option.value address ~default:(server w) in
  Eio.Net.connect ?bind_to ?options ~sw:(Option.value sw ~default:w.sw) w.client address

let accept ?(sw : Switch.t option) w l : stream =
  fst (Eio.Net.accept ~sw:(Option.value sw ~default:w.sw) l)

let pair_on ?options w l = Fiber.pair (fun () -> accept w l) (fun () -> connect ?options w)
let pair ?options w = pair_on ?options w (listen w)
let close = Eio.Resource.close

let reset (s : stream) =
  Eio.Net.setsockopt s Sockopt.SO_LINGER (Some 0);
  close s

let text n = String.init n (fun i -> Char.unsafe_chr (97 + (i mod 26)))
let write_string (s : stream) text = Eio.Flow.copy_string text s

let write ?(text = "x") w (s : stream) =
  waits w (fun () ->
      write_string s text;
      "written")

let read ?(most = 100) w (s : stream) =
  waits w (fun () ->
      let buf = Cstruct.create most in
      let n = Eio.Flow.single_read s buf in
      Printf.sprintf "%S" (Cstruct.to_string buf ~len:n))

(* All that comes, and how it ends. *)
let drain w (s : stream) =
  waits w (fun () ->
      let buf = Cstruct.create 65_536 in
      let rec go total =
        match Eio.Flow.single_read s buf with
        | n -> go (total + n)
        | exception e -> Printf.sprintf "%d bytes, %s" total (name e)
      in
      go 0)

(* Bytes written until writing would wait. *)
let fill w s =
  let total = ref 0 and chunk = [ Cstruct.create 65_536 ] in
  (try
     Eio.Time.Timeout.run_exn (Eio.Time.Timeout.seconds w.clock 0.3) (fun () ->
         while true do
           total := !total + Eio.Flow.single_write s chunk
         done)
   with Eio.Time.Timeout -> ());
  !total

let connected w f =
  waits w (fun () ->
      let (_ : stream) = f () in
      "connected")

let accepted w l =
  waits w (fun () ->
      let (_ : stream) = accept w l in
      "accepted")

let listening f =
  tried (fun () ->
      let (_ : listener) = f () in
      "listening")

let did f =
  tried (fun () ->
      f ();
      "done")

let datagram ?reuse_addr ?reuse_port ?address w net : datagram =
  let address = Option.value address ~default:`UdpV4 in
  Eio.Net.datagram_socket ?reuse_addr ?reuse_port ~sw:w.sw net address

let at_port w = datagram w w.server ~address:(`Udp (Eio.Net.Ipaddr.V4.any, w.port))

let send ?dst w (s : datagram) text =
  waits w (fun () ->
      Eio.Net.send s ?dst [ Cstruct.of_string text ];
      "sent")

let recv ?(most = 100) w (s : datagram) =
  waits w (fun () ->
      let buf = Cstruct.create most in
      let _, n = Eio.Net.recv s buf in
      Printf.sprintf "%S" (Cstruct.to_string buf ~len:n))

(* -- text ---------------------------------------------------------------- *)

let replace ~what ~by s =
  let n = String.length what in
  let b = Buffer.create (String.length s) in
  let rec go i =
    if i >= String.length s then Buffer.contents b
    else if i + n <= String.length s && String.sub s i n = what then (
      Buffer.add_string b by;
      go (i + n))
    else (
      Buffer.add_char b s.[i];
      go (i + 1))
  in
  go 0

let shown w s =
  let address a = Fmt.str "%a" Eio.Net.Ipaddr.pp a in
  s
  |> replace ~what:(address w.broadcast) ~by:"BROADCAST"
  |> replace ~what:(address w.at) ~by:"SERVER"
  |> replace ~what:(address w.here) ~by:"CLIENT"
  |> replace ~what:(string_of_int w.port) ~by:"PORT"
  |> replace ~what:(string_of_int (w.port + 1)) ~by:"PORT+1"

(* An address that is the client's is its also where the server has the same. *)
let as_client w s = shown w (replace ~what:(Fmt.str "%a" Eio.Net.Ipaddr.pp w.here) ~by:"CLIENT" s)
let client_shown w a = as_client w (Fmt.str "%a" Eio.Net.Sockaddr.pp a)
let client_text w e = as_client w (Fmt.str "%a" Eio.Exn.pp e) |> replace ~what:"\n" ~by:""
let error_text w e = shown w (Fmt.str "%a" Eio.Exn.pp e) |> replace ~what:"\n" ~by:""
