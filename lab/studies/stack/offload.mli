(** Offloads of an interface of the kernel's (ethtool(8)). *)

val forbid : string -> unit
(** [forbid name] turns off what lets TCP hand the interface segments longer than its MTU, or take
    such from it (TSO, GSO, GRO).
    @raise Child.Failed if it cannot. *)
