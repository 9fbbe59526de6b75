(** The wire format appended to a buffer: for what is read by descriptor, where speed is not all. *)

val varint : Buffer.t -> int64 -> unit
val tag : Buffer.t -> int -> int -> unit

val block : Buffer.t -> string -> unit
(** [block b s] is the length of [s], then [s]. *)

val piece : Buffer.t -> string -> int -> int -> unit
(** [piece b s from n] is the same of a part of [s]. *)

val delimited : Buffer.t -> (Buffer.t -> unit) -> int
(** [delimited b f] appends what [f] does behind its length, which it returns. *)

val fixed32 : Buffer.t -> int32 -> unit
val fixed64 : Buffer.t -> int64 -> unit

val integer : Buffer.t -> Descriptor.kind -> int64 -> unit
(** [integer b k v] appends whole number [v] as kind [k], without tag; a bool as 0 or 1, an enum as
    its number. *)

val whole : Buffer.t -> Descriptor.kind -> int -> unit
(** [whole b k v] is the same of a number of 63 bits: for a varint it takes no memory. *)

val fits : Descriptor.kind -> int -> bool
(** [fits k v] is whether kind [k] holds [v]. *)

val in_range : Descriptor.kind -> int64 -> bool
(** [in_range k v] is whether 32-bit kind [k] holds [v]; true of other kinds. *)

val is_unsigned : Descriptor.kind -> bool
(** [is_unsigned k] is whether [k] is 64 bits without sign. *)

val set_item : Buffer.t -> int -> string -> unit
(** [set_item b id contents] is extension [id] of a message set: a group of its number and its
    contents. *)
