(** The table of connections, keyed by the four-tuple. Buckets are chosen by a secret, so that a
    peer cannot aim at one; a look-up allocates nothing. *)

type t

val create : secret:int -> t
val length : t -> int

val find : t -> Weir_wire.Packet.t -> local_port:int -> remote_port:int -> Tcb.t option
(** [find t p ~local_port ~remote_port] is the connection that a segment in [p] is for: [p] is from
    its remote address, to its local one. It allocates only when the table was given the connection.
*)

val add : t -> Tcb.t -> unit
(** [add t c]: no connection of [c]'s four-tuple may be in [t]. *)

val remove : t -> Tcb.t -> unit
(** [remove t c] takes out [c] itself, if it is there. *)

val iter : (Tcb.t -> unit) -> t -> unit
(** [iter f t] in no particular but reproducible order; [f] must not change [t]. *)
