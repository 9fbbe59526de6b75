(** A first-in first-out queue in a growing circular array: pushing and popping allocate nothing
    once the array has grown to the queue's longest. *)

type 'a t

val create : dummy:'a -> 'a t
(** [create ~dummy] is empty; [dummy] fills the slots that hold no element. *)

val length : 'a t -> int
val is_empty : 'a t -> bool
val push : 'a t -> 'a -> unit

val pop : 'a t -> 'a
(** [pop q] takes the oldest element.
    @raise Invalid_argument if [q] is empty. *)

val peek : 'a t -> 'a
(** [peek q] is the oldest element.
    @raise Invalid_argument if [q] is empty. *)

val clear : 'a t -> unit
