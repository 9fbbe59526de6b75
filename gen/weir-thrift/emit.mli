(** OCaml text for names, types and expressions. Schema names are looked up in the file [t]; the
    text is for the file [from]. *)

open Idl
module Naming = Weir_naming

val there : from:Program.t -> Program.t -> string
(** [there ~from t] is the module of [t] with a dot, or [""] if [t] is [from]. *)

val file_module : Program.t -> string
val flat : Program.t -> string -> string
val modul : Program.t -> string -> string
val none : Program.t -> string
val some : Program.t -> string
val ocaml : Program.t -> ty -> string
val kind : Program.t -> ty -> string
val kind_number : Program.t -> ty -> int

val read : from:Program.t -> Program.t -> ty -> string
(** [read ~from t ty] is an expression that reads a [ty] from [r]. *)

val write : from:Program.t -> Program.t -> ty -> string -> string
(** [write ~from t ty v] is an expression that writes [v] to [w]. *)

val is_bool : Program.t -> ty -> bool
val is_struct : Program.t -> ty -> bool

val is_option : Program.t -> field -> bool
(** [is_option t f] is true if the type of [f] is an option: [f] is optional, or a struct that is
    not required, so that a struct may contain itself. *)

val labels : field list -> (field * string) list
val members : field list -> (field * string) list
val capitals : string list -> string list
