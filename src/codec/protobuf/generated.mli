(** What a generated module opens: short names for what its code calls, and what it builds with.
    Others have no use for it. *)

module A' = Arrays
module C = Codec
module D = Decode
module E = Encode
module I = Json_in
module J = Json_out
module K = Json_keys
module N' = Number_lists
module Layout = Layout

external parts' : 'a Codec.t -> 'a Codec.Unsafe.parts = "%identity"
(** [parts' c] is the functions of a message of another file. *)

val codec :
  Layout.message array ->
  int ->
  Registry.t ->
  'a ->
  (Bytes.t -> int -> 'a -> int) ->
  ('a -> string -> int -> int -> int -> 'a) ->
  'a Codec.t
(** [codec layouts i types default write read] is the codec of the [i]th message, whose JSON is
    {!Json_table}'s. *)

val codec_with_json :
  Layout.message array ->
  int ->
  Registry.t ->
  'a ->
  (Bytes.t -> int -> 'a -> int) ->
  ('a -> string -> int -> int -> int -> 'a) ->
  (Json_out.t -> 'a -> unit) ->
  (Json_in.t -> 'a) ->
  'a Codec.t
(** [codec_with_json … to_json of_json] is one with code of its own. *)

val functions :
  'a Codec.t ->
  (string -> ('a, Error.t) result)
  * ('a -> string)
  * (string -> ('a, Error.t) result)
  * ('a -> string)
  * (string -> ('a, Error.t) result)
  * ('a -> string)
(** [functions c] is [decode], [encode], [of_json], [to_json], [of_text] and [to_text]. *)

val enum : string -> closed:bool -> (string * int) list -> Descriptor.enum
(** [enum name ~closed values] is an enum's descriptor. *)
