(** One reusable value for each domain, such as a codec's scratch buffer. *)

type 'a t

val create : (unit -> 'a) -> 'a t
(** [create make] calls [make] when no spare value is available. *)

val use : keep:('a -> bool) -> 'a t -> ('a -> 'b) -> 'b
(** [use ~keep t f] is [f x], where nothing else uses [x] until [f] returns. If the domain's value
    is in use, another is made. [x] is dropped if [f] raises or [keep x] is false. *)
