(** The message of the data devices. They return it in small pieces, record what is written, and
    compare both at the end. *)

val size : int
(** 4096 *)

val chunk : int
(** 10: the most bytes that a read returns. *)

val text : string
val bytes : Bytes.t
val cstruct : Cstruct.t

exception Damaged

val check_bytes : Bytes.t -> int -> unit
(** [check_bytes recorded length] compares the first [length] bytes with the message.
    @raise Damaged if they differ. *)

val check_cstruct : Cstruct.t -> int -> unit
