(** A fair counting semaphore: permits are granted in the order of requests. *)

type t

val create : ?may:(unit -> bool) -> int -> t
(** [create n] has [n] permits. They are granted only while [may ()] is true (default: always). *)

type place

val join : t -> (unit -> unit) -> place
(** [join t on_turn] takes a permit or queues for one. [on_turn] is called when a queued request is
    granted; it must not wait. *)

val try_join : t -> place option
(** [try_join t] takes a permit if one is free and the queue is empty. *)

val is_free : t -> bool
(** [is_free t] is whether {!try_join} would take a permit. *)

val advance : t -> unit
(** [advance t] grants queued requests, as far as [may ()] allows. Call it when [may ()] has
    changed. *)

val has : place -> bool
(** [has p] is whether [p] has a permit. *)

val leave : t -> place -> unit
(** [leave t p] releases the permit of [p], or removes [p] from the queue. Idempotent. *)
