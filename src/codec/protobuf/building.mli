(** The collector while a large message is read. *)

val large : int
(** {!run} pays off from this many bytes of input on: half a megabyte. *)

val run : (unit -> 'a) -> 'a
(** [run f] is [f ()]. Most of what [f] allocates should live on. Meanwhile the domain's major
    collector does no work for new allocations, as it would mark the growing result again and again.
    It catches up afterwards ([Gc.ramp_up] of OCaml 5.4; with older compilers [run f] is only
    [f ()]). [f] must perform no effects. *)
