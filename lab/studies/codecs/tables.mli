(** The study's tables and figure, the published numbers beside those measured. *)

open Weir_lab_harness

type measured = { subject : string; test : string; result : Measure.t }

val times : measured list -> (string * Table.t) list
(** [times ms] is a table for each test, with a caption: rows as the study printed them, in percent
    of the slowest that it had. *)

val large : measured list -> (string * Table.t) list
(** [large ms] is the table of the large rows, if there are any. *)

val sizes : (string * int) list -> string * Table.t
(** [sizes l] is the table of the messages' lengths on the wire. *)

val figures : measured list -> string list
(** [figures ms] is the time of [rw], of [read] and of [write], by subject, as [<svg>] elements. *)
