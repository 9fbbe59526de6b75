(** A TCP connection as an Eio stream socket and as a Weir flow.

    - A read returns as soon as one byte is there; at the end of the stream it raises [End_of_file],
      and after a failure [Eio.Net.Connection_reset].
    - A write returns once bytes are in the send buffer, not when they arrived.
    - [shutdown `Send] sends FIN after what was written; [shutdown `Receive] discards what comes.
    - [close] is idempotent and returns at once; what was written is still sent. If unread bytes are
      lost by it the peer sees a reset (RFC 2525 §2.17). Reads and writes under way, and later ones,
      raise.
    - One fiber may read while another writes. Two reads, or two writes, at the same time each get
      or send whole runs of bytes in some order. Cancelling a read or write loses nothing: it has
      either moved bytes and returned, or moved none. *)

type t

val make : Host.t -> sw:Eio.Switch.t -> Weir_core.Tcp.connection -> t
(** [make host ~sw c] owns [c]: releasing [sw] closes it. *)

val await_connected : t -> unit
(** [await_connected t] waits for the handshake's end.
    @raise Eio.Io with [Connection_failure]. *)

val socket : t -> [ `Generic ] Eio.Net.stream_socket_ty Eio.Resource.t

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

val tcb : t -> Weir_core.Tcp.connection
val remote_address : t -> Eio.Net.Sockaddr.stream
val close : t -> unit
val shutdown : t -> [ `Send | `Receive | `All ] -> unit

val set_option : t -> 'a Eio.Net.Sockopt.t -> 'a -> unit
(** @raise Eio.Io with [Invalid_option] for what is not supported. *)
