(** The two passes of a record's writer ({!Weir_capnp.Record}): the first sums the sizes of what
    fields point to, the second writes the fields. The last argument is the expression for the
    field's value. *)

val size : Types.env -> Model.field -> string -> string option
(** [size env f v] is the expression for the size, [None] if [f] needs no room outside its struct.
*)

type statement =
  | Unit of string  (** of type unit *)
  | Next of string  (** its value is where the free room begins afterwards *)

val write : Types.env -> Model.layout -> Model.field -> string -> statement

val byte : int -> string
(** [byte n] is the expression for the position [n] bytes into the struct. *)

val sequence : string -> statement list -> string
(** [sequence indent l] is the statements [l] in order; the value is where the free room begins. *)
