(** Two links back to back: what comes from one is sent over the other. With {!Impair} around
    either, it is a bad network between two devices, for example between two TAPs, so that two
    kernels meet over it. *)

val pump : ?budget:int -> now:Weir_base.Time.t -> Link.t -> Link.t -> int
(** [pump ~now a b] moves frames both ways until there are none, but at most [budget] (default 256)
    each way, and is how many it moved: as long as that is not 0, more may wait. It does not block.
    Frames that the other link cannot take are dropped and counted by it. *)

val deadline : Link.t -> Link.t -> Weir_base.Time.t
(** [deadline a b] is when {!pump} must be called even if neither link is ready. *)

val run :
  clock:(unit -> Weir_base.Time.t) -> stop:(unit -> bool) -> ?nap_ns:int -> Link.t -> Link.t -> unit
(** [run ~clock ~stop a b] pumps until [stop ()], asked after each round and at least every [nap_ns]
    (default 10 ms), and sleeps in between on the descriptors of [a] and [b]. [clock ()] is the time
    by a monotonic clock.
    @raise Invalid_argument if a link's readiness is not a descriptor. *)
