(** Names as OCaml's users write them, from names as protobuf's users do. *)

val snake : string -> string
(** [snake "HTTPServerName2"] is ["http_server_name2"]; underscores stay where they are. *)

val value : string -> string
(** [value s] is {!snake}, with an underscore behind a keyword and before a digit. *)

val capital : string -> string
(** [capital s] is {!snake} with a capital: a module's or a constructor's name. *)

(** {1 One table a file}

    Every name that users see is claimed here once: whoever claims first has the plain name, later
    ones get underscores behind. Things claim in the order of what does not change when a schema
    grows at its end: fields and oneofs by number (a oneof by its lowest), enum values, messages,
    enums, services, methods and extensions by their place in the file. Names are told apart within
    one module, type or record and within one of OCaml's name spaces, so that nothing that is added
    elsewhere renames them. *)

type space = Module | Type | Value | Label | Constructor
type table

val table : unit -> table

val claim : table -> within:string -> space -> string -> string
(** [claim t ~within space s] is [s], or [s] with underscores behind it if it is taken within the
    thing of that full name, or what generated code needs for itself. *)

val reserve : table -> within:string -> space -> string -> unit
(** [reserve t ~within space s] takes [s] away from what claims later. *)

val has_module : table -> string -> bool
(** [has_module t s] is whether any module of the file is called [s]. *)

(** {1 Names that users do not see}

    They have a quote, as no schema's name can. *)

val flat : string list -> string
(** [flat modules] is the name of a message's type in the implementation. *)

val flat_module : string list -> string
(** [flat_module modules] is that of an enum's module there. *)

val plain : string -> string
(** [plain s] has underscores for what may not stand in a name. *)

val file_module : string -> string
(** [file_module "a/b-c.proto"] is ["B_c_pb"]. *)
