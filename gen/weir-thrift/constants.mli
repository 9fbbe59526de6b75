(** Constants and defaults as expressions. *)

val constant : Program.t -> string -> Idl.ty -> Idl.const -> string
(** [constant t name ty c] is the OCaml expression for [c], the value of type [ty] of the constant
    [name] in [t].
    @raise Program.Failed if it is not of type [ty]. *)

val initial : from:Program.t -> Program.t -> Idl.field -> string
(** [initial ~from t f] is the expression, for the file [from], for the value of field [f] of [t]
    when a message lacks it. *)

val words : Program.t -> Idl.field -> int
(** [words t f] is an upper bound of the words that the default of [f] allocates. *)
