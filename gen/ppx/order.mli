(** Bindings in an order in which each needs only those before it, and [let rec] only where some
    need each other. *)

open Ppxlib

val items : large:(string -> bool) -> value_binding list -> structure
(** [items ~large bindings] are [bindings], each bound to a name, as definitions. Functions that are
    [large] are never expanded in place, whatever the compiler is told: their code would be there
    many times over. *)
