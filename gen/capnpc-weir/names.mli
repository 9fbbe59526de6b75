(** What the declarations of a schema are called in OCaml: flat types, and modules nested as the
    declarations are. *)

include module type of struct
  include Weir_naming
end

val file_module : string -> string
(** [file_module "dir/fooBar.capnp"] is ["Foo_bar_capnp"]. *)

val file_base : string -> string

val node : Model.t -> int64 -> Model.node
(** @raise Failure if the request names the type and does not describe it. *)

type home = {
  flat : string;  (** the type's name *)
  path : string list;  (** the modules around and of it *)
  file : int64;
}

type tree = { node : Model.node; modul : string; here : home; kids : tree list }
(** A declaration and those in it, with the name of its module; a struct's groups and an interface's
    own parameter structs count as nested in it. *)

val trees : Model.t -> int64 -> tree list
(** [trees t file] are a file's declarations, named. *)

val homes : (int64, home) Hashtbl.t -> tree list -> unit
(** [homes table l] adds where each declaration is. *)
