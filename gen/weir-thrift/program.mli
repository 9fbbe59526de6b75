(** A file with those it includes, and what its names stand for. *)

type t = {
  base : string;  (** the file's name without folder and extension: what others' names begin with *)
  idl : Idl.t;
  includes : t list;
  own_options : bool;  (** whether a member of an enum or union is called [None] or [Some] *)
  names : Names.t;
}

exception Failed of string

val failed : ('a, unit, string, 'b) format4 -> 'a

val load : folders:string list -> string -> t
(** [load ~folders path] reads a file and those it includes, each once, which are looked for beside
    it and then in [folders].
    @raise Failed with the file, line and reason. *)

val find_here : t -> string -> Idl.definition option

val find : t -> string -> (t * Idl.definition) option
(** [find t name] is the file and the definition of a name that [t] uses. *)

val definition : t -> string -> t * Idl.definition
(** @raise Failed if there is none. *)

val resolve : t -> Idl.ty -> t * Idl.ty
(** [resolve t ty] is [ty] without typedefs, and the file in which its names are to be understood.
*)

val enum_member : t -> string -> int option
(** The value of an enum's member, written [Enum.MEMBER] or [file.Enum.MEMBER]. *)
