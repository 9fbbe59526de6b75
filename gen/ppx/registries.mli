(** What codecs know beside their descriptors: the messages that theirs refer to, and the defaults
    that a [.proto] file writes. *)

open Ppxlib

val registry : Code.t -> expression
(** What the group's codecs share: its messages, those they refer to, and defaults as a [.proto]
    file writes them. *)

val own_registry : Model.def -> expression
(** The same for one instance of a parameterised type, whose descriptor is bound to [desc]. *)
