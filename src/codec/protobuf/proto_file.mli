(** The [.proto] file of a message type that has none: what other languages' tools need to read what
    a derived codec writes.

    One proto2 file holds the message and all that it refers to, whatever modules these are from:
    its package is the message's module path, and messages of other modules have their path in their
    names, with underscores. *)

val print : 'a Codec.t -> string
(** [print c] is the file's text. protoc accepts it.
    @raise Invalid_argument
      if a type's description has no end ({!Derived.endless}), or an extension range is within. *)

val message_name : 'a Codec.t -> string
(** [message_name c] is the full name that [c]'s message has in {!print}[ c], as [protoc --decode]
    wants it. *)
