(** A first-in first-out queue in a growing circular array. Pushing and popping do not allocate
    unless the array must grow. *)

type 'a t

val create : dummy:'a -> 'a t
(** [create ~dummy] is an empty queue. [dummy] fills unused slots. *)

val length : 'a t -> int
val is_empty : 'a t -> bool
val push : 'a t -> 'a -> unit

val pop : 'a t -> 'a
(** [pop q] removes and returns the oldest element.
    @raise Invalid_argument if [q] is empty. *)

val pop_nth : 'a t -> int -> 'a
(** [pop_nth q n] removes and returns the [n]th element, 0 being the oldest, and moves the oldest to
    its place.
    @raise Invalid_argument if [q] has no such element. *)

val peek : 'a t -> 'a
(** [peek q] is the oldest element.
    @raise Invalid_argument if [q] is empty. *)

val clear : 'a t -> unit
