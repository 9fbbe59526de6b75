(** Sizes and writers of single values. Code that writes has [b] and [pos], the position behind what
    is to be written, in scope, and is the position where that begins. *)

open Ppxlib

type size = Fixed of int | Varies of expression

val varint_bytes : int -> int list
val tag_size : Model.field -> int

val value_size : Code.t -> location -> Model.ty -> expression -> size
(** [value_size c loc ty v] is the size of [v] without a tag. *)

val add : location -> sum:expression -> tag:int -> size -> expression
(** [add loc ~sum ~tag size] is [sum] and what a value of [size] takes behind a tag of [tag] bytes.
*)

val put_block : location -> int -> expression -> expression
(** [put_block loc key body] writes what [body] does, its length, and the tag. *)

val put_bare : Code.t -> location -> Model.ty -> expression -> expression
(** [put_bare c loc ty v] writes [v] without tag and length. *)

val put : Code.t -> location -> Model.field -> expression -> expression
(** [put c loc f v] writes [v] as field [f]. *)
