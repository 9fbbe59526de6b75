(** The [.ml] of a file. *)

val file : Ocaml.place -> Schema.file -> string
(** [file p f] is the text of [f]'s module. *)

val heading : Out.t -> Schema.file -> unit
(** [heading o f] writes the line that names the source file. *)

val public : Ocaml.place -> Out.t -> Schema.file -> unit
(** [public p o f] writes the modules that [f]'s public imports add to it. *)

val rpc_type : Model.rpc -> string
(** [rpc_type r] is the type constructor of the value for the method [r]; it depends on which sides
    stream. *)

val implemented : Ocaml.place -> Ocaml.view -> Out.t -> Model.service -> docs:bool -> unit
(** [implemented p v o s ~docs] writes the module type of implementations of [s], or nothing if [s]
    has no methods. *)

val others : Ocaml.place -> Out.t -> binding:string -> unit
(** [others p o ~binding] binds the modules of {!Ocaml.place.others}. *)
