(** Typed access to a message's extensions.

    Extensions travel among a message's unknown fields, as the bytes they came in, and are decoded
    when asked for: a message is not slower to read for having them. Generated code makes one value
    of type {!t} for each [extend] of a schema. *)

type ('message, 'value) t
(** ['value] is an option or a list. *)

val descriptor : (_, _) t -> Descriptor.extension

val get : ('m, 'v) t -> 'm -> ('v, Error.t) result
(** [get x m] is the extension's value in [m]: [Ok None] or [Ok []] if absent. *)

val get_exn : ('m, 'v) t -> 'm -> 'v
(** @raise Error.Error where {!get} is an [Error]. *)

val set : ('m, 'v) t -> 'm -> 'v -> 'm
(** [set x m v] is [m] with the extension replaced by [v], removed if [None] or [[]]. *)

(** {1 For generated code} *)

type 'a value

val optional :
  Descriptor.extension ->
  unknown:('m -> string) ->
  with_unknown:('m -> string -> 'm) ->
  'a value ->
  ('m, 'a option) t

val repeated :
  Descriptor.extension ->
  unknown:('m -> string) ->
  with_unknown:('m -> string -> 'm) ->
  'a value ->
  ('m, 'a list) t

val packed :
  Descriptor.extension ->
  unknown:('m -> string) ->
  with_unknown:('m -> string -> 'm) ->
  'a value ->
  ('m, 'a list) t

val in_set :
  Descriptor.extension ->
  unknown:('m -> string) ->
  with_unknown:('m -> string -> 'm) ->
  'a value ->
  ('m, 'a option) t
(** [in_set] is {!optional} of a message set, whose items are groups of a number and a message. *)

val double : float value
val float : float value
val int32 : int value
val int64 : int64 value
val uint32 : int value
val uint64 : int64 value
val sint32 : int value
val sint64 : int64 value
val fixed32 : int value
val fixed64 : int64 value
val sfixed32 : int value
val sfixed64 : int64 value
val bool : bool value
val string : string value
val bytes : string value
val raw_string : string value
val enum : (int -> 'a) -> ('a -> int) -> 'a value
val closed_enum : (int -> 'a option) -> ('a -> int) -> 'a value
val message : 'a Codec.t -> 'a value
val delimited : 'a Codec.t -> 'a value
