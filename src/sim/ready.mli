(** Fibers that can run, the one that has waited longest first. *)

type 'a t

val create : dummy:'a -> 'a t
(** [create ~dummy] is empty; [dummy] fills empty slots. *)

val is_empty : 'a t -> bool
val push : 'a t -> 'a -> unit

val pop : 'a t -> 'a
(** [pop t] takes the oldest.
    @raise Invalid_argument if [t] is empty. *)

val pop_any : 'a t -> Random.State.t -> 'a
(** [pop_any t random] takes one at random. It does not keep the order of the others.
    @raise Invalid_argument if [t] is empty. *)
