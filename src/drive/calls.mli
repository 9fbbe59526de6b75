(** What a call on a connection or socket that may have to wait is told: go on, wait, or why not. A
    driver asks, waits until woken if it must, and asks again.

    Where the answer is {!Wait}, the wish is noted in the connection, so that its waker will be
    called. *)

open Weir_core

type verdict =
  | Ready
  | Wait
  | Ended  (** reading: the stream is over; writing: the sending side was shut down *)
  | Failed of Tcp.error

val connected : Tcp.connection -> verdict
(** [connected c] is [Ready] once the handshake is over. Never [Ended]. *)

val after_empty_read : Tcp.connection -> verdict
(** [after_empty_read c] is what it means that a read found nothing: [Wait], [Ended] or [Failed]. *)

val more_may_come : Tcp.connection -> bool
(** [more_may_come c]: there may be more to read than is there now. *)

val writable : Tcp.connection -> verdict
(** [writable c] is [Ready] if bytes may be written, though there may be no room; never [Wait]. *)

val want_room : Tcp.connection -> unit
(** [want_room c] notes that a writer waits for room. *)

val pending_error : Udp_sockets.socket -> string option
(** [pending_error s] takes out the ICMP error that was noted about [s], in words. *)

(** {1 Bytes outside the heap} *)

val read_cstruct : Tcp.connection -> Cstruct.t -> int
(** As {!Weir_core.Tcp.read}. *)

val write_cstructs : Tcp.connection -> Cstruct.t list -> int
(** [write_cstructs c bufs] queues as much of [bufs], in order, as there is room for: how many
    bytes. *)

val drop : Cstruct.t list -> int -> Cstruct.t list
(** [drop bufs n] is what is left of [bufs] after [n] bytes, without empty ones at its head. *)

(** {1 Facts} *)

val tcp_info : Tcp.connection -> Weir_flow.Flow.tcp_info
