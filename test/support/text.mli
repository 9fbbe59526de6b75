(** Texts to send and to look through. *)

val contains : string -> string -> bool
(** [contains s part] is whether [part] stands anywhere in [s]. *)

val random : int -> string
(** [random n] is [n] bytes of any value, the same for the same [n]. *)
