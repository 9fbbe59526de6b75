(** The OCaml names of a schema's declarations: flat names for types, and modules nested as the
    declarations are. *)

include module type of struct
  include Weir_naming
end

val file_module : string -> string
(** [file_module "dir/fooBar.capnp"] is ["Foo_bar_capnp"]. *)

val file_base : string -> string

val node : Model.t -> int64 -> Model.node
(** [node m id] is the declaration [id].
    @raise Failure if the request refers to it but does not contain it. *)

type home = {
  flat : string;  (** the type's name *)
  path : string list;  (** its module's path, the outermost first *)
  file : int64;
}

type tree = { node : Model.node; modul : string; here : home; kids : tree list }
(** A declaration, the name of its module, and the declarations nested in it. A struct's groups and
    the implicit parameter structs of an interface count as nested. *)

val trees : Model.t -> int64 -> tree list
(** [trees t file] is the declarations of [file] with their names. *)

val homes : (int64, home) Hashtbl.t -> tree list -> unit
(** [homes table l] adds the home of each declaration in [l] to [table]. *)
