(** The reading functions of a file's messages. *)

val emit : Ocaml.place -> Out.t -> Schema.message -> unit
(** [emit p o m] writes [and read_m init s pos limit depth = ...], with the readers of its maps'
    entries before it. *)
