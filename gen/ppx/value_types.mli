(** From an OCaml type to what one value of it is on the wire, and what the attributes on it say. *)

open Ppxlib

type context = {
  own : (string * bool) list;  (** types of the group, and whether they are enums *)
  hidden : bool;  (** a [nonrec] definition may hide types that its fields name *)
  made : Model.def list ref;  (** newest first *)
  id : string;  (** the message being read *)
  full : string;  (** its full name *)
  vars : string list;  (** its parameters *)
  place : context -> core_type -> Model.message;
      (** {!Fields.place}: the message of an argument that has no codec of its own *)
}

val value_name : string -> string -> string
(** [value_name type_name suffix] is [type_name_suffix], or [suffix] for a type [t]. *)

val scalar_of : longident -> Model.scalar option

val scalar : attributes -> core_type -> Model.scalar -> Model.ty
(** [scalar a t s] is scalar [s], spelt [t], in the encoding that [a] asks for. *)

val named : context -> attributes -> core_type -> longident -> core_type list -> Model.ty
(** [named c a t id arguments] is a message or, with [[@bare]], an enum. *)

val no_bare : attributes -> unit
(** [no_bare a] fails if [[@bare]] is in [a]. *)

val no_encoding : attributes -> core_type -> unit

val check_packed : Model.count -> Model.ty -> attributes -> bool
(** Whether [[@packed]] is there; fails where it cannot be. *)

val check_default : Model.count -> attributes -> expression option
val spelled : core_type -> string

val proto_name : string -> string
(** [proto_name s] is [s] as a name that a [.proto] file can have. *)

val dotted : string -> string
(** [dotted path] is {!proto_name} of each part. *)
