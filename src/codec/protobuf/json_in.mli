(** JSON pulled from a string, for generated code. Each value's reader takes what is next or raises
    {!Error.Error}. *)

type t

exception Left_out
(** An enum's name that is not known, where unknown names are ignored. *)

val make : Registry.t -> ignore_unknown:bool -> string -> t

val finish : t -> unit
(** [finish r] fails if anything is left. *)

val enter : t -> unit
(** [enter r] passes over an object's opening brace, one level deeper. *)

val leave : t -> bool
(** [leave r] passes over the closing brace if it is next, one level up. *)

val more : t -> bool
(** [more r] passes over a comma, or like {!leave} over the closing brace: is there another member?
*)

val key : t -> string
(** [key r] is a member's name, the colon passed over. *)

val present : t -> bool
(** [present r] passes over a null; is there a value? *)

val once : t -> int -> int -> unit
(** [once r seen bit] fails if [bit] is in [seen]: a field given twice, or a second of a oneof. *)

val unknown : t -> string -> string -> unit
(** [unknown r message key] passes over a value, or fails. *)

val int32 : t -> int
val uint32 : t -> int
val int64 : t -> int64
val uint64 : t -> int64
val bool : t -> bool
val float : t -> float
val double : t -> float
val string : t -> string
val bytes : t -> string

val enum : t -> Descriptor.enum -> int
(** @raise Left_out as said there. *)

val list : t -> (t -> 'a) -> 'a list -> 'a list
(** [list r one newest_first] adds a list's elements, each read by [one]; null is refused. *)

val map : t -> (t -> string -> 'k) -> (t -> 'v) -> ('k * 'v) list -> ('k * 'v) list
(** [map r key value newest_first] adds an object's members. *)

val nulls : t -> (t -> string -> 'k) -> (t -> 'v) -> ('k * 'v) list -> ('k * 'v) list
(** [nulls] is {!map} for a value type of which null is a value; {!null_list} likewise. *)

val null_list : t -> (t -> 'a) -> 'a list -> 'a list
val string_key : t -> string -> string
val int32_key : t -> string -> int
val uint32_key : t -> string -> int
val int64_key : t -> string -> int64
val uint64_key : t -> string -> int64
val bool_key : t -> string -> bool

val by_descriptor : t -> Descriptor.message -> string
(** [by_descriptor r m] is the encoding of the value that is next: of a type whose JSON is special.
*)
