(** A link that does to frames all that a network may. *)

val wrap : int -> Weir_link.Link.t -> Weir_link.Link.t
(** [wrap seed link] loses, doubles, delays, reorders and corrupts a few frames in a hundred, in
    both directions. *)
