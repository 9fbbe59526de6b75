(** One reusable value in each domain, for the scratch buffers of codecs. *)

type 'a t

val create : (unit -> 'a) -> 'a t
(** [create make] makes a value when no spare one is left. *)

val use : keep:('a -> bool) -> 'a t -> ('a -> 'b) -> 'b
(** [use ~keep t f] is [f x], where [f] alone uses [x]. If the domain's value is in use, another is
    made. [x] is dropped if [f] raises or [keep x] is false. *)
