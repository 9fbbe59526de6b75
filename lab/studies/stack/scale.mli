(** What a request, and setting a connection up and tearing it down, cost against the number of
    connections that are there: time, words, and the bytes of an idle connection. Each measurement
    is a process of its own, with both hosts in memory ({!Crowd}). *)

open Weir_lab_harness

val worker_word : string
(** How a worker's command line begins. *)

val act : string list -> unit
(** [act args] is what a worker does with the rest of it: it prints {!Reading.t}s. *)

val run : quick:bool -> progress:(string -> unit) -> Row.t list * string list
(** [run ~quick ~progress] is the rows, and what failed. The tests are [scale-all/N], [scale-one/N],
    [scale-open/N] and [scale-idle/N], for [N] connections. *)

val caption : string
val table : Row.t list -> Table.t

val figures : Row.t list -> string list
(** [figures rows] are SVG elements. *)

val measure : connections:int -> count:int -> Reading.t list
(** [measure ~connections ~count] makes [count] requests or more of each kind, here. Metrics are
    [all.time], [one.minor_words] and so on. *)
