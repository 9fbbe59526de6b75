(** Whether a call on a connection or socket can proceed, must wait, or has failed. A driver calls
    these functions, waits until woken if the verdict is {!Wait}, and calls again.

    With {!Wait}, the connection has registered the wish, so that its wake function will be called.
*)

open Weir_core

type verdict =
  | Ready
  | Wait
  | Ended  (** reading: the stream is over; writing: the sending side was shut down *)
  | Failed of Tcp.error

val connected : Tcp.connection -> verdict
(** [connected c] is [Ready] once the handshake is over. Never [Ended]. *)

val after_empty_read : Tcp.connection -> verdict
(** [after_empty_read c] is the verdict after a read returned no bytes: [Wait], [Ended] or [Failed].
*)

val more_may_come : Tcp.connection -> bool
(** [more_may_come c] is true if more bytes may arrive. *)

val writable : Tcp.connection -> verdict
(** [writable c] is [Ready] if bytes may be written, though there may be no room; never [Wait]. *)

val want_room : Tcp.connection -> unit
(** [want_room c] registers a writer that waits for room. *)

val pending_error : Udp_sockets.socket -> string option
(** [pending_error s] removes and returns the ICMP error stored for [s], as text. *)

(** {1 Bytes outside the heap} *)

val read_cstruct : Tcp.connection -> Cstruct.t -> int
(** As {!Weir_core.Tcp.read}. *)

val write_cstructs : Tcp.connection -> Cstruct.t list -> int
(** [write_cstructs c bufs] queues as much of [bufs], in order, as there is room for, and returns
    the number of bytes. *)

val drop : Cstruct.t list -> int -> Cstruct.t list
(** [drop bufs n] is [bufs] without its first [n] bytes and without leading empty buffers. *)

(** {1 Facts} *)

val tcp_info : Tcp.connection -> Weir_flow.Flow.tcp_info
