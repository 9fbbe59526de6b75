(** The text format (Protocol Buffers documentation, "Text Format Language Specification"), of any
    message with a {!Codec.t}. *)

val encode : ?types:Registry.t -> ?unknown:bool -> 'a Codec.t -> 'a -> string
(** [encode c m] is [m] as text, a field a line. [types] adds to those of [c]'s file: what an Any
    holds, extensions. With [unknown], unknown fields are shown by number; that text is for people,
    {!decode} does not take it. An Any's contents or an extension that cannot be read are shown as
    what is unknown.
    @raise Error.Error
      if messages nest deeper than {!Codec.max_depth}, as those that were decoded by default do not.
    @raise Invalid_argument where {!Codec.encode} does. *)

val decode : ?types:Registry.t -> ?memory:int -> 'a Codec.t -> string -> ('a, Error.t) result
(** [decode c s] reads one message. Nesting is limited to {!Codec.max_depth}, and what reading takes
    to [memory] words of 8 bytes, by default 16 times the text and 1 MB, counted and refused as
    {!Codec.decode} does, tokens and buffers on the way included. *)
