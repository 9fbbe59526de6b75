(** A TCP connection as an Eio stream socket and as a Weir flow.

    - A read returns as soon as one byte is there. Bytes that arrived in order before a reset can
      still be read. [End_of_file] is raised only when all bytes were read. After a failure a read
      raises the kernel's error: [Eio.Net.Connection_reset], or ETIMEDOUT or EHOSTUNREACH as
      [Eio.Exn.X]. Every later read raises it too, because [End_of_file] would mean that the peer
      closed.
    - A write returns when the bytes are in the send buffer, not when they arrived. Several writes
      of a fiber without waiting in between are sent together.
    - [shutdown `Send] sends FIN after the written bytes. After [shutdown `Receive] a read gives the
      bytes received so far, then the end. After [shutdown `All], data that arrive later are
      answered with a reset.
    - [close] is idempotent and returns at once, unless SO_LINGER is set. Written bytes are still
      sent. If there are unread bytes, the peer gets a reset (RFC 2525 §2.17). Reads and writes that
      wait raise [Connection_reset]; later calls raise [Invalid_argument].
    - One fiber may read while another writes, in any domain. Two concurrent reads, or two
      concurrent writes, each move contiguous bytes, in unspecified order. Cancelling a read or
      write loses no bytes: a call that raises has moved none. The calls of a cancelled fiber raise
      at once. A fiber that makes many calls in a row yields to other fibers from time to time. *)

type t

val of_tcb : Host.t -> options:Options.t -> Weir_core.Tcp.connection -> t
(** [of_tcb h ~options c] is [c] with [options]. The caller holds the host's lock and must call
    {!attach} next. *)

val attach : t -> sw:Eio.Switch.t -> unit
(** [attach t ~sw] closes [t] when [sw] ends. *)

val await_connected : t -> unit
(** [await_connected t] waits for the handshake's end.
    @raise Eio.Io with [Connection_failure], ETIMEDOUT or EHOSTUNREACH. *)

val socket : t -> [ `Generic | `Unix ] Eio.Net.stream_socket_ty Eio.Resource.t
(** [socket t] is [t] for programs that want an Eio socket. It has no file descriptor. *)

type flow =
  < Weir_flow.Flow.flow
  ; shutdown_send : unit
  ; close : unit
  ; tcp_info : Weir_flow.Flow.tcp_info
  ; set_nodelay : bool -> unit
  ; write_by : want:int -> (Bytes.t -> int -> int -> int) -> int >

val flow : t -> flow
(** [flow t] is [t] as a flow; it knows {!Weir_flow.Flow.Half_close}, {!Weir_flow.Flow.Closable},
    {!Weir_flow.Flow.Tcp}, {!Weir_flow.Flow.Nodelay} and {!Weir_flow.Flow.Buffered}. Its exceptions
    are {!Weir_flow.Flow.Error}, converted by {!Flows.error}. [read] is a view of the receive
    buffer; its bytes leave the buffer, and the window opens, when the next read begins. [copy] from
    the flow writes such views. [writev] sends its slices as one write. *)

val tcp_info : t -> Weir_flow.Flow.tcp_info

val view : t -> Weir_flow.Slice.t -> unit
(** [view t s] waits for bytes and shows them in [s], which is empty at the end. They stay unchanged
    until the next read or view, or the close, by which they count as read.
    @raise Eio.Io as a read does. *)

val write_by : t -> want:int -> (Bytes.t -> int -> int -> int) -> int
(** [write_by t ~want f] waits for room in the send buffer, and is [f b off len], which puts at most
    [len] bytes at [off] in [b] and says how many. What [f] raises is raised, and nothing is
    written. [f] must not call the host.
    @raise Eio.Io as a write does. *)

val unread : t -> int
(** [unread t] is how many bytes a read would return at once; 0 if it would wait or [t] has ended.
*)

val set_interrupted : t -> bool -> unit
(** [set_interrupted t true] makes reads and writes of [t] that would wait, or are waiting, fail
    with [ETIMEDOUT], until [set_interrupted t false]. A time limit can so end a call without
    cancelling its fiber and without allocating. *)

val remote_address : ?ipv6:bool -> t -> Eio.Net.Sockaddr.stream
(** [remote_address t] is the peer's address. With [ipv6] (default false), an IPv4 address is mapped
    into IPv6. *)

val close : t -> unit

val abort : t -> unit
(** [abort t] closes [t] with a reset. Written bytes beyond the peer's window are not sent. *)

val shutdown : t -> [ `Send | `Receive | `All ] -> unit

val set_option : t -> 'a Eio.Net.Sockopt.t -> 'a -> unit
(** See {!Options}.
    @raise Eio.Io with [Invalid_option] for what is not supported. *)

val get_option : t -> 'a Eio.Net.Sockopt.t -> 'a
