(** JSON to messages by their descriptors: to their encodings. *)

val message :
  Registry.t ->
  ignore_unknown:bool ->
  Json_lexer.t ->
  Descriptor.message ->
  depth:int ->
  Buffer.t ->
  unit
(** [message types ~ignore_unknown t m ~depth b] reads one value of type [m] and appends its
    encoding to [b]. Fields go by their JSON names or the schema's.
    @raise Error.Error if it is not one, with the path to where. *)

val member :
  Registry.t ->
  ignore_unknown:bool ->
  Json_lexer.t ->
  Descriptor.message ->
  [ `Field of int | `Oneof of string ] list ref ->
  depth:int ->
  Buffer.t ->
  string ->
  unit
(** [member types ~ignore_unknown t m seen ~depth b name] reads the value of one member of a message
    [m], unless it is among [seen]. *)

(** {1 Single values, shared with {!Json_in}} *)

exception Left_out

val find_field : Registry.t -> Descriptor.message -> string -> Descriptor.field option
(** The field, or extension in brackets, of a member's name. *)

val key_digits : int -> string -> string
(** [key_digits position key] is [key] if it is a number, as a map's key may be.
    @raise Error.Error at [position] if not. *)

val enum_name : Json_lexer.t -> ignore_unknown:bool -> Descriptor.enum -> int64
val bytes_value : Json_lexer.t -> string
val float_value : Json_lexer.t -> float
val number_text : Json_lexer.t -> string
val integer : Json_lexer.t -> Descriptor.kind -> string -> int64
