(** The flow study's tables, figures and conclusion, from its rows. *)

open Weir_lab_harness

val table : Row.t list -> test:string -> base:string -> string
(** [table rows ~test ~base] has a line a subject in the columns of the study's own tables, and the
    published columns beside; percentages are of [base]. *)

val figures : Row.t list -> string list
val conclusion : Row.t list -> string list
