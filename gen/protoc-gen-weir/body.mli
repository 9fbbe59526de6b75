(** What implementation and interface say of one message alike: its types and [make]. *)

val has_fields : Ocaml.place -> Schema.message -> bool
(** [has_fields p m] is whether [m]'s type is a record; else it is [unit]. *)

val record : Ocaml.place -> Ocaml.view -> Out.t -> Schema.message -> docs:bool -> string -> unit
(** [record p v o m ~docs head] writes [head = { ... }], with comments if [docs]. *)

val variant : Ocaml.place -> Ocaml.view -> Out.t -> Schema.oneof -> docs:bool -> string -> unit
(** [variant p v o n ~docs head] writes [head = A of int | ...]. *)

val oneof_type : Ocaml.view -> Schema.oneof -> string
(** [oneof_type v n] is the name of [n]'s type. *)

val extension_type : Ocaml.place -> Ocaml.view -> Schema.extension -> string

val never_fails : Schema.extension -> bool
(** [never_fails x] is whether {!Weir_protobuf.Extension.get} gives its plain value. *)

val getters : Schema.message -> Schema.field list
(** [getters m] is the optional fields whose schema states a default. *)
