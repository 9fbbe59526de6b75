(** The expressions that read or write one field. They use these variables: [r] is the struct
    reader, [m] its message, [h] the struct builder, [b] its message builder. *)

open Model

val is_pointer : ty -> bool

val pointed : field -> bool
(** [pointed f] is true if a null pointer stands for a default that the schema gives. *)

val want : ty -> string
(** [want ty] is the expression for the kind of a list's elements. *)

val sizes : Types.env -> int64 -> int * int
(** [sizes env id] is the number of data words and of pointers of the struct [id]. *)

val width : ty -> int
(** [width ty] is the bits that a field takes in the data section, 0 if it takes none. *)

val place : ty -> int -> int
(** [place ty offset] is the schema's [offset] in bytes; for a boolean in bits, for a pointer the
    pointer's index. *)

val bits : ty -> value -> int64
(** [bits ty v] is the default [v] as the bits of its field. *)

val scalar : ?placed:bool -> Types.env -> ty -> int -> value -> string
val set_scalar : Types.env -> ty -> int -> value -> string -> string

val default_message : Types.env -> Weir_capnp.Any.detached -> string
(** [default_message env d] is the name of a message that holds the default [d]. It is added to
    {!Types.env.defaults}. *)

val from_root : Types.env -> ty -> string -> string
(** [from_root env ty message] reads a whole value from a message's root. *)

val record_read : ?texts_placed:bool -> ?data_placed:bool -> Types.env -> field -> string
(** [record_read env f] is the expression that reads [f]. With [texts_placed] it uses the variable
    [p], where the struct's pointers begin ({!Weir_capnp.Reader.pointers_of}); with [data_placed] it
    uses [d], where its data begin. *)

val clear : Types.env -> int64 -> string list
(** [clear env id] is the statements that set all fields of the group [id] to zero. *)

val memory : ?more:int -> Model.field list -> int
(** [memory fields] is the words that a record of [fields] and [more] other fields takes. Strings,
    lists, groups and structs are not included: their readers count them. *)
