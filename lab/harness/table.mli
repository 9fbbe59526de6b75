(** Tables in box-drawing characters, as the flow study printed them. *)

type cell = Left of string | Right of string

val print : Format.formatter -> string list -> cell list list -> unit
(** [print ppf header rows] is the table; columns are as wide as their widest cell in characters. A
    heading may have several lines. Rows shorter than the header are filled up with empty cells. *)

val ns : float -> string
(** [ns x] is [x] nanoseconds in a fitting unit: ["20.33ns"], ["12.57us"]. *)

val interval_ns : float -> float -> string
(** [interval_ns low high] is both in one unit: ["19.80…21.02ns"]. *)

val words : float -> string
(** [words x] is ["52.00w"], ["23.85kw"], and empty below a hundredth. *)

val percent : float -> string
