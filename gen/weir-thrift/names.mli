(** The OCaml names of a file's definitions. They are distinct, and differ from the names that the
    generated code uses itself. *)

type t

val of_idl : Idl.t -> t

val type_ : t -> string -> string
(** [type_ t name] is the type of a typedef, enum, struct, union or exception, or of the structs
    {!arguments} and {!result}.
    @raise Not_found if the file does not define [name]. *)

val modul : t -> string -> string
(** [modul t name] is the module of an enum, struct, union, exception or service.
    @raise Not_found if the file does not define [name]. *)

val constant : t -> string -> string
(** [constant t name] is the value of a constant.
    @raise Not_found if the file does not define [name]. *)

val arguments : string -> Idl.func -> string
(** [arguments service f] is the schema name of the struct that holds the arguments of [f]. *)

val result : string -> Idl.func -> string
(** [result service f] is the schema name of the struct that holds the result of [f]. *)
