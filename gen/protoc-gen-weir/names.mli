(** OCaml names in OCaml's style, from protobuf names in protobuf's style. *)

val snake : string -> string
(** [snake "HTTPServerName2"] is ["http_server_name2"]; underscores stay where they are. *)

val value : string -> string
(** [value s] is {!snake}, with an underscore after a keyword and before a leading digit. *)

val capital : string -> string
(** [capital s] is {!snake} with a capital: a module's or a constructor's name. *)

(** {1 One table a file}

    Every name that users see is claimed once in this table. The first claim gets the plain name,
    later ones get underscores at the end. The order of claims does not change when a schema grows
    at its end: fields and oneofs claim by number (a oneof by its lowest), enum values, messages,
    enums, services, methods and extensions by their position in the file. Names must be distinct
    within one module, type or record and one of OCaml's name spaces only, so additions elsewhere
    rename nothing. *)

type space = Module | Type | Value | Label | Constructor
type table

val table : unit -> table

val claim : table -> within:string -> space -> string -> string
(** [claim t ~within space s] is [s], with underscores at the end if [s] is taken within the
    declaration of that full name, or is used by generated code itself. *)

val reserve : table -> within:string -> space -> string -> unit
(** [reserve t ~within space s] makes [s] taken for later claims. *)

val has_module : table -> string -> bool
(** [has_module t s] is true if a module of the file is called [s]. *)

(** {1 Names that users do not see}

    They contain a quote, which no name in a schema can. *)

val flat : string list -> string
(** [flat modules] is the name of a message's type in the implementation. *)

val flat_module : string list -> string
(** [flat_module modules] is that of an enum's module there. *)

val plain : string -> string
(** [plain s] is [s] with underscores for characters that a name cannot contain. *)

val file_module : string -> string
(** [file_module "a/b-c.proto"] is ["B_c_pb"]. *)
