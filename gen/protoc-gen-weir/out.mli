(** Lines of OCaml under an indentation. *)

type t

val create : unit -> t
val line : t -> ('a, unit, string, unit) format4 -> 'a

val indented : t -> (unit -> unit) -> unit
(** [indented o f] runs [f] with lines two columns further right. *)

val packed : t -> (t -> unit) -> unit
(** [packed o f] writes what [f] writes with as many of its lines on one as fit in 100 columns. *)

val blank : t -> unit
(** [blank o] leaves one empty line, unless there is one already. *)

val doc : t -> string -> unit
(** [doc o s] is a documentation comment of what a schema's author wrote, made harmless; nothing if
    it is empty. *)

val contents : t -> string
