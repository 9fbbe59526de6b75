(** Tables, as text in box-drawing characters and as HTML, and how numbers stand in them. *)

type cell = Left of string | Right of string

type t = { header : string list; rows : cell list list }
(** A heading may have several lines. Rows shorter than the header are filled up with empty cells.
*)

val make : string list -> cell list list -> t

val print : Format.formatter -> t -> unit
(** Columns are as wide as their widest cell in characters. *)

val to_string : t -> string

val html : t -> string
(** [html t] is a [<table>], of class [wide] if it has more than four columns. Each cell has its
    heading as [data-h]. *)

val ns : float -> string
(** [ns x] is [x] nanoseconds in a fitting unit: ["20.33ns"], ["12.57us"]. *)

val interval_ns : float -> float -> string
(** [interval_ns low high] is both in one unit: ["19.80…21.02ns"]. *)

val words : float -> string
(** [words x] is ["52.00w"], ["23.85kw"], and empty below a hundredth. *)

val percent : float -> string
