(** JSON by the established libraries. *)

val subjects : Subject.t list
(** [atd-yojson] uses atdgen's code, with empty strings absent; [deriving-yojson] uses
    ppx_deriving_yojson over Yojson's tree; [yojson-no-marshal] uses the tree alone, without OCaml
    records. *)
