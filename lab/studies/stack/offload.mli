(** Offloads of a kernel interface (ethtool(8)). *)

val forbid : string -> unit
(** [forbid name] turns off the offloads that let TCP send and receive segments longer than the
    interface's MTU (TSO, GSO, GRO).
    @raise Child.Failed if it cannot. *)
