(** JSON written straight to bytes, for generated code.

    An object is its members, each with a comma before its key; {!close} makes the first comma a
    brace. *)

type t

val with_writer : Registry.t -> (t -> unit) -> string
(** [with_writer types f] is what [f] writes. Storage is taken from the last use and left for the
    next one. *)

val mark : t -> int
(** [mark w] is where an object begins. *)

val close : t -> int -> unit
(** [close w start] ends the object that began at [start]. *)

val key : t -> string -> unit
(** [key w k] appends [k], a comma, a quoted name and a colon. *)

val int : t -> int -> unit
val int64 : t -> int64 -> unit
val uint64 : t -> int64 -> unit
val bool : t -> bool -> unit
val float : t -> float -> unit
val double : t -> float -> unit
val string : t -> string -> unit
val bytes : t -> string -> unit
val enum : t -> Descriptor.enum -> int -> unit
val list : t -> (t -> 'a -> unit) -> 'a list -> unit

val map : t -> (t -> 'k -> unit) -> (t -> 'v -> unit) -> ('k * 'v) list -> unit
(** [map w key value l] is an object; [key] must write a string, as the four below do. *)

val int_key : t -> int -> unit
val int64_key : t -> int64 -> unit
val uint64_key : t -> int64 -> unit
val bool_key : t -> bool -> unit

val by_descriptor : t -> Descriptor.message -> string -> unit
(** [by_descriptor w m s] is the JSON of encoding [s]: of a type whose JSON is special.
    @raise Error.Error as {!Json_print.message} does. *)
