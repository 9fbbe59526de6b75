(** The JSON functions of a file's messages: straight to the writer and from the pull parser. Types
    whose JSON is special, or that have closed enums, extensions or required fields, are read and
    written by {!Weir_protobuf.Unsafe.Json_table}. *)

val direct : Ocaml.place -> Schema.message -> bool
(** [direct p m] is true if [m] has JSON functions of its own. Otherwise they call its codec, which
    must be defined before them. *)

val emit_keys : Ocaml.place -> Out.t -> Schema.file -> Schema.message list -> unit
(** [emit_keys p o f ms] writes the tables of names that the functions use. *)

val emit_write : Ocaml.place -> Out.t -> Schema.message -> unit
(** [emit_write p o m] writes [and to_json_m w m = ...]. *)

val emit_read : Ocaml.place -> Out.t -> Schema.message -> unit
(** [emit_read p o m] writes [and of_json_m r = ...]. *)
