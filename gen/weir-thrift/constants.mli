(** Constants and defaults as expressions. *)

val constant : Program.t -> string -> Idl.ty -> Idl.const -> string
(** [constant t name ty c] is [c], the constant [name] of [t].
    @raise Program.Failed if it is not of type [ty]. *)

val initial : from:Program.t -> Program.t -> Idl.field -> string
(** What a field that is absent is. *)

val words : Program.t -> Idl.field -> int
(** How many words a field's default takes when it is made, or somewhat more. *)
