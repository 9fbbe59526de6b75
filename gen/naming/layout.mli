(** The layout of generated code: lines of at most 100 columns, one empty line at a time. *)

val tidy : string -> string
(** [tidy text] breaks the long lines of OCaml code where that is easiest to read, never within a
    string, and keeps one empty line of several. *)
