open Weir_core
module Calls = Weir_drive.Calls
module Flow_lwt = Weir_flow_lwt.Flow_lwt

type t = { host : Host.t; tcb : Tcp.connection; waiters : Host.waiters; mutable closed : bool }

let make host tcb =
  Host.check host;
  let waiters = Lwt_condition.create () in
  Host.own_connection tcb waiters;
  { host; tcb; waiters; closed = false }

let host t = t.host
let tcb t = t.tcb
let closed_locally = Error Error.Closed_locally

let await_connected t =
  Host.check t.host;
  Host.await t.waiters (fun () ->
      if t.closed then Some closed_locally
      else
        match Calls.connected t.tcb with
        | Wait -> None
        | Failed e -> Some (Error (Error.Tcp e))
        | Ready | Ended -> Some (Ok ()))

(* -- reading ------------------------------------------------------------- *)

(* Reading may open the window; the window update is sent in this call. *)
let after_read t n =
  Host.spend t.host n;
  if Tcp.owes_ack t.tcb then Host.flush t.host

(* [take ()] is the number of bytes read, 0 if there are none now. *)
let attempt_read t take () =
  if t.closed then Some closed_locally
  else
    let n = take () in
    if n > 0 then (
      after_read t n;
      Some (Ok n))
    else
      match Calls.after_empty_read t.tcb with
      | Wait -> None
      | Failed e -> Some (Error (Error.Tcp e))
      | Ended | Ready -> Some (Ok 0)

let read_with t take =
  Host.check t.host;
  Host.enter t.host (fun () -> Host.await t.waiters (attempt_read t take))

let nothing = Lwt.return (Ok 0)

let check b ~off ~len =
  if off < 0 || len < 0 || off > Bytes.length b - len then
    invalid_arg "Weir_lwt.Connection: offset or length out of bounds"

let read t b ~off ~len =
  check b ~off ~len;
  if len = 0 then nothing else read_with t (fun () -> Tcp.read t.tcb b ~off ~len)

let read_into t buf =
  if Cstruct.is_empty buf then nothing else read_with t (fun () -> Calls.read_cstruct t.tcb buf)

(* [with_unread] passes one contiguous range, so the new buffer is no longer than the receive
   buffer. *)
let read_fresh t =
  let data = ref Cstruct.empty in
  let take () =
    Tcp.with_unread t.tcb (fun b off len ->
        if len > 0 then (
          data := Cstruct.create_unsafe len;
          Cstruct.blit_from_bytes b off !data 0 len);
        len)
  in
  Lwt.map (Result.map (fun n -> if n = 0 then `Eof else `Data !data)) (read_with t take)

(* -- writing ------------------------------------------------------------- *)

let attempt_write t put () =
  if t.closed then Some closed_locally
  else
    match Calls.writable t.tcb with
    | Ended -> Some closed_locally
    | Failed e -> Some (Error (Error.Tcp e))
    | Ready | Wait ->
        let n = put () in
        Host.spend t.host n;
        if n > 0 then (
          Host.wrote t.host;
          Some (Ok n))
        else (
          Calls.want_room t.tcb;
          None)

let write_with t put =
  Host.check t.host;
  Host.enter t.host (fun () -> Host.await t.waiters (attempt_write t put))

let write_by t ~want f =
  let put b off len = if len = 0 then 0 else f b off len in
  write_with t (fun () -> Tcp.with_room t.tcb ~want put)

let written = Lwt.return (Ok ())

let rec write_all t b ~off ~len =
  if len = 0 then written
  else
    Lwt.bind
      (write_with t (fun () -> Tcp.write t.tcb b ~off ~len))
      (function
        | Ok n -> write_all t b ~off:(off + n) ~len:(len - n) | Error e -> Lwt.return (Error e))

let write t b ~off ~len =
  check b ~off ~len;
  write_all t b ~off ~len

let rec write_from t s ~off =
  if off = String.length s then written
  else
    Lwt.bind
      (write_with t (fun () -> Tcp.write_string t.tcb s ~off ~len:(String.length s - off)))
      (function
        | Ok n ->
            Host.spend_less t.host n;
            write_from t s ~off:(off + n)
        | Error e -> Lwt.return (Error e))

let write_string t s = write_from t s ~off:0

let write_some t bufs =
  match Calls.drop bufs 0 with
  | [] -> nothing
  | bufs -> write_with t (fun () -> Calls.write_cstructs t.tcb bufs)

let rec writev t bufs =
  match Calls.drop bufs 0 with
  | [] -> written
  | bufs ->
      Lwt.bind (write_some t bufs) (function
        | Ok n -> writev t (Calls.drop bufs n)
        | Error e -> Lwt.return (Error e))

(* -- the end ------------------------------------------------------------- *)

let end_by t f =
  Host.check t.host;
  if not t.closed then (
    f ();
    Host.flush t.host;
    Host.wake t.waiters)

let shutdown t how =
  end_by t (fun () ->
      if how <> `Send then Tcp.shutdown_receive t.tcb;
      if how <> `Receive then Tcp.shutdown_send t.tcb)

let close_by t ~abort =
  end_by t (fun () ->
      t.closed <- true;
      Host.close_connection t.host t.tcb ~abort)

let close t =
  close_by t ~abort:false;
  Lwt.return_unit

let abort t = close_by t ~abort:true

(* -- options and facts --------------------------------------------------- *)

let set_nodelay t on =
  Host.check t.host;
  Tcp.set_nodelay t.tcb on;
  Host.flush t.host

let set_keepalive t k =
  Host.check t.host;
  Tcp.set_keepalive t.tcb k;
  Host.flush t.host

let set_user_timeout t u =
  Host.check t.host;
  Tcp.set_user_timeout t.tcb u;
  Host.flush t.host

let remote t = (Weir_wire.Ip.to_ipaddr (Tcp.remote t.tcb), Tcp.remote_port t.tcb)
let local t = (Weir_wire.Ip.to_ipaddr (Tcp.local t.tcb), Tcp.local_port t.tcb)

let info t =
  Host.check t.host;
  Calls.tcp_info t.tcb

(* -- as a flow ----------------------------------------------------------- *)

type flow =
  < Flow_lwt.flow
  ; shutdown_send : unit Lwt.t
  ; close : unit Lwt.t
  ; tcp_info : Weir_flow.Flow.tcp_info
  ; set_nodelay : bool -> unit >

type _ Flow_lwt.ty += Tcp : Weir_flow.Flow.tcp Flow_lwt.ty | Flow : flow Flow_lwt.ty

let as_flow p = Lwt.map (Result.map_error (fun e -> `Flow (Error.to_flow e))) p

let flow t : flow =
  object (self)
    inherit Flow_lwt.flow

    method read_into buf =
      Lwt.map
        (function
          | Ok 0 when not (Cstruct.is_empty buf) -> Ok `Eof
          | Ok n -> Ok (`Input n)
          | Error e -> Error (`Flow (Error.to_flow e)))
        (read_into t buf)

    method! read = as_flow (read_fresh t)
    method write buf = as_flow (writev t [ buf ])
    method! writev bufs = as_flow (writev t bufs)

    method! cast : type a. a Flow_lwt.ty -> a option =
      function
      | Flow_lwt.Half_close -> Some (self :> Flow_lwt.half_close)
      | Flow_lwt.Closable -> Some (self :> Flow_lwt.closable)
      | Tcp -> Some (self :> Weir_flow.Flow.tcp)
      | Flow_lwt.Nodelay -> Some (self :> Weir_flow.Flow.nodelay)
      | Flow -> Some (self :> flow)
      | _ -> None

    method shutdown_send =
      shutdown t `Send;
      Lwt.return_unit

    method close = close t
    method tcp_info = info t
    method set_nodelay on = set_nodelay t on
  end
