open Weir_core
module Calls = Weir_drive.Calls
module Flow = Weir_flow.Flow
module Slice = Weir_flow.Slice
module Sockopt = Eio.Net.Sockopt

type t = {
  host : Host.t;
  tcb : Tcp.connection;
  waiters : Host.waiters;
  options : Options.t;
  mutable closed : bool;
  mutable lent : int;  (** bytes of the receive ring that a view shows *)
  mutable interrupted : bool;  (** calls do not wait *)
  mutable told : bool;  (** the connection's error, to a caller *)
  mutable hook : Eio.Switch.hook;
}

(* All calls on [tcb] are made under the lock. *)
let locked t f =
  Host.lock t.host;
  match f t with
  | v ->
      Host.unlock t.host;
      v
  | exception e -> Host.unlock_and_raise t.host e

let check_open t call = if t.closed then raise (Errors.closed call)

let end_view t =
  if t.lent > 0 then (
    let n = t.lent in
    t.lent <- 0;
    Tcp.discard t.tcb n)

let of_tcb host ~options tcb =
  let waiters = Waiters.create () in
  Host.own_connection tcb waiters;
  let hook = Eio.Switch.null_hook in
  { host; tcb; waiters; options; closed = false; lent = 0; interrupted = false; told = false; hook }

(* -- closing ------------------------------------------------------------- *)

(* Bytes shown by a view count as read: they must not cause a reset. *)
let close_locked t =
  t.closed <- true;
  end_view t;
  Host.close_locked t.host t.tcb ~abort:(t.options.linger = Some 0)

let ended t () =
  locked t (fun t ->
      if Tcp.peer_has_all t.tcb then Some ()
      else (
        Tcp.want_peer_has_all t.tcb;
        None))

(* SO_LINGER: waits until the peer has acknowledged all, at most that long. *)
let await_end t seconds =
  Eio.Cancel.protect @@ fun () ->
  Eio.Fiber.first
    (fun () -> Host.sleep t.host (Weir_base.Time.s seconds))
    (fun () -> Host.await t.host t.waiters (ended t))

let close t =
  let first =
    locked t (fun t ->
        let first = not t.closed in
        if first then close_locked t;
        first)
  in
  if first then (
    Eio.Switch.remove_hook t.hook;
    Waiters.broadcast t.waiters;
    match t.options.linger with Some s when s > 0 -> await_end t s | _ -> ())

let abort t =
  t.options.linger <- Some 0;
  close t

let attach t ~sw = t.hook <- Eio.Switch.on_release_cancellable sw (fun () -> close t)
let unread t = locked t (fun t -> Tcp.unread t.tcb (fun _ _ len -> len))

let await_connected t =
  Host.await t.host t.waiters (fun () ->
      locked t (fun t ->
          if t.closed then raise (Errors.closed_meanwhile "connect");
          match Calls.connected t.tcb with
          | Wait -> None
          | Failed e -> raise (Errors.of_tcp e "connect")
          | Ready | Ended -> Some ()))

(* -- reading ------------------------------------------------------------- *)

let wait = -1

let set_interrupted t on =
  t.interrupted <- on;
  if on then Waiters.broadcast t.waiters

let check_waits t call = if t.interrupted then raise (Errors.v ETIMEDOUT call "interrupted")

let failed t code call =
  t.told <- true;
  raise (Errors.of_tcp code call)

(* SO_RCVLOWAT: a read waits for at least that many bytes. A window below twice that could close
   before they arrive. *)
let too_few t =
  let low = t.options.receive_low_water in
  low > 1
  && Tcp.unread_length t.tcb < Int.min low (Tcp.receive_limit t.tcb / 2)
  && Calls.more_may_come t.tcb

(* [take t] is the number of bytes read, 0 if there are none now. Each call ends
   the current view, because another reader may have made one meanwhile. *)
let read_locked t ~waited take =
  if t.closed then raise (if waited then Errors.closed_meanwhile "readv" else Errors.closed "readv");
  end_view t;
  let n = if waited && too_few t then 0 else take t in
  Host.spend t.host n;
  (* Reading may open the window: send the update in this call. *)
  if Tcp.owes_ack t.tcb then Host.flush_locked t.host;
  if n > 0 then n
  else
    match Calls.after_empty_read t.tcb with
    | Wait -> wait
    | Failed e -> failed t e "readv"
    | Ended | Ready -> 0

let try_read t ~waited take =
  Host.lock t.host;
  match read_locked t ~waited take with
  | n ->
      Host.unlock t.host;
      n
  | exception e -> Host.unlock_and_raise t.host e

let read_with t take =
  Host.enter t.host;
  let n = try_read t ~waited:false take in
  if n <> wait then n
  else
    Host.await t.host t.waiters (fun () ->
        check_waits t "readv";
        let n = try_read t ~waited:true take in
        if n = wait then None else Some n)

let check_run b ~off ~len =
  if off < 0 || len < 0 || off > Bytes.length b - len then
    invalid_arg "Connection: offset or length out of bounds"

let read_into t b ~off ~len =
  check_run b ~off ~len;
  if len = 0 then 0 else read_with t (fun t -> Tcp.read t.tcb b ~off ~len)

let single_read t buf =
  let n =
    if Cstruct.is_empty buf then (
      check_open t "readv";
      0)
    else read_with t (fun t -> Calls.read_cstruct t.tcb buf)
  in
  if n = 0 then raise End_of_file else n

(* The bytes stay in the ring, which keeps them unchanged until they are dropped,
   by the next call that reads. *)
let view t (slice : Slice.t) =
  let show t =
    t.lent <-
      Tcp.unread t.tcb (fun b off len ->
          Slice.set slice b ~off ~len;
          len);
    t.lent
  in
  if read_with t show = 0 then Slice.set slice Bytes.empty ~off:0 ~len:0

(* -- writing ------------------------------------------------------------- *)

let write_locked t ~waited put =
  if t.closed then
    raise (if waited then Errors.closed_meanwhile "writev" else Errors.closed "writev");
  match Calls.writable t.tcb with
  | Ended -> raise (Errors.v EPIPE "writev" "")
  (* The peer reset the connection because data arrived after it had closed. *)
  | Failed Reset when Tcp.peer_finished t.tcb -> raise (Errors.v EPIPE "writev" "")
  | Failed e -> failed t e "writev"
  | Ready | Wait ->
      let n = put t in
      Host.spend t.host n;
      if n > 0 then (
        Host.wrote t.host;
        n)
      else (
        Calls.want_room t.tcb;
        wait)

let try_write t ~waited put =
  Host.lock t.host;
  match write_locked t ~waited put with
  | n ->
      Host.unlock t.host;
      n
  | exception e -> Host.unlock_and_raise t.host e

let write_with t put =
  let n = try_write t ~waited:false put in
  if n <> wait then n
  else
    Host.await t.host t.waiters (fun () ->
        check_waits t "writev";
        let n = try_write t ~waited:true put in
        if n = wait then None else Some n)

let rec write_all t b ~off ~len =
  if len > 0 then
    let n = write_with t (fun t -> Tcp.write t.tcb b ~off ~len) in
    write_all t b ~off:(off + n) ~len:(len - n)

let rec write_all_string t s ~off ~len =
  if len > 0 then (
    let n = write_with t (fun t -> Tcp.write_string t.tcb s ~off ~len) in
    Host.spend_less t.host n;
    write_all_string t s ~off:(off + n) ~len:(len - n))

let write_by t ~want f =
  Host.enter t.host;
  let put b off len = if len = 0 then 0 else f b off len in
  write_with t (fun t -> Tcp.with_room t.tcb ~want put)

let write t b ~off ~len =
  check_run b ~off ~len;
  Host.enter t.host;
  write_all t b ~off ~len

let write_string t s ~off ~len =
  check_run (Bytes.unsafe_of_string s) ~off ~len;
  Host.enter t.host;
  write_all_string t s ~off ~len

let writev t (slices : Slice.t list) =
  List.iter (fun ({ bytes; off; len } : Slice.t) -> check_run bytes ~off ~len) slices;
  Host.enter t.host;
  List.iter (fun ({ bytes; off; len } : Slice.t) -> write_all t bytes ~off ~len) slices

(* Of nothing, it says whether writing is still possible. *)
let single_write t bufs =
  Host.enter t.host;
  if Cstruct.lenv bufs > 0 then write_with t (fun t -> Calls.write_cstructs t.tcb bufs)
  else Int.max 0 (try_write t ~waited:false (fun _ -> 0))

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
  locked t (fun t ->
      check_open t "shutdown";
      if cmd <> `Send then Tcp.shutdown_receive t.tcb;
      if cmd <> `Receive then Tcp.shutdown_send t.tcb;
      Host.flush_locked t.host);
  Waiters.broadcast t.waiters

(* -- options and facts --------------------------------------------------- *)

let set_option t option v =
  locked t (fun t ->
      check_open t "setsockopt";
      Options.set_stream t.options option v;
      Options.apply t.options t.tcb;
      Host.flush_locked t.host)

(* SO_ERROR is reported once, and not if a call has already reported it. *)
let pending_error t =
  match Tcp.error t.tcb with
  | Some e when not t.told ->
      t.told <- true;
      Options.unix_error_number (Errors.code_of_tcp e)
  | _ -> 0

let get_own : type a. t -> a Sockopt.t -> a =
 fun t option ->
  match option with
  | Sockopt.TCP_MAXSEG -> Tcp.mss t.tcb
  | Sockopt.IP_MTU -> Tcp.path_mtu t.tcb
  | Eio_unix.Net.Sockopt_int SO_TYPE -> 1
  | ((Eio_unix.Net.Sockopt_int SO_ERROR) [@alert "-deprecated"]) -> pending_error t
  | Eio_unix.Net.Sockopt_bool SO_ACCEPTCONN -> false
  | _ -> Options.get t.options option

let get_option t option =
  locked t (fun t ->
      check_open t "getsockopt";
      get_own t option)

let tcp_info t = locked t (fun t -> Calls.tcp_info t.tcb)

let remote_address ?ipv6 t : Eio.Net.Sockaddr.stream =
  `Tcp (Errors.eio_address ?ipv6 (Tcp.remote t.tcb), Tcp.remote_port t.tcb)

(* -- views --------------------------------------------------------------- *)

module Socket = struct
  type nonrec t = t
  type tag = [ `Generic | `Unix ]

  let read_methods = []
  let single_read = single_read
  let single_write = single_write
  let copy = copy
  let shutdown = shutdown
  let close = close
  let setsockopt = set_option
  let getsockopt = get_option
end

(* Which a connection that is closed may be told too. *)
let set_nodelay t on = try set_option t Sockopt.TCP_NODELAY on with Invalid_argument _ -> ()

let handler : (t, [ `Generic | `Unix ] Eio.Net.stream_socket_ty) Eio.Resource.handler =
  Eio.Resource.handler
    (H (Flows.Nodelay, set_nodelay)
    :: Eio.Resource.bindings (Eio.Net.Pi.stream_socket (module Socket)))

let socket t = Eio.Resource.T (t, handler)

type flow =
  < Flow.flow
  ; shutdown_send : unit
  ; close : unit
  ; tcp_info : Flow.tcp_info
  ; set_nodelay : bool -> unit
  ; write_by : want:int -> (Bytes.t -> int -> int -> int) -> int >

(* A user of a flow knows no scheduler: Eio's exceptions become [Flow.Error]. *)
let of_flow t f =
  try f () with
  | Eio.Io _ as e -> Flows.fail e
  | Invalid_argument _ when t.closed -> raise (Flow.Error Flow.closed)

let flow t : flow =
  object (self)
    inherit Flow.flow
    val shown = Slice.empty ()
    method read_into b ~off ~len = of_flow t (fun () -> read_into t b ~off ~len)

    method! read =
      of_flow t (fun () -> view t shown);
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

    method write b ~off ~len = of_flow t (fun () -> write t b ~off ~len)
    method! write_string s ~off ~len = of_flow t (fun () -> write_string t s ~off ~len)
    method! writev slices = of_flow t (fun () -> writev t slices)
    method shutdown_send = if not t.closed then shutdown t `Send
    method close = close t
    method tcp_info = tcp_info t
    method set_nodelay on = set_nodelay t on
    method write_by ~want f = of_flow t (fun () -> write_by t ~want f)

    method! cast : type a. a Flow.ty -> a option =
      function
      | Flow.Half_close -> Some (self :> Flow.half_close)
      | Flow.Closable -> Some (self :> Flow.closable)
      | Flow.Tcp -> Some (self :> Flow.tcp)
      | Flow.Nodelay -> Some (self :> Flow.nodelay)
      | Flow.Buffered -> Some (self :> Flow.buffered)
      | _ -> None
  end
