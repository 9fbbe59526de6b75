(** Aligned tables for people. *)

type align = Left | Right

val print : (string * align) list -> string list list -> unit
(** [print columns rows] prints headings, a rule and the rows on standard output. Each row has as
    many cells as there are columns. *)
