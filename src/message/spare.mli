(** One thing of a kind a domain, to be used again: scratch room of codecs. *)

type 'a t

val create : (unit -> 'a) -> 'a t
(** [create make] makes one when there is none. *)

val use : keep:('a -> bool) -> 'a t -> ('a -> 'b) -> 'b
(** [use ~keep t f] is [f x], with an [x] that nobody else uses meanwhile; another is made if it is
    in use. It is forgotten if [f] raises or [keep x] is false. *)
