(** Run-time descriptors and the registry of a file, as constants. *)

val enum : Out.t -> Schema.enum -> unit
(** [enum o e] writes [let descriptor = ...] within the module of [e]. *)

val messages : Ocaml.place -> Out.t -> Schema.message list -> unit
(** [messages p o ms] writes [let rec m_descriptor = ... and ...]. *)

val field : Ocaml.place -> Schema.field -> string
(** [field p f] is a field's descriptor as an expression. *)

val types : Ocaml.place -> Out.t -> Schema.file -> unit
(** [types p o f] writes [let types = ...], the file's registry. *)

val scalar : Weir_protobuf.Descriptor.kind -> string
(** [scalar k] is the constructor's name. *)
