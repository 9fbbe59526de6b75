(** Descriptors: what error paths, JSON, text and derived [.proto] files are read off. *)

open Ppxlib

val items : Code.t -> structure
(** [enum_t] for each variant's tags, then [desc_t] for each type: a value, or of a parameterised
    type a function of its codecs. *)

val plain : string -> string
(** [plain name] is [name] with what a [.proto] file's names cannot have as underscores. *)
