(** A cable in memory: two links; each receives the frames that the other sends. Frames and their
    metadata are not copied. When the receiver releases a frame, its buffer returns to the sender's
    pool. *)

val pair : ?mtu:int -> ?queue:int -> ?offload:bool -> unit -> Link.t * Link.t
(** [pair ()] is the two ends of a cable with [mtu] (default 1500). At most [queue] frames (default
    4096; 512 with [offload]) wait at each end. More frames are dropped and counted in the sender's
    [tx_dropped]; so are frames longer than [mtu + 14], and all frames once either end is closed.
    [flush] notifies the other end. With [offload] (default false) the capabilities are {!Link.all}:
    frames are neither checksummed nor cut into segments, as between virtual machines on one
    computer. [receive] and [send] do not allocate.
    @raise Invalid_argument if [mtu < 68] (RFC 791 §3.2) or [queue < 1]. *)

val check_mtu : int -> unit
(** [check_mtu mtu] returns.
    @raise Invalid_argument if [mtu < 68]. *)
