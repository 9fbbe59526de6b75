(** The user's bytes of a connection: the RECEIVE and SEND calls of RFC 9293 §3.10.3 and §3.10.2, on
    its rings. They never wait. *)

val read : Tcb.t -> Bytes.t -> off:int -> len:int -> int
(** [read c b ~off ~len] moves unread bytes into [b] (RECEIVE); 0 if there are none now: then
    {!Tcb.peer_finished} or [c.state = Closed] tell whether there will be. *)

val unread : Tcb.t -> (Bytes.t -> int -> int -> 'a) -> 'a
(** [unread c f] is [f b off len] for the first contiguous unread bytes ([len] may be 0). They stay
    unread, and unchanged, until they are taken by {!discard} or a read. *)

val unread_length : Tcb.t -> int
val has_unread : Tcb.t -> bool

val discard : Tcb.t -> int -> unit
(** [discard c n] reads [n] bytes, or all that there are, to no place. *)

val with_unread : Tcb.t -> (Bytes.t -> int -> int -> int) -> int
(** [with_unread c f] is [f b off len] for the first contiguous unread bytes ([len] may be 0), of
    which [f] says how many it took; they are then read. [b] must not be changed or kept. *)

val write : Tcb.t -> Bytes.t -> off:int -> len:int -> int
(** [write c b ~off ~len] queues at most [len] bytes (SEND), the number taken; 0 if there is no room
    now.
    @raise Invalid_argument after {!Tcp.shutdown_send}. *)

val with_room : Tcb.t -> want:int -> (Bytes.t -> int -> int -> int) -> int
(** [with_room c ~want f] is [f b off len] for contiguous free space, into which [f] puts bytes and
    says how many. *)
