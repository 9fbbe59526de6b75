(** Lines of OCaml under an indentation. *)

type t

val create : unit -> t
val line : t -> ('a, unit, string, unit) format4 -> 'a

val indented : t -> (unit -> unit) -> unit
(** [indented o f] runs [f] with lines two columns further right. *)

val packed : t -> (t -> unit) -> unit
(** [packed o f] runs [f] and joins the lines that it writes as long as they fit into 100 columns.
*)

val blank : t -> unit
(** [blank o] leaves one empty line, unless there is one already. *)

val doc : t -> string -> unit
(** [doc o s] writes [s], a comment of the schema, as a documentation comment, escaped as needed;
    nothing if it is empty. *)

val contents : t -> string
