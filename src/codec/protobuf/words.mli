(** Short strings copied eight bytes at a time, without a call to C. Nothing checks bounds. *)

val copy : string -> int -> Bytes.t -> int -> int -> unit
(** [copy s from b at n] copies [n] bytes; the ranges must be within [s] and [b]. *)

val sub : string -> int -> int -> string
(** [sub s from n] is those bytes of [s]; the empty string is always the same one. *)

val same : string -> int -> string -> int -> int -> bool
(** [same a i b j n] is whether [n] bytes of [a] from [i] on are those of [b] from [j] on. *)
