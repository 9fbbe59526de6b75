(** How costs depend on the number of open connections: time and words of a request, and of opening
    and closing a connection, and the bytes of an idle connection. Each measurement is a process of
    its own, with both hosts in memory ({!Crowd}). *)

open Weir_lab_harness

val worker_word : string
(** The first argument of a worker. *)

val act : string list -> unit
(** [act args] is the worker's work, with its other arguments: it prints {!Reading.t}s. *)

val run : quick:bool -> progress:(string -> unit) -> Row.t list * string list
(** [run ~quick ~progress] is the rows and the failures. The tests are [scale-all/N], [scale-one/N],
    [scale-open/N] and [scale-idle/N], for [N] connections. *)

val caption : string
val table : Row.t list -> Table.t

val figures : Row.t list -> string list
(** [figures rows] are SVG elements. *)

val measure : connections:int -> count:int -> Reading.t list
(** [measure ~connections ~count] makes at least [count] requests of each kind in this process.
    Metrics are [all.time], [one.minor_words] and so on. *)
