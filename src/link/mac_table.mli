(** Which port an Ethernet address was last seen at, as a switch learns it: of bounded size, and
    forgotten after {!lifetime}. Where addresses crowd, the oldest makes room: a flood of made-up
    addresses costs flooding, never memory. *)

type t

val create : ?size:int -> unit -> t
(** [create ()] remembers at most [size] addresses (default 4096, rounded up to a power of two). *)

val lifetime : Weir_base.Time.t
(** 300 s, as IEEE 802.1D recommends. *)

val learn : t -> now:Weir_base.Time.t -> Weir_wire.Mac.t -> port:int -> unit
(** [learn t ~now mac ~port] notes that [mac] is behind [port], which must not be negative. *)

val find : t -> now:Weir_base.Time.t -> Weir_wire.Mac.t -> int
(** [find t ~now mac] is the port at which [mac] was last seen, or -1. *)

val forget_port : t -> int -> unit
(** [forget_port t p] forgets all addresses seen at [p]. *)
