(** The expressions that read or write one field: the reader is [r] of message [m], the builder [h]
    of builder [b]. *)

open Model

val is_pointer : ty -> bool

val pointed : field -> bool
(** Whether a null pointer stands for a default of the schema. *)

val want : ty -> string
(** The kind of the elements of a list. *)

val sizes : Types.env -> int64 -> int * int
(** A struct's data words and pointers. *)

val width : ty -> int
(** Bits of the data section; 0 for what has none there. *)

val place : ty -> int -> int
(** From the schema's offset to bytes; a bit's in bits, a pointer's its index. *)

val bits : ty -> value -> int64
(** A default as the field's bits. *)

val scalar : ?placed:bool -> Types.env -> ty -> int -> value -> string
val set_scalar : Types.env -> ty -> int -> value -> string -> string

val default_message : Types.env -> Weir_capnp.Any.detached -> string
(** The name of the message that holds a default; {!Types.env.defaults} remembers it. *)

val from_root : Types.env -> ty -> string -> string
(** [from_root env ty message] reads a whole value from a message's root. *)

val record_read : ?texts_placed:bool -> ?data_placed:bool -> Types.env -> field -> string
(** With [texts_placed], [p] is where the struct's pointers begin, see
    {!Weir_capnp.Reader.pointers_of}, and with [data_placed] [d] where its data do. *)

val clear : Types.env -> int64 -> string list
(** [clear env id] are the statements that zero what a group holds. *)

val memory : ?more:int -> Model.field list -> int
(** [memory fields] is how many words a record of [fields] and [more] others takes when it is read,
    but for strings, lists, groups and structs, which are counted where they are read. *)
