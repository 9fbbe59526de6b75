(** A file with the files it includes. It resolves names. *)

type t = {
  base : string;  (** the file's name without folder and extension; other files use it as prefix *)
  idl : Idl.t;
  includes : t list;
  own_options : bool;  (** an enum or union has a member called [None] or [Some] *)
  names : Names.t;
}

exception Failed of string

val failed : ('a, unit, string, 'b) format4 -> 'a

val load : folders:string list -> string -> t
(** [load ~folders path] reads a file and the files it includes, each once. Included files are
    searched for beside the including file, then in [folders].
    @raise Failed with the file, line and reason. *)

val find_here : t -> string -> Idl.definition option

val find : t -> string -> (t * Idl.definition) option
(** [find t name] is the definition of [name] as used in [t], and the file that has it. *)

val definition : t -> string -> t * Idl.definition
(** [definition t name] is {!find}.
    @raise Failed if there is none. *)

val resolve : t -> Idl.ty -> t * Idl.ty
(** [resolve t ty] is [ty] with typedefs replaced by their types, and the file in which its names
    are to be looked up. *)

val enum_member : t -> string -> int option
(** [enum_member t s] is the number of the enum member [s], written [Enum.MEMBER] or
    [file.Enum.MEMBER]. *)
