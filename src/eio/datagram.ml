open Weir_core
module Sockaddr = Eio.Net.Sockaddr
module Sockopt = Eio.Net.Sockopt

type t = {
  host : Host.t;
  socket : Udp_sockets.socket;
  waiters : Host.waiters;
  options : Options.t;
  ipv6 : bool;  (** addresses are shown as IPv6's *)
  mutable closed : bool;
  mutable send_down : bool;
  mutable receive_down : bool;
  mutable hook : Eio.Switch.hook;
}

type tag = [ `Generic | `Unix ]

let close t =
  if not t.closed then (
    t.closed <- true;
    Eio.Switch.remove_hook t.hook;
    Host.with_stack t.host (fun stack -> Udp_sockets.close (Stack.udp stack) t.socket);
    Waiters.broadcast t.waiters)

let check_open t call = if t.closed then raise (Errors.closed call)

(* -- sending ------------------------------------------------------------- *)

(* An IPv4 socket reaches no IPv6 address, however it is written. *)
let address t ip =
  if Errors.is_ipv6 ip && not t.ipv6 then raise (Errors.v EAFNOSUPPORT "send_msg" "");
  Errors.address ip

let destination t : Sockaddr.datagram option -> _ = function
  | Some (`Udp (ip, port)) -> (address t ip, Errors.port "send_msg" port)
  | Some (`Unix _) -> raise (Errors.no_unix_domain "send_msg")
  | None -> (
      match Udp_sockets.remote t.socket with
      | Some (ip, port) -> (Weir_wire.Ip.to_ipaddr ip, port)
      | None -> raise (Errors.v EDESTADDRREQ "send_msg" ""))

let rec gather (bufs : Cstruct.t list) b off =
  match bufs with
  | [] -> ()
  | buf :: rest ->
      let len = Cstruct.length buf in
      Cstruct.blit_to_bytes buf 0 b off len;
      gather rest b (off + len)

(* Datagrams sent without waiting leave together; their queue is bounded. *)
let rec send_scratch t ~dst ~dst_port ~len ~again =
  match
    Stack.send_udp (Host.stack t.host) ~now:(Host.now t.host)
      ?ttl:(if Ipaddr.is_multicast dst then None else Options.ttl t.options)
      ~broadcast:t.options.broadcast ~dont_fragment:(Options.dont_fragment t.options)
      ~probe:(Options.probe t.options) t.socket ~dst ~dst_port (Host.scratch t.host) ~off:0 ~len
  with
  | Ok () -> Host.wrote t.host
  | Error `No_room when again ->
      Host.flush_locked t.host;
      send_scratch t ~dst ~dst_port ~len ~again:false
  | Error e ->
      let code : Unix.error =
        match e with
        | `Too_long -> EMSGSIZE
        | `No_room -> ENOBUFS
        | `No_route -> ENETUNREACH
        | `Not_permitted -> EACCES
        | `Bad_address -> EINVAL
      in
      raise (Errors.v code "send_msg" (Ipaddr.to_string dst))

let send_locked t ?dst bufs =
  check_open t "send_msg";
  Host.check_alive t.host "send_msg";
  if t.send_down then raise (Errors.v EPIPE "send_msg" "");
  Option.iter
    (fun why -> raise (Errors.v ECONNREFUSED "send_msg" why))
    (Weir_drive.Calls.pending_error t.socket);
  let dst, dst_port = destination t dst in
  let len = Cstruct.lenv bufs in
  if len > Host.longest_datagram then raise (Errors.v EMSGSIZE "send_msg" (string_of_int len));
  gather bufs (Host.scratch t.host) 0;
  Host.spend t.host len;
  send_scratch t ~dst ~dst_port ~len ~again:true

let send t ?dst bufs =
  Host.enter t.host;
  (match dst with
  | Some (`Udp (ip, _)) when Errors.is_ipv6 ip -> Host.await_source t.host (Errors.address ip)
  | _ -> ());
  Host.lock t.host;
  match send_locked t ?dst bufs with
  | () -> Host.unlock t.host
  | exception e -> Host.unlock_and_raise t.host e

(* -- receiving ----------------------------------------------------------- *)

let received t buf n =
  let n = min n (Cstruct.length buf) in
  Cstruct.blit_from_bytes (Host.scratch t.host) 0 buf 0 n;
  let from = Errors.eio_address ~ipv6:t.ipv6 (Udp_sockets.last_src t.socket) in
  ((`Udp (from, Udp_sockets.last_src_port t.socket) : Sockaddr.datagram), n)

let receive_locked t buf ~waited =
  if t.closed then
    raise (if waited then Errors.closed_meanwhile "recv_msg" else Errors.closed "recv_msg");
  Host.check_alive t.host "recv_msg";
  match Weir_drive.Calls.pending_error t.socket with
  | Some why -> raise (Errors.v ECONNREFUSED "recv_msg" why)
  | None -> (
      match
        Udp_sockets.receive t.socket (Host.scratch t.host) ~off:0 ~len:Host.longest_datagram
      with
      | -1 -> if t.receive_down then raise End_of_file else None
      | n ->
          Host.spend t.host n;
          Some (received t buf n))

let try_receive t buf ~waited =
  Host.lock t.host;
  match receive_locked t buf ~waited with
  | received ->
      Host.unlock t.host;
      received
  | exception e -> Host.unlock_and_raise t.host e

let recv t buf =
  Host.enter t.host;
  (* Usually a datagram is ready: set up the wait only if there is none. *)
  match try_receive t buf ~waited:false with
  | Some received -> received
  | None -> Host.await t.host t.waiters (fun () -> try_receive t buf ~waited:true)

let shutdown t cmd =
  check_open t "shutdown";
  if cmd <> `Receive then t.send_down <- true;
  if cmd <> `Send then (
    t.receive_down <- true;
    Waiters.broadcast t.waiters)

(* -- options ------------------------------------------------------------- *)

let setsockopt t option v =
  check_open t "setsockopt";
  let of_groups stack = Memberships.set stack ~now:(Host.now t.host) t.socket option v in
  if not (Host.with_stack t.host of_groups) then (
    Host.pump t.host @@ fun _ ->
    Options.set_datagram t.options option v;
    Option.iter (Udp_sockets.set_buffer t.socket) t.options.receive_buffer)

let getsockopt : type a. t -> a Sockopt.t -> a =
 fun t option ->
  check_open t "getsockopt";
  match option with
  | Sockopt.IP_MTU -> raise (Options.not_connected ())
  | Eio_unix.Net.Sockopt_int SO_TYPE -> 2
  | Eio_unix.Net.Sockopt_bool SO_ACCEPTCONN -> false
  | ((Eio_unix.Net.Sockopt_int SO_ERROR) [@alert "-deprecated"]) -> 0
  | _ -> (
      match Memberships.get t.socket option with
      | Some v -> v
      | None -> Options.get_datagram t.options option)

module Socket = struct
  type nonrec t = t
  type nonrec tag = tag

  let send = send
  let recv = recv
  let shutdown = shutdown
  let close = close
  let setsockopt = setsockopt
  let getsockopt = getsockopt
end

let handler = Eio.Net.Pi.datagram_socket (module Socket)

let wrap host ~sw ~options ~ipv6 socket waiters =
  let hook = Eio.Switch.null_hook in
  let t =
    {
      host;
      socket;
      waiters;
      options;
      ipv6;
      closed = false;
      send_down = false;
      receive_down = false;
      hook;
    }
  in
  t.hook <- Eio.Switch.on_release_cancellable sw (fun () -> close t);
  Eio.Resource.T (t, handler)

let of_socket host ~sw socket =
  let waiters = Waiters.create () in
  Host.pump host (fun _ -> Host.own_datagrams socket waiters);
  let ipv6 = not (Weir_wire.Ip.is_v4 (Udp_sockets.address socket)) in
  wrap host ~sw ~options:(Options.create_datagram (Host.config host)) ~ipv6 socket waiters

let open_ host ~reuse_addr ~reuse_port ~sw address =
  let a, port, ipv6 =
    match address with
    | `Udp (ip, port) -> (Errors.address ip, Errors.port "bind" port, Errors.is_ipv6 ip)
    | `UdpV4 -> (Ipaddr.V4 Ipaddr.V4.any, 0, false)
    | `UdpV6 -> (V6 Ipaddr.V6.unspecified, 0, true)
    | `Unix _ -> raise (Errors.no_unix_domain "bind")
  in
  let options = Options.create_datagram (Host.config host) in
  options.reuse_addr <- reuse_addr;
  options.reuse_port <- reuse_port;
  let waiters = Waiters.create () in
  let socket =
    Host.with_stack host @@ fun stack ->
    Host.check_alive host "socket";
    match Stack.bind_udp stack ~address:a ~port ~reuse:reuse_addr ~share:reuse_port with
    | Error (`In_use | `No_port) -> raise (Errors.v EADDRINUSE "bind" (string_of_int port))
    | Error `Bad_address -> raise (Errors.v EADDRNOTAVAIL "bind" (Ipaddr.to_string a))
    | Ok socket ->
        Host.own_datagrams socket waiters;
        socket
  in
  wrap host ~sw ~options ~ipv6 socket waiters
