open Weir_core

type socket =
  | Udp of Udp_sockets.socket
  | Tcp of { connection : Tcp.connection; message : string; mutable written : int }

type t = {
  stack : Stack.t;
  resolver : Resolver.t;
  sockets : (Resolver.channel, socket) Hashtbl.t;
  mutable requests : (Resolver.request * (Resolver.progress -> unit)) list;
  buffer : Bytes.t Lazy.t;
}

let port = 53

(* An answer is at most as long as EDNS allows it to be, or is cut, and then the server is asked by
   TCP. *)
let longest_datagram = 4_096

(* What a flood of wrong answers may take. *)
let socket_buffer = 65_536

let create stack ~random =
  {
    stack;
    resolver = Resolver.create ~random;
    sockets = Hashtbl.create 8;
    requests = [];
    buffer = lazy (Bytes.create longest_datagram);
  }

let resolver t = t.resolver
let deadline t = Resolver.deadline t.resolver

let ask t ~now kinds names f =
  let r = Resolver.ask t.resolver ~now kinds names in
  t.requests <- (r, f) :: t.requests;
  fun () ->
    if List.mem_assq r t.requests then (
      t.requests <- List.filter (fun (s, _) -> s != r) t.requests;
      Resolver.cancel t.resolver ~now r)

(* -- output -------------------------------------------------------------- *)

let any : Ipaddr.t -> Ipaddr.t = function
  | V4 _ -> V4 Ipaddr.V4.any
  | V6 _ -> V6 Ipaddr.V6.unspecified

let open_datagram t ~now dst message =
  let stack = t.stack in
  match Stack.bind_udp stack ~address:(any dst) ~port:0 ~reuse:false with
  | Error _ -> None
  | Ok s -> (
      let ip = Weir_wire.Ip.of_ipaddr in
      Udp_sockets.set_buffer s socket_buffer;
      Udp_sockets.connect s
        ~local:(ip (Stack.source_for stack dst))
        ~remote:(ip dst) ~remote_port:port;
      let b = Bytes.unsafe_of_string message in
      let len = Bytes.length b in
      match Stack.send_udp stack ~now s ~dst ~dst_port:port b ~off:0 ~len with
      | Ok () -> Some (Udp s)
      | Error _ ->
          Udp_sockets.close (Stack.udp stack) s;
          None)

let open_stream t ~now dst message =
  match Stack.connect t.stack ~now dst ~port with
  | Error _ -> None
  | Ok connection -> Some (Tcp { connection; message; written = 0 })

let close t channel =
  match Hashtbl.find_opt t.sockets channel with
  | None -> ()
  | Some s -> (
      Hashtbl.remove t.sockets channel;
      match s with
      | Udp s -> Udp_sockets.close (Stack.udp t.stack) s
      | Tcp { connection; _ } -> Tcp.close (Stack.tcp t.stack) connection)

let opened t ~now channel = function
  | Some s -> Hashtbl.replace t.sockets channel s
  | None -> Resolver.failed t.resolver ~now channel

let progress t ~tell r p =
  match List.assq_opt r t.requests with
  | None -> ()
  | Some f ->
      (match p with
      | Resolver.Done _ -> t.requests <- List.filter (fun (s, _) -> s != r) t.requests
      | Partly _ -> ());
      tell (fun () -> f p)

let rec put_out t ~now ~tell did =
  match Resolver.next t.resolver with
  | Idle -> did
  | output ->
      (match output with
      | Idle -> ()
      | Datagram { channel; server; message } ->
          opened t ~now channel (open_datagram t ~now server message)
      | Stream { channel; server; message } ->
          opened t ~now channel (open_stream t ~now server message)
      | Close channel -> close t channel
      | Progress (r, p) -> progress t ~tell r p);
      put_out t ~now ~tell true

(* -- input --------------------------------------------------------------- *)

let rec take_datagrams t ~now channel s =
  let b = Lazy.force t.buffer in
  if Udp_sockets.is_open s && Hashtbl.mem t.sockets channel then (
    match Udp_sockets.receive s b ~off:0 ~len:longest_datagram with
    | -1 -> if Udp_sockets.take_error s <> None then Resolver.failed t.resolver ~now channel
    | len ->
        let from = (Weir_wire.Ip.to_ipaddr (Udp_sockets.last_src s), Udp_sockets.last_src_port s) in
        let len = Int.min len longest_datagram in
        Resolver.receive t.resolver ~now channel ~from b ~len;
        take_datagrams t ~now channel s)
  else Resolver.failed t.resolver ~now channel

let rec take_bytes t ~now channel connection =
  let b = Lazy.force t.buffer in
  match Tcp.read connection b ~off:0 ~len:longest_datagram with
  | 0 ->
      if Tcp.receive_over connection || Tcp.state connection = Closed then
        Resolver.failed t.resolver ~now channel
  | len ->
      Resolver.receive_stream t.resolver ~now channel b ~len;
      take_bytes t ~now channel connection

(* Nothing can be written before the handshake is over. *)
let write connection message written =
  if Tcp.connected connection then
    let b = Bytes.unsafe_of_string message in
    written + Tcp.write connection b ~off:written ~len:(Bytes.length b - written)
  else written

let take t ~now channel = function
  | Udp s ->
      take_datagrams t ~now channel s;
      false
  | Tcp c ->
      let before = c.written in
      c.written <- write c.connection c.message before;
      take_bytes t ~now channel c.connection;
      c.written > before

let is_idle t = Hashtbl.length t.sockets = 0 && Resolver.is_idle t.resolver

let run t ~now ~tell =
  let wrote =
    if Hashtbl.length t.sockets = 0 then false
    else
      Hashtbl.fold (fun channel s all -> (channel, s) :: all) t.sockets []
      |> List.sort (fun (a, _) (b, _) -> Int.compare a b)
      |> List.fold_left (fun did (channel, s) -> take t ~now channel s || did) false
  in
  Resolver.tick t.resolver ~now;
  put_out t ~now ~tell false || wrote

let stop t ~now ~tell =
  Resolver.stop t.resolver ~now;
  ignore (put_out t ~now ~tell false : bool)
