(** odoc's pages and its index of names. *)

type t

val load : string -> t
(** [load folder] reads what [dune build @doc-json] left in [folder].
    @raise Failure if [odoc] cannot be run. *)

val pages : t -> Template.page list

val link : t -> string -> string option
(** [link t name] is the address of the documentation of [name], as ["Weir_sim.run"], from the
    site's root. *)

val entries : t -> (string * string * string * string) list
(** Kind, full name, address, and the first words of the documentation, of every name. *)
