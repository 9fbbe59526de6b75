(** How much memory decoding will take. Records, cells of lists, boxed numbers and strings are
    counted from a message's bytes and its descriptor; no value is made.

    A few bytes of input may take much more memory: an empty message has two bytes, and becomes a
    record of all its fields. Short input that cannot exceed the limit is not counted. Other input
    is read under a {!Budget}, and is counted only if the budget is used up. *)

val harmless : Descriptor.message -> int -> bool
(** [harmless m n] is whether [n] bytes of [m] are known to stay below the default limit. *)

val is_derived : Descriptor.message -> bool
(** [is_derived m] is whether [m] describes an OCaml type, which has no {!Budget}. *)

val read : ?memory:int -> Descriptor.message -> string -> int -> int -> int -> (int -> 'a) -> 'a
(** [read m s pos limit depth f] is [f depth'], where [f] reads the message [m] between the two
    positions, and [depth'] is [depth] with a {!Budget}. It fails with {!limit_reached} if reading
    would take more than [memory] words of 8 bytes. By default that is 16 times the bytes and 1 MB.
    @raise Error.Error at the field that exceeds the limit. *)

val limit_reached : string
(** The reason in errors about this limit. It names the argument that allows more. *)

val refused : int -> 'a
(** [refused pos] fails with {!limit_reached} at [pos]. *)

val default_memory : int -> int
(** [default_memory bytes] is how many words so many bytes may take. *)

val count : Descriptor.message -> string -> int -> int -> memory:int -> at:int -> int
(** [count m s pos limit ~memory ~at] is what is left of [memory] words after the message between
    the two positions; the message is only counted. It fails with {!limit_reached} at position [at]
    if nothing is left. It stops counting, without an error, where the message is malformed. *)
