(** Aligned tables for people. *)

type align = Left | Right

val lines : (string * align) list -> string list list -> string list
(** [lines columns rows] are the headings, a line and the rows. Each row has as many cells as there
    are columns. *)

val print : (string * align) list -> string list list -> unit
(** [print columns rows] prints {!lines} on standard output. *)
