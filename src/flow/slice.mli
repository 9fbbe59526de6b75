(** A range of bytes in a [Bytes.t]. A flow returns a slice of its own storage instead of a copy.
    The record is mutable so that it can be reused. *)

type t = { mutable bytes : Bytes.t; mutable off : int; mutable len : int }

val make : Bytes.t -> off:int -> len:int -> t
(** @raise Invalid_argument if [off] and [len] do not lie inside the bytes. *)

val of_string : string -> t
(** [of_string s] is a view of [s]. It must not be written to. *)

val empty : unit -> t

val set : t -> Bytes.t -> off:int -> len:int -> unit
(** [set t b ~off ~len] makes [t] the [len] bytes of [b] from [off] on. The range is not checked. *)

val to_string : t -> string
(** [to_string t] is a copy. *)

val pp : Format.formatter -> t -> unit
(** [pp] prints the bytes as OCaml's [%S] does. *)

val blit : Bytes.t -> int -> Bytes.t -> int -> int -> unit
(** [blit source source_off target target_off len] is [Bytes.blit], faster for 8 to 32 bytes. *)
