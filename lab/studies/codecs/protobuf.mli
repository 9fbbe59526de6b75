(** protobuf, by the code that protoc-gen-weir makes: binary and JSON. *)

val subjects : Subject.t list
(** [protobuf-bin], with the study's own schema (strings without presence: empty ones are not
    written); [protobuf-bin-optional], whose strings are options, all present, as bin_prot has them;
    [protobuf-json]. *)

val bytes : string

val json : string
(** The study's message, for the peers in other languages. *)
