(** The stack study's tables and figures, from its rows. *)

open Weir_lab_harness

val table : Row.t list -> string -> Table.t
(** [table rows test] has a row for each metric and a column for each subject, with 95% intervals,
    and then the published columns. *)

val ratios : Row.t list -> string -> (string * Table.t) list
(** [ratios rows test] is a caption and a table of Weir's rates divided by the others' of the same
    rounds; none if no other subject was measured. *)

val growth : Row.t list -> string -> Table.t
(** [growth rows test] has the live words at each mark of the transfer, measured and published. *)

val figures : Row.t list -> string list
(** The figures that have rows. *)

(** {1 Rows} *)

val find : Row.t list -> subject:string -> test:string -> metric:string -> Row.t option

val along : Row.t list -> subject:string -> test:string -> metric:string -> (float * float) list
(** As {!Published.along}, for measured values. *)

val number : float -> string
(** [number v] is [v] with three significant digits or more: ["0.0123"], ["13622"], ["13.622M"]. *)
