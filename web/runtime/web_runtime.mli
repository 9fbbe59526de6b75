(** Functions of other libraries in JavaScript: [runtime.js]. *)

val linked : unit
(** [linked] is named by programs that need them. *)
