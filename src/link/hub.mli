(** A network segment in memory that any number of hosts share: a learning switch, or a plain hub
    that repeats every frame to all. It has no spanning tree, VLANs or flow control, so the ports
    must not be joined in a loop.

    The last receiver of a frame gets the frame itself, the others copies from the frame's own pool.
*)

type t

val create : ?learning:bool -> ?mtu:int -> ?queue:int -> ?table:int -> unit -> t
(** [create ()] has no port yet. It sends a frame only to the port where the destination was last
    seen, if it was; with [learning:false] always to all. [mtu] is 1500 unless given; at most
    [queue] frames (default 4096) wait at a port, more are dropped and counted as that port's
    [rx_dropped]; at most [table] addresses (default 4096) are remembered.
    @raise Invalid_argument if [mtu < 68] (RFC 791 §3.2) or [queue < 1]. *)

val port : t -> Link.t
(** [port t] is a new port; closing it takes it out again. A frame that is longer than [mtu + 14],
    or too short for its header, is dropped and counted as the sender's [tx_dropped]. Sending and
    receiving do not allocate, but for copies while their pool is empty. *)

val ports : t -> int
(** [ports t] is how many are open. *)
