(** The window that a connection advertises (RFC 9293 §3.8.6). *)

val room : Tcb.t -> int
(** [room t] is how many bytes more than the unread ones the receive buffer takes now. *)

val receive_window : Tcb.t -> room:int -> int
(** [receive_window t ~room] is the window to advertise, in bytes: at most [room], but its right
    edge never moves back. It grows only in steps large enough to avoid silly windows (RFC 9293
    §3.8.6.2.2). *)

val window_update_due : Tcb.t -> bool
(** [window_update_due t] is true if the user has read enough to send a window update. *)
