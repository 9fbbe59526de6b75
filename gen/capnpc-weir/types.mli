(** The types of a file, all in one recursive definition, and how fields are named and typed. *)

type env = {
  model : Model.t;
  file : int64;
  homes : (int64, Names.home) Hashtbl.t;
  modules : (int64, string) Hashtbl.t;  (** the OCaml module of each schema file *)
  groups : (int64, unit) Hashtbl.t;  (** the structs that are groups *)
  listed : (int64, unit) Hashtbl.t;  (** structs of this file that are elements of lists *)
  defaults : string list ref;  (** messages of default values, latest first *)
  endless : bool ref;  (** a default contains a default of its own type *)
}

val all : env -> Names.tree list -> string
(** [all env trees] is that definition. *)

(** {1 Names and types} *)

val type_name : env -> int64 -> string

val element : env -> Model.ty -> string
(** [element env ty] is the OCaml type of a list's elements. *)

val of_field : env -> Model.field -> string
(** [of_field env f] is the OCaml type of a record's field. *)

val phantom : env -> Model.ty -> string
(** [phantom env ty] is the type parameter of [Items.t] for elements of type [ty]. *)

val reader : env -> int64 -> string
val sizer : env -> int64 -> string
val writer : env -> int64 -> string
val of_int : env -> int64 -> string

val enumerants : env -> int64 -> int
(** [enumerants env id] is the number of names of an enum; they are numbered from 0. *)

val to_int : env -> int64 -> string
(** [reader], [sizer], [writer], [of_int] and [to_int] are the names of a type's functions: short
    names within the type's file, with their module elsewhere. *)

val has_list : env -> int64 -> bool
(** [has_list env id] is true if the struct is of this file and is the element of a list. Such lists
    have functions of their own: calling a known function costs less than calling a closure. *)

val list_function : env -> string -> int64 -> string
(** [list_function env verb id] is the name of such a function. *)

(** {1 Fields} *)

val layout : env -> int64 -> Model.layout
val is_void : Model.field -> bool

val plain : Model.layout -> Model.field list
(** [plain l] is the fields of the record: those outside the unnamed union that are not void. *)

val members : Model.layout -> Model.field list
(** [members l] is the members of the unnamed union. *)

val only_union : Model.layout -> bool
(** [only_union l] is true if the struct has nothing but an unnamed union: it is a variant, not a
    record. *)

val is_unit : Model.layout -> bool
val labelled : ?taken:string list -> Model.field list -> (Model.field * string) list
val constructors : Model.field list -> (Model.field * string) list
val which_label : Model.layout -> string

(** {1 Definitions}

    The argument after [env] is the indentation of each line. *)

val no_docs : Model.layout -> Model.layout
val doc : string -> string -> string
val variant : env -> string -> Model.layout -> string
val struct_body : env -> string -> which:string -> Model.layout -> string
val enum_body : string -> (string * string) list -> string
