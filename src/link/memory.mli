(** A cable in memory: two links, what one sends the other receives. Frames move without being
    copied, what is known of them too; a sent frame's buffer goes back to the sender's pool when the
    receiver releases it. *)

val pair : ?mtu:int -> ?queue:int -> ?offload:bool -> unit -> Link.t * Link.t
(** [pair ()] are the two ends of a cable with [mtu] (default 1500). At most [queue] frames (default
    4096; 512 if they may be long) wait at either end; more are dropped and counted as the sender's
    [tx_dropped], as are those longer than [mtu + 14], and all once either end is closed. The other
    end's notification comes with [flush]. With [offload] (default false) their capabilities are
    {!Link.all}: as between two virtual machines of one computer, nobody sums or cuts what never was
    on a wire. [receive] and [send] do not allocate.
    @raise Invalid_argument if [mtu < 68] (RFC 791 §3.2) or [queue < 1]. *)

val check_mtu : int -> unit
(** [check_mtu mtu] returns.
    @raise Invalid_argument if [mtu < 68]. *)
