(** The stack study's tables and figures, from its rows. *)

open Weir_lab_harness

val table : Row.t list -> string -> Table.t
(** [table rows test] has a line for each metric and a column for each subject, with its 95%
    interval, then the published columns. *)

val ratios : Row.t list -> string -> (string * Table.t) list
(** [ratios rows test] is a caption and a table of Weir's rates over the others' of the same rounds;
    none if nothing else was measured. *)

val growth : Row.t list -> string -> Table.t
(** [growth rows test] has the live words at each mark of the transfer, measured and published. *)

val figures : Row.t list -> string list
(** The figures that have rows. *)

(** {1 Rows} *)

val find : Row.t list -> subject:string -> test:string -> metric:string -> Row.t option

val along : Row.t list -> subject:string -> test:string -> metric:string -> (float * float) list
(** As {!Published.along}, of what was measured. *)

val number : float -> string
(** [number v] is [v] to three figures: ["0.0123"], ["13622"], ["13.622M"]. *)
