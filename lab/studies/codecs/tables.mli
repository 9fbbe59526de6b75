(** The study's tables and figures, with the published numbers beside the measured ones. *)

open Weir_lab_harness

type measured = { subject : string; test : string; result : Measure.t }

val times : measured list -> (string * Table.t) list
(** [times ms] is a caption and a table for each test, in the study's format: percentages are of the
    study's slowest subject. *)

val large : measured list -> (string * Table.t) list
(** [large ms] is the table of the large messages, if they were measured. *)

val sizes : (string * int) list -> string * Table.t
(** [sizes l] is the table of the messages' lengths on the wire. *)

val figures : measured list -> string list
(** [figures ms] is the time of [rw], of [read] and of [write], by subject, as [<svg>] elements. *)
