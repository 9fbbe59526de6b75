(** Tables, as text with box-drawing characters and as HTML, and the format of numbers in them. *)

type cell = Left of string | Right of string

type t = { header : string list; rows : cell list list }
(** A heading may have several lines. Rows that are shorter than the header get empty cells. *)

val make : string list -> cell list list -> t

val print : Format.formatter -> t -> unit
(** Prints columns as wide as their widest cell, in characters. *)

val to_string : t -> string

val html : t -> string
(** [html t] is a [<table>], of class [wide] if it has more than four columns. The attribute
    [data-h] of each cell is its heading. *)

val ns : float -> string
(** [ns x] is [x] nanoseconds in a fitting unit: ["20.33ns"], ["12.57us"]. *)

val interval_ns : float -> float -> string
(** [interval_ns low high] is both times in one unit: ["19.80…21.02ns"]. *)

val words : float -> string
(** [words x] is a number of words, such as ["52.00w"] or ["23.85kw"]; empty below 0.01. *)

val percent : float -> string
