(** Descriptors of derived types. Error paths, JSON, text and [.proto] files are made from them. *)

open Ppxlib

val items : Code.t -> structure
(** [items c] is the definitions [enum_t] for the tags of each variant, then [desc_t] for each type
    [t]: a value, or for a parameterised type a function of its parameters' codecs. *)

val plain : string -> string
(** [plain name] is [name] with an underscore for each character that a [.proto] file does not allow
    in names. *)
