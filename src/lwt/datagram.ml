open Weir_core

type t = {
  host : Host.t;
  socket : Udp_sockets.socket;
  waiters : Host.waiters;
  mutable closed : bool;
}

let any = Ipaddr.V6 Ipaddr.V6.unspecified
let is_closed t = t.closed || Host.is_closed t.host
let udp t = Stack.udp (Host.stack t.host)
let closed_locally = Error Error.Closed_locally

let open_ ?(reuse = false) ?(address = any) host ~port =
  if Host.is_closed host then closed_locally
  else
    match Stack.bind_udp (Host.stack host) ~address ~port ~reuse with
    | Error e -> Error (Error.of_open ~what:(Ipaddr.to_string address) ~port e)
    | Ok socket ->
        let waiters = Lwt_condition.create () in
        Host.own_datagrams socket waiters;
        Ok { host; socket; waiters; closed = false }

let port t = Udp_sockets.port t.socket

let connect t remote ~port =
  let stack = Host.stack t.host in
  let local = Stack.source_for stack remote in
  let ip a = Weir_wire.Ip.(unmapped (of_ipaddr a)) in
  Udp_sockets.connect t.socket ~local:(ip local) ~remote:(ip remote) ~remote_port:port

let send_to t ?ttl ?dont_fragment ?probe (dst, dst_port) b ~off ~len : (unit, Error.t) result =
  match
    Stack.send_udp ?ttl ?dont_fragment ?probe (Host.stack t.host) ~now:(Host.now t.host) t.socket
      ~dst ~dst_port b ~off ~len
  with
  | Ok () ->
      Host.flush t.host;
      Ok ()
  | Error `Too_long -> Error (Message_too_long len)
  | Error `No_room -> Error Queue_full
  | Error (`Bad_address | `No_route | `Not_permitted) -> Error (Bad_address (Ipaddr.to_string dst))

let send t ?ttl ?dont_fragment ?probe ?dst b ~off ~len =
  Host.check t.host;
  let peer () =
    Option.map (fun (a, p) -> (Weir_wire.Ip.to_ipaddr a, p)) (Udp_sockets.remote t.socket)
  in
  Lwt.return
    (if is_closed t then closed_locally
     else
       match (Weir_drive.Calls.pending_error t.socket, if dst = None then peer () else dst) with
       | Some e, _ -> Error (Error.Icmp e)
       | None, Some dst -> send_to t ?ttl ?dont_fragment ?probe dst b ~off ~len
       | None, None -> Error (Error.Bad_address "no destination"))

let send_string t ?dst s = send t ?dst (Bytes.unsafe_of_string s) ~off:0 ~len:(String.length s)

(* -- groups ---------------------------------------------------------------- *)

type filter = [ `Include of Ipaddr.t list | `Exclude of Ipaddr.t list ]

let mcast_set_filter t ?interface group (filter : filter) : (unit, Error.t) result =
  Host.check t.host;
  if is_closed t then closed_locally
  else
    let ips = List.map Weir_wire.Ip.of_ipaddr in
    let filter =
      match filter with `Include l -> Groups.Include (ips l) | `Exclude l -> Exclude (ips l)
    in
    let stack = Host.stack t.host in
    match Stack.set_membership stack ~now:(Host.now t.host) ?interface t.socket group filter with
    | Ok () ->
        Host.flush t.host;
        Ok ()
    | Error `Too_many -> Error Queue_full
    | Error (`Not_a_group | `No_interface) -> Error (Bad_address (Ipaddr.to_string group))

let mcast_add_membership t ?interface group = mcast_set_filter t ?interface group (`Exclude [])
let mcast_drop_membership t ?interface group = mcast_set_filter t ?interface group (`Include [])

let mcast_set_ttl t n =
  if n < 0 || n > 255 then invalid_arg "Weir_lwt.Datagram.mcast_set_ttl: 0 to 255";
  Udp_sockets.set_group_ttl t.socket n

let mcast_set_loop t on = Udp_sockets.set_group_loop t.socket on

let mcast_set_interface t n =
  let known = Array.length (Routes.interfaces (Stack.routes (Host.stack t.host))) in
  if n < 0 || n >= known then invalid_arg "Weir_lwt.Datagram.mcast_set_interface: no such interface";
  Udp_sockets.set_group_interface t.socket n

type received = { length : int; from : Ipaddr.t; from_port : int; at : Ipaddr.t }

let of_last t length =
  let address = Weir_wire.Ip.to_ipaddr in
  {
    length;
    from = address (Udp_sockets.last_src t.socket);
    from_port = Udp_sockets.last_src_port t.socket;
    at = address (Udp_sockets.last_dst t.socket);
  }

(* [receive ()] is a result if there is a datagram. *)
let await t receive =
  Host.check t.host;
  Host.await t.waiters (fun () ->
      if is_closed t then Some closed_locally
      else
        match Weir_drive.Calls.pending_error t.socket with
        | Some e -> Some (Error (Error.Icmp e))
        | None -> receive ())

let recv t b ~off ~len =
  await t (fun () ->
      let length = Udp_sockets.receive t.socket b ~off ~len in
      if length < 0 then None else Some (Ok (of_last t (Int.min length len))))

let readable t = await t (fun () -> if Udp_sockets.queued t.socket > 0 then Some (Ok ()) else None)

let take t =
  Host.check t.host;
  let length = Udp_sockets.next_length t.socket in
  if length < 0 then None
  else
    let b = Bytes.create length in
    let length = Udp_sockets.receive t.socket b ~off:0 ~len:length in
    Some (b, of_last t length)

let close t =
  Host.check t.host;
  if not t.closed then (
    t.closed <- true;
    let was_member = Udp_sockets.is_member t.socket in
    Udp_sockets.close (udp t) t.socket;
    (* Sends the leave report. *)
    if was_member then Host.flush t.host;
    Host.wake t.waiters);
  Lwt.return_unit
