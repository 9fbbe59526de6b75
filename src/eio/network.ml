open Weir_core
module Names = Weir_drive.Names
module Lookup = Weir_drive.Lookup
module Sockaddr = Eio.Net.Sockaddr
module Sockopt = Eio.Net.Sockopt

let tcp_address call : Sockaddr.stream -> _ = function
  | `Tcp (ip, port) -> (Errors.address ip, Errors.port call port)
  | `Unix _ -> raise (Errors.no_unix_domain call)

let is_ipv6 : Sockaddr.stream -> bool = function
  | `Tcp (ip, _) -> Errors.is_ipv6 ip
  | `Unix _ -> false

(* A switch that is being cancelled still accepts sockets and closes them. A switch that has ended
   does not: check it before doing anything. *)
let check_takes sw =
  match Eio.Switch.get_error sw with Some (Invalid_argument _) -> Eio.Switch.check sw | _ -> ()

let any_like : Ipaddr.t -> Ipaddr.t = function
  | V4 _ -> V4 Ipaddr.V4.any
  | V6 a when Ipaddr.v4_of_v6 a <> None -> V4 Ipaddr.V4.any
  | V6 _ -> V6 Ipaddr.V6.unspecified

(* As bind(2) has it: any address, or one of ours. *)
let check_own stack call a =
  if not (Errors.is_any a || Stack.is_local stack a) then
    raise (Errors.v EADDRNOTAVAIL call (Ipaddr.to_string a))

(* -- TCP ----------------------------------------------------------------- *)

let failed_to_connect address port (e : [ `In_use | `No_port | `No_route | `Bad_address ]) =
  let why = Ipaddr.to_string address in
  match e with
  | `In_use | `No_port -> Errors.v EADDRNOTAVAIL "connect" why
  | `Bad_address when port = 0 ->
      Errors.v ECONNREFUSED "connect" "port 0 cannot be a destination: give the port of a listener"
  | `No_route | `Bad_address -> Errors.v ENETUNREACH "connect" why

let open_connection host ~options ?bind_to address ~port =
  Host.pump host @@ fun p ->
  let stack = Weir_drive.Pump.stack p in
  Host.check_alive host "connect";
  let local, local_port = match bind_to with Some b -> b | None -> (any_like address, 0) in
  check_own stack "bind" local;
  let { Options.reuse_addr = reuse; reuse_port = share; _ } = options in
  let at = Weir_wire.Ip.(unmapped (of_ipaddr local)) in
  if not (Tcp.may_bind (Stack.tcp stack) ~address:at ~port:local_port ~reuse ~share) then
    raise (Errors.v EADDRINUSE "bind" (string_of_int local_port));
  match Stack.connect stack ~now:(Host.now host) ~local ~local_port address ~port with
  | Error e -> raise (failed_to_connect address port e)
  | Ok tcb ->
      Options.apply options tcb;
      let c = Connection.of_tcb host ~options tcb in
      Host.flush_locked host;
      c

let connect_with host ~sw ~options ?bind_to address ~port =
  Host.enter host;
  check_takes sw;
  Host.await_source host address;
  let c = open_connection host ~options ?bind_to address ~port in
  Connection.attach c ~sw;
  match Connection.await_connected c with
  | () -> c
  | exception e ->
      let bt = Printexc.get_raw_backtrace () in
      Connection.close c;
      Printexc.raise_with_backtrace e bt

let new_options host = Options.create (Host.config host)

let connect host ~sw ?local_port address ~port =
  let bind_to = Option.map (fun p -> (any_like address, p)) local_port in
  connect_with host ~sw ~options:(new_options host) ?bind_to address ~port

module Listening = struct
  type t = {
    host : Host.t;
    listener : Tcp.listener;
    waiters : Host.waiters;
    options : Options.t;
    earlier : (int, Options.t) Hashtbl.t;  (** of connections that came before a change *)
    ipv6 : bool;  (** addresses are shown as IPv6's *)
    mutable closed : bool;
    mutable hook : Eio.Switch.hook;
  }

  type tag = [ `Generic | `Unix ]

  let close t =
    if not t.closed then (
      t.closed <- true;
      Eio.Switch.remove_hook t.hook;
      Host.with_stack t.host (fun stack -> Tcp.close_listener (Stack.tcp stack) t.listener);
      Waiters.broadcast t.waiters)

  let options_of t c =
    match Hashtbl.find_opt t.earlier (Tcp.id c) with
    | None -> Options.copy t.options
    | Some options ->
        Hashtbl.remove t.earlier (Tcp.id c);
        options

  let keep_for_waiting t =
    Tcp.iter_waiting
      (fun c ->
        let id = Tcp.id c in
        if not (Hashtbl.mem t.earlier id) then Hashtbl.add t.earlier id (Options.copy t.options))
      t.listener

  let accept_locked t ~waited =
    if t.closed then
      raise (if waited then Errors.closed_meanwhile "accept" else Errors.closed "accept");
    Host.check_alive t.host "accept";
    Host.spend t.host 0;
    match Tcp.accept t.listener with
    | None -> None
    | Some tcb -> Some (Connection.of_tcb t.host ~options:(options_of t tcb) tcb)

  let accept_connection t ~sw =
    Host.enter t.host;
    Eio.Switch.check sw;
    let take ~waited = Host.pump t.host (fun _ -> accept_locked t ~waited) in
    let c =
      match take ~waited:false with
      | Some c -> c
      | None -> Host.await t.host t.waiters (fun () -> take ~waited:true)
    in
    Connection.attach c ~sw;
    c

  let accept t ~sw =
    let c = accept_connection t ~sw in
    (Connection.socket c, Connection.remote_address ~ipv6:t.ipv6 c)

  let listening_addr t : Sockaddr.stream =
    if t.closed then raise (Errors.closed "listening_addr");
    let address = Tcp.listener_address t.listener in
    `Tcp (Errors.eio_address ~ipv6:t.ipv6 address, Tcp.listener_port t.listener)

  let setsockopt : type a. t -> a Sockopt.t -> a -> unit =
   fun t option v ->
    if t.closed then raise (Errors.closed "setsockopt");
    Host.pump t.host @@ fun _ ->
    keep_for_waiting t;
    Options.set_stream t.options option v

  let getsockopt : type a. t -> a Sockopt.t -> a =
   fun t option ->
    if t.closed then raise (Errors.closed "getsockopt");
    match option with
    | Eio_unix.Net.Sockopt_bool SO_ACCEPTCONN -> true
    | Eio_unix.Net.Sockopt_int SO_TYPE -> 1
    | ((Eio_unix.Net.Sockopt_int SO_ERROR) [@alert "-deprecated"]) -> 0
    | Sockopt.IP_MTU -> raise (Options.not_connected ())
    | _ -> Options.get t.options option
end

let listening_handler = Eio.Net.Pi.listening_socket (module Listening)

type listener = Listening.t

(* As Linux counts: one more than asked for, and below 0 as many as it allows by
   default. *)
let queue_length backlog = if backlog < 0 then 4_096 else backlog + 1

let listen_on host ~sw ?(ipv6 = false) ~address ~port ~backlog ~reuse_addr ~reuse_port () =
  check_takes sw;
  let options = new_options host in
  options.reuse_addr <- reuse_addr;
  options.reuse_port <- reuse_port;
  let waiters = Waiters.create () in
  let t =
    Host.pump host @@ fun p ->
    let stack = Weir_drive.Pump.stack p in
    Host.check_alive host "listen";
    check_own stack "bind" address;
    let address = Weir_wire.Ip.(unmapped (of_ipaddr address)) in
    let backlog = queue_length backlog in
    match
      Tcp.listen (Stack.tcp stack) ~address ~port ~backlog ~reuse:reuse_addr ~share:reuse_port
    with
    | Error (`In_use | `No_port) -> raise (Errors.v EADDRINUSE "bind" (string_of_int port))
    | Ok listener ->
        Host.own_listener listener waiters;
        Tcp.set_prepare listener (Options.apply options);
        let earlier = Hashtbl.create 0 and hook = Eio.Switch.null_hook in
        { Listening.host; listener; waiters; options; earlier; ipv6; closed = false; hook }
  in
  t.hook <- Eio.Switch.on_release_cancellable sw (fun () -> Listening.close t);
  t

let listen host ~sw ~port ~backlog =
  listen_on host ~sw ~address:(V6 Ipaddr.V6.unspecified) ~port ~backlog ~reuse_addr:true
    ~reuse_port:false ()

let accept = Listening.accept_connection
let close_listener = Listening.close

(* -- names --------------------------------------------------------------- *)

let connect_by_name host ~sw ~service node =
  By_name.connect host ~sw ~attempt:(fun a ~port -> connect host ~sw a ~port) ~service node

module Net = struct
  type t = Host.t
  type tag = [ `Generic | `Unix ]

  let listen host ~reuse_addr ~reuse_port ~backlog ~sw address =
    let ipv6 = is_ipv6 address in
    let address, port = tcp_address "bind" address in
    let l = listen_on host ~sw ~ipv6 ~address ~port ~backlog ~reuse_addr ~reuse_port () in
    Eio.Resource.T (l, listening_handler)

  let connect host ~bind_to ~options ~sw address =
    let a, port = tcp_address "connect" address in
    let chosen = new_options host in
    Options.set_all chosen options;
    let local own =
      (match (is_ipv6 own, is_ipv6 address) with
      | true, false -> raise (Errors.v EAFNOSUPPORT "bind" "an IPv6 address for an IPv4 socket")
      | false, true -> raise (Errors.v EINVAL "bind" "an IPv4 address for an IPv6 socket")
      | _ -> ());
      tcp_address "bind" own
    in
    let bind_to = Option.map local bind_to in
    Connection.socket (connect_with host ~sw ~options:chosen ?bind_to a ~port)

  let datagram_socket = Datagram.open_

  let getaddrinfo host ~service node =
    match By_name.wait host (fun p -> Lookup.getaddrinfo p ~service node) with
    | Error e -> raise (By_name.failed e)
    | Ok found ->
        List.map
          (fun (protocol, a, port) : Sockaddr.t ->
            let ip = Eio.Net.Ipaddr.of_raw (Ipaddr.to_octets a) in
            match protocol with Names.Tcp -> `Tcp (ip, port) | Udp -> `Udp (ip, port))
          found

  let getnameinfo host (address : Sockaddr.t) =
    let name (ip : Eio.Net.Ipaddr.v4v6) =
      let a = Ipaddr.of_octets_exn (ip :> string) in
      By_name.wait host (fun p -> Lookup.name p a)
    in
    match address with
    | `Tcp (ip, port) -> (name ip, Names.service Tcp port)
    | `Udp (ip, port) -> (name ip, Names.service Udp port)
    | `Unix path -> ("", path)
end

let handler = Eio.Net.Pi.network (module Net)
let of_host host = Eio.Resource.T (host, handler)
