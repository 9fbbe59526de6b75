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
  clock:(unit -> Weir_base.Time.t) ->
  stop:(unit -> bool) ->
  await:(Weir_base.Time.t -> unit) ->
  ?nap_ns:int ->
  Link.t ->
  Link.t ->
  unit
(** [run ~clock ~stop ~await a b] pumps until [stop ()], asked after each round and at least every
    [nap_ns] (default 10 ms). In between [await ns] is called, which sleeps until [a] or [b] may
    have frames, or for [ns] nanoseconds ([Weir_link_unix.Descriptor.await [ a; b ]] does so).
    [clock ()] is the time by a monotonic clock. *)
