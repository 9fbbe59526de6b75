(** A network segment in memory for any number of hosts: a learning switch, or a plain hub that
    repeats every frame to all ports. It has no spanning tree, VLANs or flow control, so the ports
    must not form a loop.

    The last receiver of a frame gets the frame itself; the others get copies from the frame's own
    pool. *)

type t

val create : ?learning:bool -> ?mtu:int -> ?queue:int -> ?table:int -> unit -> t
(** [create ()] has no ports yet. It sends a frame only to the port where the destination was last
    seen, if that is known, else to all ports; with [learning:false] always to all. [mtu] is 1500 by
    default. At most [queue] frames (default 4096) wait at a port; more are dropped and counted in
    that port's [rx_dropped]. At most [table] addresses (default 4096) are stored.
    @raise Invalid_argument if [mtu < 68] (RFC 791 §3.2) or [queue < 1]. *)

val port : t -> Link.t
(** [port t] is a new port; closing it removes it. A frame that is longer than [mtu + 14], or
    shorter than its header, is dropped and counted in the sender's [tx_dropped]. Sending and
    receiving allocate only for copies when the pool is empty. *)

val ports : t -> int
(** [ports t] is the number of open ports. *)
