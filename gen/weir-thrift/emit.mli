(** Names, types and expressions: names are understood in a file [t] and printed for a file [from].
*)

open Idl
module Naming = Weir_naming

val there : from:Program.t -> Program.t -> string
(** The module of another file and a dot, nothing for the same file. *)

val file_module : Program.t -> string
val flat : Program.t -> string -> string
val modul : Program.t -> string -> string
val none : Program.t -> string
val some : Program.t -> string
val ocaml : Program.t -> ty -> string
val kind : Program.t -> ty -> string
val kind_number : Program.t -> ty -> int

val read : from:Program.t -> Program.t -> ty -> string
(** An expression that reads from [r]. *)

val write : from:Program.t -> Program.t -> ty -> string -> string
(** [write ~from t ty v] is an expression that writes [v] to [w]. *)

val is_bool : Program.t -> ty -> bool
val is_struct : Program.t -> ty -> bool

val is_option : Program.t -> field -> bool
(** Optional fields, and structs that need not be there: so types can hold themselves. *)

val labels : field list -> (field * string) list
val members : field list -> (field * string) list
val capitals : string list -> string list
