(** What the definitions of a file are called in OCaml: all different, and none as what the
    generated code itself names. *)

type t

val of_idl : Idl.t -> t

val type_ : t -> string -> string
(** The type of a typedef, enum, struct, union or exception, and of {!arguments} and {!result}.
    @raise Not_found if the file defines none of that name. *)

val modul : t -> string -> string
(** The module of an enum, struct, union, exception or service; raises likewise. *)

val constant : t -> string -> string
(** The value of a constant; raises likewise. *)

val arguments : string -> Idl.func -> string
(** [arguments service f] is the name of the struct of a call's arguments. *)

val result : string -> Idl.func -> string
