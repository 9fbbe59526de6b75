(** The two passes of a record's writer, see {!Weir_capnp.Record}: the size of what a field points
    to, and the statement that writes the field. [v] is the expression of its value. *)

val size : Types.env -> Model.field -> string -> string option
(** [None] for a field that takes no room outside its struct. *)

type statement =
  | Unit of string  (** of type unit *)
  | Next of string  (** where the free room begins after it *)

val write : Types.env -> Model.layout -> Model.field -> string -> statement

val byte : int -> string
(** [byte n] is the expression of a field's place, [n] bytes into the struct. *)

val sequence : string -> statement list -> string
(** [sequence indent l] is the statements one after another, and the last room. *)
