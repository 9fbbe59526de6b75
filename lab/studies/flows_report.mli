(** The flow study's tables, figures and conclusion, from its rows. *)

open Weir_lab_harness

val table : Row.t list -> test:string -> base:string -> Table.t
(** [table rows ~test ~base] has a row for each subject, with the columns of the study's tables and
    then the published numbers. Percentages are of [base]. *)

val figures : Row.t list -> string list
val conclusion : Row.t list -> string list

val summary : Row.t list -> string
(** Objects compared with Conduit 3's registry and a functor, in one sentence. *)
