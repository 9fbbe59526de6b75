(** Sizes and writers: the exact size first, then the bytes from the last to the first. *)

open Ppxlib

val bindings : Code.t -> value_binding list
(** [size_t c_a m] and [write_t c_a b pos m] for each type, and loops over its lists and arrays. *)
