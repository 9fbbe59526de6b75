(** The parts of a message that the implementation and the interface share: its types and [make]. *)

val has_fields : Ocaml.place -> Schema.message -> bool
(** [has_fields p m] is true if the type of [m] is a record; else it is [unit]. *)

val record : Ocaml.place -> Ocaml.view -> Out.t -> Schema.message -> docs:bool -> string -> unit
(** [record p v o m ~docs head] writes [head = { ... }], with comments if [docs]. *)

val variant : Ocaml.place -> Ocaml.view -> Out.t -> Schema.oneof -> docs:bool -> string -> unit
(** [variant p v o n ~docs head] writes [head = A of int | ...]. *)

val oneof_type : Ocaml.view -> Schema.oneof -> string
(** [oneof_type v n] is the name of [n]'s type. *)

val extension_type : Ocaml.place -> Ocaml.view -> Schema.extension -> string

val never_fails : Schema.extension -> bool
(** [never_fails x] is true if {!Weir_protobuf.Extension.get} returns the plain value of [x]. *)

val getters : Schema.message -> Schema.field list
(** [getters m] is the optional fields that have a default in the schema. *)
