(** Strings and bytes that are not copied: parts of the decoded input, for code generated with
    [bytes=slice] or [string=slice].

    A slice keeps the whole input alive. The input must not change while the slice is in use: the
    slice's bytes would change with it, and text might no longer be UTF-8. *)

type t

val empty : t
val of_string : string -> t
val is_empty : t -> bool
val length : t -> int

val get : t -> int -> char
(** @raise Invalid_argument unless the index is within the slice. *)

val to_string : t -> string
(** [to_string t] is a copy, or the string itself if [t] is all of it. *)

val blit : t -> int -> Bytes.t -> int -> int -> unit
(** [blit t from b at n] copies as [Bytes.blit] does.
    @raise Invalid_argument as that does. *)

val equal : t -> t -> bool
(** [equal a b] is whether the bytes are equal. OCaml's [=] compares the strings that they are parts
    of. *)

val compare : t -> t -> int
(** [compare a b] orders as [String.compare] does. *)

val pp : Format.formatter -> t -> unit

(** {1 For generated code} *)

val base : t -> string
val first : t -> int

val part : string -> int -> int -> t
(** @raise Invalid_argument unless the range is within the string. *)
