(** The attributes of [[@@deriving protobuf]], on whatever they stand: [[@key 1]], also written
    [[@protobuf.key 1]] or [[@deriving.protobuf.key 1]] where another deriver uses the short name.
    All raise a located error for an attribute written wrongly. *)

open Ppxlib

val key : attributes -> int option
(** [key a] is in protobuf's range, reserved numbers excluded. *)

val check_key : loc:location -> int -> unit
val encoding : attributes -> (Model.encoding * location) option
val bare : attributes -> location option
val packed : attributes -> location option
val default : attributes -> (expression * location) option

val unused : attributes -> string list -> unit
(** [unused a names] fails if one of [names] stands in [a]: it has no meaning there. *)

val without : core_type -> core_type
(** [without t] is [t] with no attribute anywhere in it. *)

val error : loc:location -> ('a, Format.formatter, unit, 'b) format4 -> 'a
