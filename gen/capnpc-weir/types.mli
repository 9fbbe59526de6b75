(** The types of a file, all in one recursive definition, and how fields are named and typed. *)

type env = {
  model : Model.t;
  file : int64;
  homes : (int64, Names.home) Hashtbl.t;
  modules : (int64, string) Hashtbl.t;  (** the OCaml module of each schema file *)
  groups : (int64, unit) Hashtbl.t;  (** which structs are groups *)
  listed : (int64, unit) Hashtbl.t;  (** this file's structs of which there are lists *)
  defaults : string list ref;  (** messages of default values, latest first *)
  endless : bool ref;  (** whether one of them would have another of itself within *)
}

val all : env -> Names.tree list -> string
(** [all env trees] is the definition. *)

(** {1 Names and types} *)

val type_name : env -> int64 -> string

val element : env -> Model.ty -> string
(** The OCaml type of a list's element. *)

val of_field : env -> Model.field -> string
(** The OCaml type of a record's field. *)

val phantom : env -> Model.ty -> string
(** What stands for an element's type in [Items.t]. *)

val reader : env -> int64 -> string
val sizer : env -> int64 -> string
val writer : env -> int64 -> string
val of_int : env -> int64 -> string

val enumerants : env -> int64 -> int
(** How many names an enum has: their numbers are those below. *)

val to_int : env -> int64 -> string
(** Functions on a type: short names within the file, the module's elsewhere. *)

val has_list : env -> int64 -> bool
(** Whether a struct is of this file and there are lists of it: they have functions of their own, a
    call of a known function costing less than one through a closure. *)

val list_function : env -> string -> int64 -> string
(** [list_function env verb id] is such a function's name. *)

(** {1 Fields} *)

val layout : env -> int64 -> Model.layout
val is_void : Model.field -> bool

val plain : Model.layout -> Model.field list
(** The fields of the record: those outside the union that hold anything. *)

val members : Model.layout -> Model.field list
(** The members of the unnamed union. *)

val only_union : Model.layout -> bool
(** Such a struct is a variant, not a record. *)

val is_unit : Model.layout -> bool
val labelled : ?taken:string list -> Model.field list -> (Model.field * string) list
val constructors : Model.field list -> (Model.field * string) list
val which_label : Model.layout -> string

(** {1 Definitions}

    Each begins its lines with the indent. *)

val no_docs : Model.layout -> Model.layout
val doc : string -> string -> string
val variant : env -> string -> Model.layout -> string
val struct_body : env -> string -> which:string -> Model.layout -> string
val enum_body : string -> (string * string) list -> string
