(** Connects two links: frames received from one are sent over the other. With {!Impair} around one
    of them it simulates a bad network between two devices, for example between the kernels behind
    two TAPs. *)

val pump : ?budget:int -> now:Weir_base.Time.t -> Link.t -> Link.t -> int
(** [pump ~now a b] moves all waiting frames in both directions, at most [budget] (default 256) in
    each, and returns how many it moved. If the result is not 0, more frames may wait. It does not
    block. A link drops and counts frames that it cannot send. *)

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
(** [run ~clock ~stop ~await a b] calls {!pump} until [stop ()] is true. It calls [stop] after each
    round, at least every [nap_ns] (default 10 ms). Between rounds it calls [await ns], which must
    sleep until [a] or [b] may have frames, or for [ns] nanoseconds
    ([Weir_link_unix.Descriptor.await [ a; b ]] does so). [clock ()] is the time of a monotonic
    clock. *)
