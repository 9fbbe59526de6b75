(** Turns at something of which so many may be at work at once: first come, first served. *)

type t

val create : ?may:(unit -> bool) -> int -> t
(** [create n] has [n] turns, to be had while [may ()]. *)

type place

val join : t -> (unit -> unit) -> place
(** [join t on_turn] takes a turn, or stands in line for one. [on_turn] is called when a turn that
    was not there at once has come; it must not wait. *)

val try_join : t -> place option
(** [try_join t] takes a turn if there is one. *)

val is_free : t -> bool
(** [is_free t] is whether there is a turn for who asks now. *)

val advance : t -> unit
(** [advance t]: [may ()] may hold again. *)

val has : place -> bool
(** [has p] is whether [p] has its turn. *)

val leave : t -> place -> unit
(** [leave t p] gives the turn to the next, or leaves the line. Idempotent. *)
