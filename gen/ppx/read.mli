(** The readers of a group: {!Read_fields} for records and tuples, and here variants. *)

open Ppxlib

val bindings : Code.t -> value_binding list
(** [read_t c_a s pos limit depth] for each type. *)

val enums : Code.t -> structure
(** [of_int_t position n] and [to_int_t v] for each variant without arguments. *)
