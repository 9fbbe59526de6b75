open Weir_base
open Weir_core
module Calls = Weir_drive.Calls
module Flow = Weir_flow.Flow
module Slice = Weir_flow.Slice
module Sockopt = Eio.Net.Sockopt

type t = {
  host : Host.t;
  tcb : Tcp.connection;
  waiters : Host.waiters;
  mutable closed : bool;
  mutable keepalive : Config.keepalive;  (** used when SO_KEEPALIVE is on *)
  mutable lent : int;  (** bytes of the receive ring that a view shows *)
  mutable hook : Eio.Switch.hook;
}

let failure (e : Tcb.error) =
  match e with
  | Timed_out -> Eio.Net.err (Connection_failure Timeout)
  | e -> Eio.Net.err (Connection_failure (Refused (Errors.Tcp_error e)))

let default_keepalive : Config.keepalive = { idle = Time.s 7200; interval = Time.s 75; probes = 9 }
let check_open t = if t.closed then raise (Errors.reset Errors.Closed_locally)

let end_view t =
  if t.lent > 0 then (
    let n = t.lent in
    t.lent <- 0;
    Tcp.discard t.tcb n)

(* What a view has shown was read: the peer must not see a reset for it. *)
let close t =
  if not t.closed then (
    t.closed <- true;
    end_view t;
    Eio.Switch.remove_hook t.hook;
    Tcp.close (Stack.tcp (Host.stack t.host)) t.tcb;
    Host.flush t.host;
    Eio.Condition.broadcast t.waiters)

let make host ~sw tcb =
  let waiters = Eio.Condition.create () in
  let t =
    {
      host;
      tcb;
      waiters;
      closed = false;
      keepalive = Option.value tcb.keepalive ~default:default_keepalive;
      lent = 0;
      hook = Eio.Switch.null_hook;
    }
  in
  Host.own_connection tcb waiters;
  t.hook <- Eio.Switch.on_release_cancellable sw (fun () -> close t);
  t

let await_connected t =
  Host.await t.waiters (fun () ->
      check_open t;
      match Calls.connected t.tcb with
      | Wait -> None
      | Failed e -> raise (failure e)
      | Ready | Ended -> Some ())

(* -- reading ------------------------------------------------------------- *)

(* Reading may open the window again: the update leaves in this call. *)
let after_read t = if t.tcb.in_output then Host.flush t.host

(* [take ()] is the number of bytes read, 0 if there are none now. A view ends
   whenever it is asked: another reader may have been shown one meanwhile. *)
let read_with t take =
  let take () =
    check_open t;
    end_view t;
    let n = take () in
    if n = 0 then after_read t;
    n
  in
  let n = take () in
  if n > 0 then n
  else
    Host.await t.waiters (fun () ->
        let n = take () in
        if n > 0 then Some n
        else
          match Calls.after_empty_read t.tcb with
          | Wait -> None
          | Failed e -> raise (Errors.reset (Errors.Tcp_error e))
          | Ended | Ready -> Some 0)

let check_run b ~off ~len =
  if off < 0 || len < 0 || off > Bytes.length b - len then
    invalid_arg "Connection: a run outside the bytes"

let read_into t b ~off ~len =
  check_run b ~off ~len;
  if len = 0 then 0
  else
    let n = read_with t (fun () -> Tcp.read t.tcb b ~off ~len) in
    after_read t;
    n

let single_read t buf =
  let n = read_with t (fun () -> Calls.read_cstruct t.tcb buf) in
  after_read t;
  if n = 0 then raise End_of_file else n

(* The bytes stay in the ring, which keeps them unchanged until they are dropped,
   by the next call that reads. *)
let view t (slice : Slice.t) =
  let show () =
    Tcp.unread t.tcb (fun b off len ->
        Slice.set slice b ~off ~len;
        len)
  in
  t.lent <- read_with t show;
  after_read t;
  if t.lent = 0 then Slice.set slice Bytes.empty ~off:0 ~len:0

(* -- writing ------------------------------------------------------------- *)

let check_writable t =
  check_open t;
  match Calls.writable t.tcb with
  | Ready | Wait -> ()
  | Ended -> raise (Errors.reset Errors.Closed_locally)
  | Failed e -> raise (Errors.reset (Errors.Tcp_error e))

let write_with t put =
  check_writable t;
  let n = put () in
  if n > 0 then n
  else
    Host.await t.waiters (fun () ->
        check_writable t;
        let n = put () in
        if n > 0 then Some n
        else (
          Calls.want_room t.tcb;
          None))

let rec write_all t b ~off ~len =
  if len > 0 then (
    let n = write_with t (fun () -> Tcp.write t.tcb b ~off ~len) in
    Host.flush t.host;
    write_all t b ~off:(off + n) ~len:(len - n))

let write t b ~off ~len =
  check_run b ~off ~len;
  write_all t b ~off ~len

(* Sent when all is queued or the buffer is full, so that short slices share a
   segment. *)
let rec queue t (slices : Slice.t list) ~from =
  match slices with
  | [] -> Host.flush t.host
  | { len; _ } :: rest when from = len -> queue t rest ~from:0
  | { bytes; off; len } :: _ ->
      let put () = Tcp.write t.tcb bytes ~off:(off + from) ~len:(len - from) in
      check_writable t;
      let n = put () in
      if n > 0 then queue t slices ~from:(from + n)
      else (
        Host.flush t.host;
        queue t slices ~from:(from + write_with t put))

let writev t slices =
  List.iter (fun ({ bytes; off; len } : Slice.t) -> check_run bytes ~off ~len) slices;
  queue t slices ~from:0

let single_write t bufs =
  if Cstruct.lenv bufs = 0 then 0
  else
    let n = write_with t (fun () -> Calls.write_cstructs t.tcb bufs) in
    Host.flush t.host;
    n

let chunk = 65_536

let rec copy_from t src buf =
  match Eio.Flow.single_read src buf with
  | exception End_of_file -> ()
  | n ->
      let rec all b = if Cstruct.length b > 0 then all (Cstruct.shift b (single_write t [ b ])) in
      all (Cstruct.sub buf 0 n);
      copy_from t src buf

let copy t ~src = copy_from t src (Cstruct.create_unsafe chunk)

let shutdown t cmd =
  check_open t;
  (match cmd with
  | `Send -> Tcp.shutdown_send t.tcb
  | `Receive -> Tcp.shutdown_receive t.tcb
  | `All ->
      Tcp.shutdown_receive t.tcb;
      Tcp.shutdown_send t.tcb);
  Host.flush t.host;
  Eio.Condition.broadcast t.waiters

(* -- options ------------------------------------------------------------- *)

let invalid () = raise (Eio.Net.err Invalid_option)

let set_keepalive t ~on k =
  t.keepalive <- k;
  Tcp.set_keepalive t.tcb (if on then Some k else None);
  Host.flush t.host

(* Its parameters may be set before it is switched on. *)
let tune t k = set_keepalive t ~on:(t.tcb.keepalive <> None) k

let set_option : type a. t -> a Sockopt.t -> a -> unit =
 fun t option v ->
  match option with
  | Sockopt.TCP_NODELAY ->
      Tcp.set_nodelay t.tcb v;
      Host.flush t.host
  | Sockopt.SO_KEEPALIVE -> set_keepalive t ~on:v t.keepalive
  | Sockopt.TCP_KEEPIDLE -> tune t { t.keepalive with idle = Time.s v }
  | Sockopt.TCP_KEEPINTVL -> tune t { t.keepalive with interval = Time.s v }
  | Sockopt.TCP_KEEPCNT -> tune t { t.keepalive with probes = v }
  | Sockopt.SO_REUSEADDR -> ()
  | Sockopt.TCP_CONGESTION -> (
      match v with
      | "reno" | "newreno" -> Congestion.choose t.tcb.congestion Reno
      | "cubic" -> Congestion.choose t.tcb.congestion Cubic
      | _ -> invalid ())
  | _ -> invalid ()

let get_option : type a. t -> a Sockopt.t -> a =
 fun t option ->
  match option with
  | Sockopt.TCP_NODELAY -> t.tcb.nodelay
  | Sockopt.SO_KEEPALIVE -> t.tcb.keepalive <> None
  | Sockopt.TCP_KEEPIDLE -> t.keepalive.idle / Time.s 1
  | Sockopt.TCP_KEEPINTVL -> t.keepalive.interval / Time.s 1
  | Sockopt.TCP_KEEPCNT -> t.keepalive.probes
  | Sockopt.SO_SNDBUF -> Byte_ring.capacity t.tcb.snd
  | Sockopt.SO_RCVBUF -> t.tcb.shared.config.receive_buffer
  | Sockopt.TCP_MAXSEG -> t.tcb.mss
  | Sockopt.IP_MTU -> (Stack.settings (Host.stack t.host)).mtu
  | Sockopt.TCP_CONGESTION -> (
      match Congestion.algorithm t.tcb.congestion with Reno -> "reno" | Cubic -> "cubic")
  | _ -> invalid ()

(* -- views --------------------------------------------------------------- *)

module Socket = struct
  type nonrec t = t
  type tag = [ `Generic ]

  let read_methods = []
  let single_read = single_read
  let single_write = single_write
  let copy = copy
  let shutdown = shutdown
  let close = close
  let setsockopt = set_option
  let getsockopt = get_option
end

let handler : (t, [ `Generic ] Eio.Net.stream_socket_ty) Eio.Resource.handler =
  let set_nodelay t on = set_option t Sockopt.TCP_NODELAY on in
  Eio.Resource.handler
    (H (Flows.Nodelay, set_nodelay)
    :: Eio.Resource.bindings (Eio.Net.Pi.stream_socket (module Socket)))

let socket t = Eio.Resource.T (t, handler)

type flow =
  < Flow.flow
  ; shutdown_send : unit
  ; close : unit
  ; tcp_info : Flow.tcp_info
  ; set_nodelay : bool -> unit >

(* Who has a flow knows no scheduler: failures are the flow's. *)
let flow t : flow =
  object (self)
    inherit Flow.flow
    val shown = Slice.empty ()
    method read_into b ~off ~len = try read_into t b ~off ~len with Eio.Io _ as e -> Flows.fail e

    method! read =
      (try view t shown with Eio.Io _ as e -> Flows.fail e);
      shown

    method! copy_to w =
      let rec go total =
        let { Slice.bytes; off; len } = self#read in
        if len = 0 then total
        else (
          w#write bytes ~off ~len;
          go (total + len))
      in
      go 0

    method write b ~off ~len = try write t b ~off ~len with Eio.Io _ as e -> Flows.fail e
    method! writev slices = try writev t slices with Eio.Io _ as e -> Flows.fail e
    method shutdown_send = if not t.closed then shutdown t `Send
    method close = close t
    method tcp_info = Calls.tcp_info t.tcb
    method set_nodelay on = set_option t Sockopt.TCP_NODELAY on

    method! cast : type a. a Flow.ty -> a option =
      function
      | Flow.Half_close -> Some (self :> Flow.half_close)
      | Flow.Closable -> Some (self :> Flow.closable)
      | Flow.Tcp -> Some (self :> Flow.tcp)
      | Flow.Nodelay -> Some (self :> Flow.nodelay)
      | _ -> None
  end

let tcb t = t.tcb

let remote_address t : Eio.Net.Sockaddr.stream =
  `Tcp (Errors.eio_address (Weir_wire.Ip4.to_ipaddr t.tcb.remote), t.tcb.remote_port)
