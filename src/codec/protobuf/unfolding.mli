(** How much memory decoding takes, before it is taken: a message's records, cells of lists, boxed
    numbers and strings are counted from its bytes and its descriptor, without making any.

    A byte on the wire may stand for far more in memory: an empty message is two bytes and a record
    of all its fields. Input so short that nothing in it could harm is not looked at; other input is
    read under a {!Budget}, and counted only if that is used up. *)

val harmless : Descriptor.message -> int -> bool
(** [harmless m n] is whether [n] bytes of [m] are known to stay below the default limit. *)

val is_derived : Descriptor.message -> bool
(** [is_derived m] is whether [m] describes an OCaml type, which has no {!Budget}. *)

val read : ?memory:int -> Descriptor.message -> string -> int -> int -> int -> (int -> 'a) -> 'a
(** [read m s pos limit depth f] is [f depth'], which reads the [m] between the positions at
    [depth']. It fails with {!limit_reached} if that would take more than [memory] words of 8 bytes,
    by default 16 times the bytes and 1 MB.
    @raise Error.Error at the field that is too much. *)

val limit_reached : string
(** The reason of an error where memory is short: it names the argument that allows more. *)

val refused : int -> 'a
(** [refused pos] fails so at [pos]. *)

val default_memory : int -> int
(** [default_memory bytes] is how many words so many bytes may take. *)

val count : Descriptor.message -> string -> int -> int -> memory:int -> at:int -> int
(** [count m s pos limit ~memory ~at] is what [memory] leaves behind what stands between the
    positions, which is not read; it fails so, at position [at], if that is too much. It passes what
    is malformed. *)
