(** Typed access to a message's extensions.

    Extensions travel among a message's unknown fields, as the bytes they came in, and are decoded
    when asked for: a message is not slower to read for having them. Generated code makes one value
    of type {!t} for each [extend] of a schema. *)

type ('message, 'value, 'got) t
(** ['value] is an option or a list; ['got] is what {!get} gives: a plain value, or
    [('value, Error.t) result]. *)

val descriptor : (_, _, _) t -> Descriptor.extension

val get : ('m, _, 'got) t -> 'm -> 'got
(** [get x m] is the extension's value in [m]. That of one number, bool, enum or bytes cannot fail:
    it is the value, or the schema's default if absent. What may be malformed within (strings,
    messages, lists) is [Ok None] or [Ok []] if absent. *)

val find : ('m, 'v, _) t -> 'm -> ('v, Error.t) result
(** [find x m] is the value of any extension, [Ok None] or [Ok []] if absent. *)

val get_exn : ('m, 'v, _) t -> 'm -> 'v
(** @raise Error.Error where {!find} is an [Error]. *)

val set : ('m, 'v, 'got) t -> 'm -> 'v -> 'm
(** [set x m v] is [m] with the extension replaced by [v], removed if [None] or [[]]. *)

(** {1 For generated code} *)

type 'a value

val optional :
  Descriptor.extension ->
  unknown:('m -> string) ->
  with_unknown:('m -> string -> 'm) ->
  'a value ->
  ('m, 'a option, ('a option, Error.t) result) t

val plain :
  Descriptor.extension ->
  default:'a ->
  unknown:('m -> string) ->
  with_unknown:('m -> string -> 'm) ->
  'a value ->
  ('m, 'a option, 'a) t
(** [plain] is {!optional} of a value that cannot be malformed once its message was decoded. *)

val repeated :
  Descriptor.extension ->
  unknown:('m -> string) ->
  with_unknown:('m -> string -> 'm) ->
  'a value ->
  ('m, 'a list, ('a list, Error.t) result) t

val packed :
  Descriptor.extension ->
  unknown:('m -> string) ->
  with_unknown:('m -> string -> 'm) ->
  'a value ->
  ('m, 'a list, ('a list, Error.t) result) t

val in_set :
  Descriptor.extension ->
  unknown:('m -> string) ->
  with_unknown:('m -> string -> 'm) ->
  'a value ->
  ('m, 'a option, ('a option, Error.t) result) t
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
