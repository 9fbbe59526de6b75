(** Ephemeral ports (RFC 6056). *)

val first : int
(** [first] is the lowest of them, 32,768; the highest is 65,535. *)

type part = { mutable index : int; mutable of_ : int }
(** The ports of one of [of_] hosts with the same address: those whose {!owner} is [index]. *)

val whole : unit -> part
(** [whole ()] is all ports. *)

val owner : count:int -> int -> int
(** [owner ~count port] is the index of the host, among [count] with one address, that uses the
    ephemeral [port]. *)

val choose : ?part:part -> Random.State.t -> (int -> bool) -> int
(** [choose random free] is an ephemeral port of [part] (default {!whole}) for which [free] is true;
    0 if there is none. It begins at a random port, as RFC 6056 §3.3.1 does, and then advances by a
    step that depends on that port. If nine tenths of the ports are taken, it tries 10 on average.
*)

val overlap : Weir_wire.Ip.t -> Weir_wire.Ip.t -> bool
(** [overlap a b] is true if sockets bound to [a] and [b] may get the same packet: the addresses are
    equal, one is 0.0.0.0 and the other of IPv4, or one is [::], which stands for both families (RFC
    3493 §3.7). *)
