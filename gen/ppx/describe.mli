(** Descriptors: what error paths, JSON, text and derived [.proto] files are read off. *)

open Ppxlib

val items : Code.t -> structure
(** [enum_t] for each variant's tags, then [desc_t] for each type: a value, or of a parameterised
    type a function of its codecs. *)

val registry : Code.t -> expression
(** What the group's codecs share: its messages, those they refer to, and defaults as a [.proto] file
    writes them. *)

val own_registry : Model.def -> expression
(** The same for one instance of a parameterised type, whose descriptor is bound to [desc]. *)
