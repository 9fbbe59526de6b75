(** The user's calls on one connection, as {!Tcp} gives and describes them: among them RECEIVE and
    SEND (RFC 9293 §3.10.3, §3.10.2) on its rings. They never wait. *)

open Weir_wire

val id : Tcb.t -> int
val state : Tcb.t -> Tcb.state
val error : Tcb.t -> Tcb.error option
val local : Tcb.t -> Ip.t
val local_port : Tcb.t -> int
val remote : Tcb.t -> Ip.t
val remote_port : Tcb.t -> int
val irs : Tcb.t -> int
val mss : Tcb.t -> int
val path_mtu : Tcb.t -> int
val nodelay : Tcb.t -> bool
val keepalive : Tcb.t -> Config.keepalive option
val connected : Tcb.t -> bool
val peer_finished : Tcb.t -> bool
val peer_has_all : Tcb.t -> bool
val receive_over : Tcb.t -> bool
val send_over : Tcb.t -> bool
val owes_ack : Tcb.t -> bool
val receive_limit : Tcb.t -> int
val unacknowledged_length : Tcb.t -> int
val srtt_ns : Tcb.t -> int
val congestion_window : Tcb.t -> int
val retransmitted : Tcb.t -> int
val want_readable : Tcb.t -> unit
val want_writable : Tcb.t -> unit
val want_connected : Tcb.t -> unit
val want_peer_has_all : Tcb.t -> unit
val wake : Tcb.t -> unit -> unit
val set_wake : Tcb.t -> (unit -> unit) -> unit
val read : Tcb.t -> Bytes.t -> off:int -> len:int -> int
val unread : Tcb.t -> (Bytes.t -> int -> int -> 'a) -> 'a
val unread_length : Tcb.t -> int
val has_unread : Tcb.t -> bool
val discard : Tcb.t -> int -> unit
val with_unread : Tcb.t -> (Bytes.t -> int -> int -> int) -> int
val write : Tcb.t -> Bytes.t -> off:int -> len:int -> int
val write_string : Tcb.t -> string -> off:int -> len:int -> int
val with_room : Tcb.t -> want:int -> (Bytes.t -> int -> int -> int) -> int
val shutdown_send : Tcb.t -> unit
val shutdown_receive : Tcb.t -> unit
val set_keepalive : Tcb.t -> Config.keepalive option -> unit
val user_timeout : Tcb.t -> Config.user_timeout option
val user_timeout_ns : Tcb.t -> int
val set_user_timeout : Tcb.t -> Config.user_timeout option -> unit
val set_send_buffer : Tcb.t -> int -> unit
val set_receive_buffer : Tcb.t -> int -> unit
val set_nodelay : Tcb.t -> bool -> unit
val set_sharing : Tcb.t -> reuse:bool -> share:bool -> unit
val set_congestion : Tcb.t -> Congestion.algorithm -> unit
