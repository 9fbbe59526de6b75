open Weir_core
module Sockaddr = Eio.Net.Sockaddr
module Sockopt = Eio.Net.Sockopt

type t = {
  host : Host.t;
  socket : Udp_sockets.socket;
  waiters : Host.waiters;
  scratch : Bytes.t;  (** where a datagram stands on its way to or from Cstructs *)
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

let rec gather (bufs : Cstruct.t list) b off =
  match bufs with
  | [] -> ()
  | buf :: rest ->
      let len = Cstruct.length buf in
      Cstruct.blit_to_bytes buf 0 b off len;
      gather rest b (off + len)

let send t ?dst bufs =
  check_open t;
  if t.send_down then raise (Errors.reset Errors.Closed_locally);
  let dst, dst_port = destination t dst in
  let len = Cstruct.lenv bufs in
  if len > longest then raise (Errors.refused (Errors.Message_too_long len));
  gather bufs t.scratch 0;
  match
    Stack.send_udp (Host.stack t.host) ~now:(Host.now t.host) t.socket ~dst ~dst_port t.scratch
      ~off:0 ~len
  with
  | Ok () -> Host.flush t.host
  | Error `Too_long -> raise (Errors.refused (Errors.Message_too_long len))
  | Error `No_room -> raise (Errors.refused Errors.Queue_full)
  | Error `Bad_address -> raise (Errors.refused (Errors.Bad_address (Ipaddr.V4.to_string dst)))

(* -1 if there is none. *)
let receive t =
  check_open t;
  if t.receive_down then raise End_of_file;
  match Weir_drive.Calls.pending_error t.socket with
  | Some e -> raise (Errors.reset (Errors.Icmp_error e))
  | None -> Udp_sockets.receive t.socket t.scratch ~off:0 ~len:longest

(* Most that are read are there already: only then to wait is worth its cost. *)
let await t =
  match receive t with
  | -1 -> Host.await t.waiters (fun () -> match receive t with -1 -> None | n -> Some n)
  | n -> n

let recv t buf =
  let n = await t in
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
