(** JSON pulled from a string, for generated code. Each value's reader takes what is next, which
    must not be white space, or raises {!Error.Error}. *)

type t

val make : ?memory:int -> Registry.t -> ignore_unknown:bool -> string -> t
(** [make types ~ignore_unknown s] begins at the first character of [s] that is not white space.
    Values take at most [memory] words, by default {!Unfolding.default_memory} of [s]. *)

val finish : t -> unit
(** [finish r] fails if anything is left. *)

(** {1 Objects}

    [first] enters a message's object and [next] goes on from a member whose value has been read.
    Both pass over a name, nulls that mean absence, and what is unknown if that is to be ignored;
    they return a state: negative behind the end of the object, else one of which {!index} is the
    field's. A field given twice, or a second of a oneof, is refused. *)

val first : t -> Json_keys.t -> int
val next : t -> Json_keys.t -> int -> int
val index : int -> int

val seen : Json_keys.t -> Bytes.t
(** [seen k] is for {!first_of_many} and {!next_of_many}: the same for messages of more than
    {!Json_keys.bits} fields and oneofs. The state is the index. *)

val first_of_many : t -> Json_keys.t -> Bytes.t -> int
val next_of_many : t -> Json_keys.t -> Bytes.t -> int -> int

(** {1 Values} *)

val int32 : t -> int
val uint32 : t -> int
val int64 : t -> int64
val uint64 : t -> int64
val bool : t -> bool
val float : t -> float
val double : t -> float
val string : t -> string
val bytes : t -> string

val enum : t -> Descriptor.enum -> (int -> 'a) -> 'a -> 'a
(** [enum r e of_int absent] is a value of [e], or [absent] if its name is unknown and that is to be
    ignored. *)

val enum_option : t -> Descriptor.enum -> (int -> 'a) -> 'a option -> 'a option

val list : t -> (t -> 'a) -> 'a list
(** [list r one] is a list's elements, each read by [one]. *)

val numbers : t -> (t -> 'a) -> 'a list
(** [numbers] is {!list} of what an array is made of, whose memory is counted as well. *)

val slice : t -> (t -> string) -> Slice.t
(** [slice r one] is a slice of what [one] reads. *)

val enums : t -> Descriptor.enum -> (int -> 'a) -> 'a list

val map : t -> (t -> string -> 'k) -> (t -> 'v) -> ('k * 'v) list
(** [map r key value] is an object's members; a later one replaces an earlier one of its key. *)

val enum_map : t -> (t -> string -> 'k) -> Descriptor.enum -> (int -> 'v) -> ('k * 'v) list

val enum_entries : t -> (t -> string -> 'k) -> Descriptor.enum -> ('k * int) list
(** [enum_entries r key e] is an object's members as they come, the last first. *)

val with_extensions : t -> (unit -> unit) -> string
(** [with_extensions r f] is the extensions, encoded, among the members that [f] goes through. *)

val string_key : t -> string -> string
val int32_key : t -> string -> int
val uint32_key : t -> string -> int
val int64_key : t -> string -> int64
val uint64_key : t -> string -> int64
val bool_key : t -> string -> bool

(** {1 Types whose JSON is special} *)

val enter : t -> int -> unit
(** [enter r words] begins a message of so many words whose JSON is that of a field; {!leave} ends
    it. *)

val leave : t -> unit

val value_field : t -> int
(** [value_field r] is which field of a [google.protobuf.Value] what is next belongs to, from 0. *)

val by_descriptor : t -> Descriptor.message -> string
(** [by_descriptor r m] is the encoding of the value that is next: of a type whose JSON is special.
*)
