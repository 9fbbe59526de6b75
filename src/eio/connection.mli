(** A TCP connection as an Eio stream socket and as a Weir flow.

    - A read returns as soon as one byte is there. A reset does not take what arrived in order
      before it: that is read first. The end of the stream, [End_of_file], is told only when every
      byte before it was read; after a failure a read raises what the kernel would say:
      [Eio.Net.Connection_reset], or ETIMEDOUT or EHOSTUNREACH as [Eio.Exn.X]; and so does every
      later one, since an end would look like the peer's.
    - A write returns once bytes are in the send buffer, not when they arrived. What a fiber writes
      without waiting leaves together.
    - [shutdown `Send] sends FIN after what was written. After [shutdown `Receive] what has come is
      read, then the end; [shutdown `All] moreover answers what comes later with a reset.
    - [close] is idempotent and returns at once, unless SO_LINGER has it wait; what was written is
      still sent. If unread bytes are lost by it the peer sees a reset (RFC 2525 §2.17). Reads and
      writes that wait raise [Connection_reset]; later calls raise [Invalid_argument].
    - One fiber may read while another writes, in any domain. Two reads, or two writes, at the same
      time each get or send whole runs of bytes in some order. Cancelling a read or write loses
      nothing: it has either moved bytes and returned, or moved none. A cancelled fiber's calls
      raise at once, and many calls in a row let other fibers run now and then. *)

type t

val of_tcb : Host.t -> options:Options.t -> Weir_core.Tcp.connection -> t
(** [of_tcb h ~options c] is [c], which goes by [options]; the host's lock is held, and {!attach} is
    to follow. *)

val attach : t -> sw:Eio.Switch.t -> unit
(** [attach t ~sw]: releasing [sw] closes [t]. *)

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
  ; set_nodelay : bool -> unit >

val flow : t -> flow
(** [flow t] is [t] as a flow; it knows {!Weir_flow.Flow.Half_close}, {!Weir_flow.Flow.Closable},
    {!Weir_flow.Flow.Tcp} and {!Weir_flow.Flow.Nodelay}. It fails with {!Weir_flow.Flow.Error} as
    {!Flows.error} has it. [read] is a view of the receive buffer, whose window opens by it when the
    next read begins; [copy] from it writes such views; [writev] sends its slices as one write. *)

val tcp_info : t -> Weir_flow.Flow.tcp_info

val unread : t -> int
(** [unread t] is how many bytes a read would give at once, 0 if it would wait or [t] has ended. *)

val remote_address : ?ipv6:bool -> t -> Eio.Net.Sockaddr.stream
(** [remote_address t] is the peer's; with [ipv6], as a socket of that family shows it. *)

val close : t -> unit

val abort : t -> unit
(** [abort t] closes [t] by a reset: what the peer has no room for yet is not sent. *)

val shutdown : t -> [ `Send | `Receive | `All ] -> unit

val set_option : t -> 'a Eio.Net.Sockopt.t -> 'a -> unit
(** See {!Options}.
    @raise Eio.Io with [Invalid_option] for what is not supported. *)

val get_option : t -> 'a Eio.Net.Sockopt.t -> 'a
