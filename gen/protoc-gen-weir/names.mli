(** Names as OCaml's users write them, from names as protobuf's users do. *)

val snake : string -> string
(** [snake "HTTPServerName2"] is ["http_server_name2"]; underscores stay where they are. *)

val value : string -> string
(** [value s] is {!snake}, with an underscore behind a keyword and before a digit. *)

val capital : string -> string
(** [capital s] is {!snake} with a capital: a module's or a constructor's name. *)

val unique : (string, unit) Hashtbl.t -> string -> string
(** [unique taken s] is [s], or [s] with underscores behind it if it is in [taken]; it adds it. *)

val file_module : string -> string
(** [file_module "a/b-c.proto"] is ["B_c_pb"]. *)
