(** A switch's table from Ethernet address to the port where it was last seen. Its size is bounded,
    and entries expire after {!lifetime}. A full bucket replaces its oldest entry. So an attack with
    forged addresses makes the switch send frames to all ports, but takes no memory. *)

type t

val create : ?size:int -> unit -> t
(** [create ()] stores at most [size] addresses (default 4096, rounded up to a power of two). *)

val lifetime : Weir_base.Time.t
(** 300 s, as IEEE 802.1D recommends. *)

val learn : t -> now:Weir_base.Time.t -> Weir_wire.Mac.t -> port:int -> unit
(** [learn t ~now mac ~port] stores that [mac] is behind [port], which must not be negative. *)

val find : t -> now:Weir_base.Time.t -> Weir_wire.Mac.t -> int
(** [find t ~now mac] is the port at which [mac] was last seen, or -1. *)

val forget_port : t -> int -> unit
(** [forget_port t p] removes all addresses seen at [p]. *)
