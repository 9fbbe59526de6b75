(** The collector while a large message is read. *)

val large : int
(** Bytes of input, from which on {!run} is worth its while: half a megabyte. *)

val run : (unit -> 'a) -> 'a
(** [run f] is [f ()], which makes much that lives on and little that does not. Meanwhile the
    domain's collector does not work for what is allocated: it would mark what is being made again
    and again. It catches up afterwards ([Gc.ramp_up], of OCaml 5.4; before it, [run f] is [f ()]).
    [f] performs no effects. *)
