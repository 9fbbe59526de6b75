open Weir_core
module Names = Weir_drive.Names
module Sockaddr = Eio.Net.Sockaddr
module Sockopt = Eio.Net.Sockopt

let tcp_address : Sockaddr.stream -> _ = function
  | `Tcp (ip, port) -> (Errors.ipv4 ip, port)
  | `Unix _ -> raise (Errors.refused (Errors.Unsupported "Unix-domain sockets are"))

(* -- TCP ----------------------------------------------------------------- *)

let connect host ~sw ?local_port address ~port =
  match Stack.connect (Host.stack host) ~now:(Host.now host) ?local_port address ~port with
  | Error e -> raise (Errors.of_open ~what:(Ipaddr.V4.to_string address) ~port e)
  | Ok tcb -> (
      let c = Connection.make host ~sw tcb in
      Host.flush host;
      match Connection.await_connected c with
      | () -> c
      | exception e ->
          let bt = Printexc.get_raw_backtrace () in
          Connection.close c;
          Printexc.raise_with_backtrace e bt)

module Listening = struct
  type t = {
    host : Host.t;
    listener : Tcp.listener;
    waiters : Host.waiters;
    mutable closed : bool;
    mutable hook : Eio.Switch.hook;
  }

  type tag = [ `Generic ]

  let close t =
    if not t.closed then (
      t.closed <- true;
      Eio.Switch.remove_hook t.hook;
      Tcp.close_listener (Stack.tcp (Host.stack t.host)) t.listener;
      Host.flush t.host;
      Eio.Condition.broadcast t.waiters)

  let make host ~sw listener =
    let waiters = Eio.Condition.create () in
    let t = { host; listener; waiters; closed = false; hook = Eio.Switch.null_hook } in
    Host.own_listener listener waiters;
    t.hook <- Eio.Switch.on_release_cancellable sw (fun () -> close t);
    t

  let accept_tcb t =
    Host.await t.waiters (fun () ->
        if t.closed then raise (Errors.reset Errors.Closed_locally);
        Tcp.accept t.listener)

  let accept t ~sw =
    let c = Connection.make t.host ~sw (accept_tcb t) in
    (Connection.socket c, Connection.remote_address c)

  let listening_addr t : Sockaddr.stream =
    `Tcp (Errors.eio_address (Weir_wire.Ip4.to_ipaddr t.listener.address), t.listener.port)

  let invalid () = raise (Eio.Net.err Invalid_option)

  let setsockopt : type a. t -> a Sockopt.t -> a -> unit =
   fun _ option _ ->
    match option with Sockopt.SO_REUSEADDR | Sockopt.SO_REUSEPORT -> () | _ -> invalid ()

  let getsockopt : type a. t -> a Sockopt.t -> a = fun _ _ -> invalid ()
end

let listening_handler = Eio.Net.Pi.listening_socket (module Listening)

type listener = Listening.t

let listen_on host ~sw ~address ~port ~backlog ~reuse =
  match Tcp.listen (Stack.tcp (Host.stack host)) ~address ~port ~backlog ~reuse with
  | Error e -> raise (Errors.of_open ~what:"that" ~port e)
  | Ok l -> Listening.make host ~sw l

let listen host ~sw ~port ~backlog =
  listen_on host ~sw ~address:Weir_wire.Ip4.any ~port ~backlog ~reuse:true

let accept = Listening.accept_tcb
let close_listener = Listening.close

(* -- names --------------------------------------------------------------- *)

let lookup_failed e = Eio.Net.err (Address_lookup_failed e)

module Net = struct
  type t = Host.t
  type tag = [ `Generic ]

  let listen host ~reuse_addr ~reuse_port:_ ~backlog ~sw address =
    let a, port = tcp_address address in
    let stack = Host.stack host in
    if not (Ipaddr.V4.compare a Ipaddr.V4.any = 0 || Stack.is_local stack a) then
      raise (Errors.refused (Errors.Bad_address (Ipaddr.V4.to_string a)));
    let address = Weir_wire.Ip4.of_ipaddr a in
    let l = listen_on host ~sw ~address ~port ~backlog ~reuse:reuse_addr in
    Eio.Resource.T (l, listening_handler)

  let rec apply c : Sockopt.settings -> unit = function
    | [] -> ()
    | (option, v) :: rest ->
        Connection.set_option c option v;
        apply c rest

  let connect host ~bind_to ~options ~sw address =
    let a, port = tcp_address address in
    let local_port = Option.map (fun b -> snd (tcp_address b)) bind_to in
    let c = connect host ~sw ?local_port a ~port in
    match apply c options with
    | () -> Connection.socket c
    | exception e ->
        Connection.close c;
        raise e

  let datagram_socket = Datagram.open_

  let getaddrinfo host ~service node =
    match Names.lookup (Host.hosts host) ~service node with
    | Error `No_service -> raise (lookup_failed SERVICE)
    | Error `No_name -> raise (lookup_failed NONAME)
    | Ok found ->
        List.map
          (fun (protocol, a, port) : Sockaddr.t ->
            let ip = Eio.Net.Ipaddr.of_raw (Ipaddr.to_octets a) in
            match protocol with Names.Tcp -> `Tcp (ip, port) | Udp -> `Udp (ip, port))
          found

  let getnameinfo host (address : Sockaddr.t) =
    let name (ip : Eio.Net.Ipaddr.v4v6) =
      Names.name (Host.hosts host) (Ipaddr.of_octets_exn (ip :> string))
    in
    match address with
    | `Tcp (ip, port) -> (name ip, Names.service Tcp port)
    | `Udp (ip, port) -> (name ip, Names.service Udp port)
    | `Unix path -> ("", path)
end

let handler = Eio.Net.Pi.network (module Net)
let of_host host = Eio.Resource.T (host, handler)
