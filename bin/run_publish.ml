open Eio.Std
module G = Weir_gateway

type t = { address : Ipaddr.t option; outer : int; inner : int; udp : bool }

(* -- the option ---------------------------------------------------------------- *)

let port s =
  match int_of_string_opt s with
  | Some p when p >= 1 && p <= 65_535 && s.[0] <> '0' -> Ok p
  | _ -> Error (Printf.sprintf "%S is not a port: give 1 to 65535" s)

let ( let* ) = Result.bind

let ports address udp = function
  | [ one ] ->
      let* p = port one in
      Ok { address; outer = p; inner = p; udp }
  | [ outer; inner ] ->
      let* outer = port outer in
      let* inner = port inner in
      Ok { address; outer; inner; udp }
  | _ -> Error "give [ADDRESS:]PORT[:PORT][/udp], such as 8080:80 or 127.0.0.1:5353:53/udp"

(* The address, in brackets if it is one of IPv6, and what follows it. *)
let split_address s =
  match String.index_opt s ']' with
  | Some close when s.[0] = '[' ->
      let rest = String.sub s (close + 1) (String.length s - close - 1) in
      (Some (String.sub s 1 (close - 1)), List.tl (String.split_on_char ':' rest @ [ "" ]))
  | _ -> (
      match String.split_on_char ':' s with
      | first :: rest when String.contains first '.' || first = "localhost" -> (Some first, rest)
      | parts -> (None, parts))

let parse s =
  let* s, udp =
    match String.split_on_char '/' s with
    | [ s ] | [ s; "tcp" ] -> Ok (s, false)
    | [ s; "udp" ] -> Ok (s, true)
    | _ -> Error (Printf.sprintf "%S: only /tcp and /udp are known" s)
  in
  match split_address s with
  | None, parts -> ports None udp parts
  | Some address, parts -> (
      let parts = List.filter (( <> ) "") parts in
      match Ipaddr.of_string (if address = "localhost" then "127.0.0.1" else address) with
      | Ok a -> ports (Some a) udp parts
      | Error _ -> Error (Printf.sprintf "%S is not an address" address))

let pp f { address; outer; inner; udp } =
  Option.iter
    (function
      | Ipaddr.V4 a -> Fmt.pf f "%a:" Ipaddr.V4.pp a | V6 a -> Fmt.pf f "[%a]:" Ipaddr.V6.pp a)
    address;
  Fmt.int f outer;
  if inner <> outer then Fmt.pf f ":%d" inner;
  if udp then Fmt.string f "/udp"

let conv = Cmdliner.Arg.Conv.make ~docv:"[ADDRESS:]PORT[:PORT][/udp]" ~parser:parse ~pp ()

(* -- the sockets outside --------------------------------------------------------- *)

type socket = { publish : t; fd : Unix.file_descr }

let unix_address a = Eio_unix.Net.Ipaddr.to_unix (Eio.Net.Ipaddr.of_raw (Ipaddr.to_octets a))

let bind publish address =
  let family = match address with Ipaddr.V4 _ -> Unix.PF_INET | V6 _ -> PF_INET6 in
  let kind = if publish.udp then Unix.SOCK_DGRAM else SOCK_STREAM in
  let fd = Unix.socket ~cloexec:true family kind 0 in
  match
    if family = PF_INET6 then Unix.setsockopt fd IPV6_ONLY true;
    if not publish.udp then Unix.setsockopt fd SO_REUSEADDR true;
    Unix.bind fd (ADDR_INET (unix_address address, publish.outer));
    if publish.udp then Unix.set_nonblock fd else Unix.listen fd 128
  with
  | () -> { publish; fd }
  | exception e ->
      Unix.close fd;
      raise e

let refused publish = function
  | Unix.EADDRINUSE ->
      Fail.usage "--publish %s: port %d is in use" (Fmt.str "%a" pp publish) publish.outer
  | e -> Fail.usage "--publish %s: %s" (Fmt.str "%a" pp publish) (Unix.error_message e)

(* Where the machine has no IPv6, IPv4 alone does. *)
let open_one publish =
  let one a = try bind publish a with Unix.Unix_error (e, _, _) -> refused publish e in
  match publish.address with
  | Some a -> [ one a ]
  | None -> (
      let v4 = one (V4 Ipaddr.V4.any) in
      match bind publish (V6 Ipaddr.V6.unspecified) with
      | v6 -> [ v4; v6 ]
      | exception Unix.Unix_error ((EAFNOSUPPORT | EADDRNOTAVAIL), _, _) -> [ v4 ]
      | exception Unix.Unix_error (e, _, _) -> refused publish e)

let open_all = List.concat_map open_one

(* -- the way in -------------------------------------------------------------------- *)

type inside = { own : Ipaddr.t; gateway : Ipaddr.t }
(** The program's address and the gateway's, of one family. *)

(* The program sees the client's own address, unless its kernel would not take packets from there:
   then the gateway's. *)
let seen inside address =
  let odd =
    Run_place.is_inside address
    ||
    match address with
    | Ipaddr.V4 a -> Ipaddr.V4.(Prefix.mem a Prefix.loopback || Prefix.mem a Prefix.link)
    | V6 a -> Ipaddr.V6.(compare a localhost = 0 || Prefix.mem a Prefix.link)
  in
  if odd then inside.gateway else address

let inside_of (v4, v6) = function Ipaddr.V4 _ -> v4 | V6 _ -> v6
let of_eio ip = Ipaddr.of_octets_exn (ip : Eio.Net.Ipaddr.v4v6 :> string)

let serve_stream ~sw ~insides way { publish; fd } =
  let socket = Eio_unix.Net.import_socket_listening ~sw ~close_unix:true fd in
  let rec accept () =
    Eio.Net.accept_fork ~sw socket ~on_error:ignore (fun outer peer ->
        match peer with
        | `Tcp (address, port) ->
            let address = of_eio address in
            let inside = inside_of insides address in
            G.stream_in way
              ~source:(seen inside address, port)
              ~destination:(inside.own, publish.inner) outer
        | `Unix _ -> ());
    accept ()
  in
  accept ()

let most_waiting = 64
let longest = 65_507

(* One socket has the datagrams of all clients. *)
let serve_datagrams ~sw ~insides way { publish; fd } =
  Switch.on_release sw (fun () -> Unix.close fd);
  let clients : (Unix.sockaddr, Bytes.t Eio.Stream.t) Hashtbl.t = Hashtbl.create 16 in
  let buffer = Bytes.create longest in
  let newcomer client address port =
    let waiting = Eio.Stream.create most_waiting in
    Hashtbl.replace clients client waiting;
    let inside = inside_of insides address in
    let send b =
      try ignore (Unix.sendto fd b 0 (Bytes.length b) [] client : int)
      with Unix.Unix_error _ -> ()
    in
    Fiber.fork ~sw (fun () ->
        Fun.protect ~finally:(fun () -> Hashtbl.remove clients client) @@ fun () ->
        G.datagrams_in way
          ~source:(seen inside address, port)
          ~destination:(inside.own, publish.inner)
          { send; receive = (fun () -> Eio.Stream.take waiting) });
    waiting
  in
  let put client b =
    let waiting =
      match (Hashtbl.find_opt clients client, client) with
      | (Some _ as w), _ -> w
      | None, ADDR_INET (a, port) ->
          Some (newcomer client (of_eio (Eio_unix.Net.Ipaddr.of_unix a)) port)
      | None, ADDR_UNIX _ -> None
    in
    Option.iter (fun w -> if Eio.Stream.length w < most_waiting then Eio.Stream.add w b) waiting
  in
  let rec receive () =
    (match Unix.recvfrom fd buffer 0 longest [] with
    | n, client -> put client (Bytes.sub buffer 0 n)
    | exception Unix.Unix_error ((EAGAIN | EWOULDBLOCK), _, _) -> Eio_unix.await_readable fd
    (* About an earlier answer. *)
    | exception Unix.Unix_error _ -> Fiber.yield ());
    receive ()
  in
  receive ()

let serve ~sw ~insides way sockets =
  List.iter
    (fun s ->
      Fiber.fork_daemon ~sw (fun () ->
          Switch.run @@ fun sw ->
          if s.publish.udp then serve_datagrams ~sw ~insides way s
          else serve_stream ~sw ~insides way s))
    sockets
