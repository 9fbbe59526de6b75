(** The canonical JSON mapping (Protocol Buffers documentation, "ProtoJSON Format"), of any message
    with a {!Codec.t}, well-known types included. *)

val encode : ?types:Registry.t -> 'a Codec.t -> 'a -> string
(** [encode c m] is the JSON of [m] on one line, without what is unknown. [types] adds to those of
    [c]'s file: types that an Any holds, extensions. A string whose schema asks for no check, as
    proto2's, has U+FFFD for what is not UTF-8.
    @raise Error.Error
      if [m] cannot be written: a timestamp out of range, an Any of an unknown type. Of what a peer
      sent use {!try_encode}.
    @raise Invalid_argument
      if an [int] does not fit its field, or another string is not UTF-8: no peer can have sent it.
*)

val try_encode : ?types:Registry.t -> 'a Codec.t -> 'a -> (string, Error.t) result
(** [try_encode c m] is {!encode}, an error where that raises [Error.Error]. It raises nothing for a
    message that was decoded. *)

val decode :
  ?types:Registry.t ->
  ?memory:int ->
  ?ignore_unknown:bool ->
  'a Codec.t ->
  string ->
  ('a, Error.t) result
(** [decode c s] reads one message. Unknown fields are errors unless [ignore_unknown] (which also
    leaves out enum names that are not known). Nesting is limited to {!Codec.max_depth}, and what
    reading takes to [memory] words of 8 bytes, by default 16 times the text and 1 MB, counted and
    refused as {!Codec.decode} does, tokens and buffers on the way included. An error names the
    fields that lead to it; finding them takes no memory but theirs. *)
