(** JSON written straight to bytes, for generated code.

    An object is its members, each with a comma before its name; {!close} makes the first comma a
    brace. *)

type t

val with_writer : Registry.t -> (t -> unit) -> string
(** [with_writer types f] is what [f] writes. Storage is taken from the last use and left for the
    next one. *)

val mark : t -> int
(** [mark w] is where an object begins. *)

val close : t -> int -> unit
(** [close w start] ends the object that began at [start]. *)

val key : t -> Json_keys.t -> int -> unit
(** [key w k i] is the name of member [i] and what is around it. *)

(** {1 Values}

    @raise Invalid_argument from {!int32} and {!uint32}, of what does not fit 32 bits.
    @raise Not_utf8 from {!string}, of what is not UTF-8. *)

exception Not_utf8

val int32 : t -> int -> unit
val uint32 : t -> int -> unit
val int64 : t -> int64 -> unit
val uint64 : t -> int64 -> unit
val bool : t -> bool -> unit
val float : t -> float -> unit
val double : t -> float -> unit
val string : t -> string -> unit
val bytes : t -> string -> unit
val enum : t -> Descriptor.enum -> int -> unit

(** {1 Members}

    Those named after a type leave out its default value. *)

val int32_member : t -> Json_keys.t -> int -> int -> unit
val uint32_member : t -> Json_keys.t -> int -> int -> unit
val int64_member : t -> Json_keys.t -> int -> int64 -> unit
val uint64_member : t -> Json_keys.t -> int -> int64 -> unit
val bool_member : t -> Json_keys.t -> int -> bool -> unit
val float_member : t -> Json_keys.t -> int -> float -> unit
val double_member : t -> Json_keys.t -> int -> float -> unit
val string_member : t -> Json_keys.t -> int -> string -> unit
val bytes_member : t -> Json_keys.t -> int -> string -> unit
val enum_member : t -> Json_keys.t -> int -> Descriptor.enum -> int -> unit

val option_member : t -> Json_keys.t -> int -> (t -> 'a -> unit) -> 'a option -> unit
(** [option_member w k i put v] leaves out [None]. *)

val list_member : t -> Json_keys.t -> int -> (t -> 'a -> unit) -> 'a list -> unit
(** [list_member w k i put l] leaves out [[]]. *)

val map_member :
  t -> Json_keys.t -> int -> (t -> 'k -> unit) -> (t -> 'v -> unit) -> ('k * 'v) list -> unit
(** [map_member w k i key value l] is an object; [key] must write a string, as the five below and
    {!string} do. *)

val int32_key : t -> int -> unit
val uint32_key : t -> int -> unit
val int64_key : t -> int64 -> unit
val uint64_key : t -> int64 -> unit
val bool_key : t -> bool -> unit

val by_descriptor : t -> Descriptor.message -> string -> unit
(** [by_descriptor w m s] is the JSON of encoding [s]: of a type whose JSON is special.
    @raise Error.Error as {!Json_print.message} does. *)
