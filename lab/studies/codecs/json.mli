(** JSON by the established libraries. *)

val subjects : Subject.t list
(** [atd-yojson], by atdgen's code, empty strings absent; [deriving-yojson], by ppx_deriving_yojson
    over a tree of Yojson's; [yojson-no-marshal], that tree alone, never an OCaml record. *)
