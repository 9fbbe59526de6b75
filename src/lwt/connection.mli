(** A TCP connection under Lwt, with calls like a socket's. {!val-flow} makes it a Weir flow.

    - A read returns as soon as one byte is available.
    - A write returns when all its bytes are in the send buffer, not when they have arrived.
    - Pending and later calls fail with [Closed_locally] when {!close} is called.
    - One thread may read while another writes. Two concurrent reads, or two concurrent writes, each
      move contiguous bytes, in unspecified order.
    - {b Cancelling} a read either rejects it with [Lwt.Canceled], and no bytes are lost, or comes
      too late and has no effect. A timeout must therefore check [Lwt.state] of the read after
      cancelling it; [Lwt.pick] does not, and may lose bytes. A cancelled write may have written
      some of its bytes, so nothing more can be written.
    - A buffer belongs to the call until its promise is resolved.

    A connection that is no longer needed must be closed. Without that, only a reset by the peer or
    {!Host.close} frees its memory. *)

type t

val make : Host.t -> Weir_core.Tcp.connection -> t
(** [make host c] owns [c]. *)

val await_connected : t -> (unit, Error.t) Lwt_result.t
(** [await_connected t] waits for the end of the handshake. *)

val read : t -> Bytes.t -> off:int -> len:int -> (int, Error.t) Lwt_result.t
(** [read t b ~off ~len] waits for at least one byte, stores at most [len] bytes and is their
    number: 0 at the end of the stream, or if [len] is 0.
    @raise Invalid_argument if [off] and [len] do not lie inside [b]. *)

val read_into : t -> Cstruct.t -> (int, Error.t) Lwt_result.t
(** As {!read}. *)

val read_fresh : t -> ([ `Data of Cstruct.t | `Eof ], Error.t) Lwt_result.t
(** [read_fresh t] waits for at least one byte and returns available bytes in a fresh buffer. *)

val write : t -> Bytes.t -> off:int -> len:int -> (unit, Error.t) Lwt_result.t
(** @raise Invalid_argument if [off] and [len] do not lie inside [b]. *)

val write_string : t -> string -> (unit, Error.t) Lwt_result.t

val write_by : t -> want:int -> (Bytes.t -> int -> int -> int) -> (int, Error.t) Lwt_result.t
(** [write_by t ~want f] waits for room in the send buffer, and is [f b off len], which puts between
    1 and [len] bytes at [off] in [b] and says how many. [len] is at most [want]. If [f] raises,
    nothing is written. [f] must not call the host. *)

val writev : t -> Cstruct.t list -> (unit, Error.t) Lwt_result.t

val write_some : t -> Cstruct.t list -> (int, Error.t) Lwt_result.t
(** [write_some t bufs] waits for space and writes as many bytes as fit, at least one if [bufs] has
    any. A cancelled call has written nothing. *)

val shutdown : t -> [ `Send | `Receive | `All ] -> unit
(** [shutdown t `Send] sends FIN after the written bytes. After [shutdown t `Receive] reads return
    the bytes received so far, then the end. [shutdown t `All] does both, and later data are
    answered with a reset. No effect on a closed connection. *)

val close : t -> unit Lwt.t
(** [close t] does not wait. Written bytes are still sent. If there are unread bytes, the peer gets
    a reset (RFC 2525 §2.17). Idempotent. *)

val abort : t -> unit
(** [abort t] closes with a reset. *)

val set_nodelay : t -> bool -> unit
val set_keepalive : t -> Weir_core.Config.keepalive option -> unit
val set_user_timeout : t -> Weir_core.Config.user_timeout option -> unit
val host : t -> Host.t
val tcb : t -> Weir_core.Tcp.connection
val remote : t -> Ipaddr.t * int
val local : t -> Ipaddr.t * int
val info : t -> Weir_flow.Flow.tcp_info

(** {1 As a flow} *)

type flow =
  < Weir_flow_lwt.Flow_lwt.flow
  ; shutdown_send : unit Lwt.t
  ; close : unit Lwt.t
  ; tcp_info : Weir_flow.Flow.tcp_info
  ; set_nodelay : bool -> unit >

type _ Weir_flow_lwt.Flow_lwt.ty +=
  | Tcp : Weir_flow.Flow.tcp Weir_flow_lwt.Flow_lwt.ty
        (** [cast f Tcp] gives access to the statistics of [f] *)
  | Flow : flow Weir_flow_lwt.Flow_lwt.ty

val flow : t -> flow
(** [flow t] is [t] as a flow. It supports {!Weir_flow_lwt.Flow_lwt.Half_close},
    {!Weir_flow_lwt.Flow_lwt.Closable}, {!Weir_flow_lwt.Flow_lwt.Nodelay}, {!Tcp} and {!Flow}. Its
    [read] allocates a buffer of just the bytes read. *)
