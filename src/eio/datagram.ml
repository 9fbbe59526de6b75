open Weir_core
module Sockaddr = Eio.Net.Sockaddr
module Sockopt = Eio.Net.Sockopt

type t = {
  host : Host.t;
  socket : Udp_sockets.socket;
  waiters : Host.waiters;
  scratch : Bytes.t;  (** where a datagram stands on its way to a Cstruct *)
  mutable closed : bool;
  mutable send_down : bool;
  mutable receive_down : bool;
  mutable hook : Eio.Switch.hook;
}

type tag = [ `Generic ]

let longest = 65_507

let close t =
  if not t.closed then (
    t.closed <- true;
    Eio.Switch.remove_hook t.hook;
    Udp_sockets.close (Stack.udp (Host.stack t.host)) t.socket;
    Eio.Condition.broadcast t.waiters)

let check_open t = if t.closed then raise (Errors.reset Errors.Closed_locally)

let destination t : Sockaddr.datagram option -> _ = function
  | Some (`Udp (ip, port)) -> (Errors.ipv4 ip, port)
  | Some (`Unix _) -> raise (Errors.refused (Errors.Unsupported "Unix-domain sockets are"))
  | None -> (
      match Udp_sockets.remote t.socket with
      | Some (ip, port) -> (Weir_wire.Ip4.to_ipaddr ip, port)
      | None -> raise (Errors.refused (Errors.Bad_address "no destination")))

let send t ?dst bufs =
  check_open t;
  if t.send_down then raise (Errors.reset Errors.Closed_locally);
  let dst, dst_port = destination t dst in
  let data = Cstruct.to_bytes (Cstruct.concat bufs) in
  let len = Bytes.length data in
  match
    Stack.send_udp (Host.stack t.host) ~now:(Host.now t.host) t.socket ~dst ~dst_port data ~off:0
      ~len
  with
  | Ok () -> Host.flush t.host
  | Error `Too_long -> raise (Errors.refused (Errors.Message_too_long len))
  | Error `No_room -> raise (Errors.refused Errors.Queue_full)
  | Error `Bad_address -> raise (Errors.refused (Errors.Bad_address (Ipaddr.V4.to_string dst)))

let recv t buf =
  let n =
    Host.await t.waiters (fun () ->
        check_open t;
        if t.receive_down then raise End_of_file;
        match Weir_drive.Calls.pending_error t.socket with
        | Some e -> raise (Errors.reset (Errors.Icmp_error e))
        | None ->
            let n = Udp_sockets.receive t.socket t.scratch ~off:0 ~len:longest in
            if n < 0 then None else Some n)
  in
  let n = min n (Cstruct.length buf) in
  Cstruct.blit_from_bytes t.scratch 0 buf 0 n;
  let src = Weir_wire.Ip4.to_ipaddr (Udp_sockets.last_src t.socket) in
  ((`Udp (Errors.eio_address src, Udp_sockets.last_src_port t.socket) : Sockaddr.datagram), n)

let shutdown t cmd =
  check_open t;
  if cmd <> `Receive then t.send_down <- true;
  if cmd <> `Send then (
    t.receive_down <- true;
    Eio.Condition.broadcast t.waiters)

let invalid () = raise (Eio.Net.err Invalid_option)

let setsockopt : type a. t -> a Sockopt.t -> a -> unit =
 fun _ option _ ->
  match option with
  | Sockopt.SO_REUSEADDR | Sockopt.SO_REUSEPORT | Sockopt.SO_BROADCAST -> ()
  | _ -> invalid ()

let getsockopt : type a. t -> a Sockopt.t -> a =
 fun t option ->
  match option with Sockopt.IP_MTU -> (Stack.settings (Host.stack t.host)).mtu | _ -> invalid ()

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

let open_ host ~reuse_addr ~reuse_port ~sw address =
  let a, port =
    match address with
    | `Udp (ip, port) -> (Errors.ipv4 ip, port)
    | `UdpV4 -> (Ipaddr.V4.any, 0)
    | `UdpV6 -> raise (Errors.refused (Errors.Unsupported "IPv6 is"))
    | `Unix _ -> raise (Errors.refused (Errors.Unsupported "Unix-domain sockets are"))
  in
  match Stack.bind_udp (Host.stack host) ~address:a ~port ~reuse:(reuse_addr || reuse_port) with
  | Error e -> raise (Errors.of_open ~what:(Ipaddr.V4.to_string a) ~port e)
  | Ok socket ->
      let waiters = Eio.Condition.create () in
      let t =
        {
          host;
          socket;
          waiters;
          scratch = Bytes.create longest;
          closed = false;
          send_down = false;
          receive_down = false;
          hook = Eio.Switch.null_hook;
        }
      in
      Host.own_datagrams socket waiters;
      t.hook <- Eio.Switch.on_release_cancellable sw (fun () -> close t);
      Eio.Resource.T (t, handler)
