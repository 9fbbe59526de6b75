(** The canonical JSON mapping (Protocol Buffers documentation, "ProtoJSON Format"), of any message
    with a {!Codec.t}, well-known types included. *)

val encode : ?types:Registry.t -> 'a Codec.t -> 'a -> string
(** [encode c m] is the JSON of [m] on one line, without what is unknown. [types] adds to those of
    [c]'s file: types that an Any holds, extensions.
    @raise Error.Error
      if [m] cannot be written: a timestamp out of range, an Any of an unknown type.
    @raise Invalid_argument if an [int] does not fit its field, or a string is not UTF-8. *)

val decode :
  ?types:Registry.t -> ?ignore_unknown:bool -> 'a Codec.t -> string -> ('a, Error.t) result
(** [decode c s] reads one message. Unknown fields are errors unless [ignore_unknown] (which also
    leaves out enum names that are not known). Nesting is limited to {!Codec.max_depth}. *)
