(** Run-time descriptors and the registry of a file, as constants. *)

val enum : Out.t -> Schema.enum -> unit
(** [enum o e] writes [let descriptor = ...] within the module of [e]. *)

val imports : Ocaml.place -> Out.t -> Schema.file -> unit
(** [imports p o f] writes [let imports = ...], the definitions of other files. *)

val messages : Ocaml.place -> Out.t -> Schema.file -> unit
(** [messages p o f] writes [let layouts = ...], see {!Weir_protobuf.Unsafe.Layout}. *)

val index : Schema.file -> string -> int
(** [index f full_name] is a message's index in the layouts. *)

val field : Ocaml.place -> Schema.field -> string
(** [field p f] is the expression for a field's descriptor. *)

val types : Ocaml.place -> Out.t -> Schema.file -> unit
(** [types p o f] writes [let types = ...], the file's registry. *)

val scalar : Weir_protobuf.Descriptor.kind -> string
(** [scalar k] is the constructor's name. *)
