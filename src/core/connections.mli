(** The table of connections, keyed by the four-tuple. The hash uses a secret, so that a peer cannot
    fill one bucket. A look-up does not allocate. *)

type t

val create : secret:int -> t
val length : t -> int

val find : t -> Weir_wire.Packet.t -> local_port:int -> remote_port:int -> Tcb.t option
(** [find t p ~local_port ~remote_port] is the connection for a segment in [p]: [p] is from its
    remote address to its local address. It does not allocate. *)

val add : t -> Tcb.t -> unit
(** [add t c] adds [c]. No connection with the same four-tuple may be in [t]. *)

val remove : t -> Tcb.t -> unit
(** [remove t c] removes [c] itself, if present. *)

val spread : int -> int
(** [spread h] is what goes from the hash of the remote end into that of the local one. *)

val may_have_port : t -> int -> bool
(** [may_have_port t p] is false if no connection has the local port [p]. With fewer than 4,096
    connections it may be true for no reason. O(1). *)

val iter : (Tcb.t -> unit) -> t -> unit
(** [iter f t] calls [f] on each connection, in a reproducible but unspecified order. [f] must not
    change [t]. *)
