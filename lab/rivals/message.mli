(** The data flows' message: read in small pieces, recorded as it is written, compared at the end.
*)

val size : int
(** 4096 *)

val chunk : int
(** 10: the most that a read gives. *)

val text : string
val bytes : Bytes.t
val cstruct : Cstruct.t

exception Damaged

val check_bytes : Bytes.t -> int -> unit
(** [check_bytes recorded length] compares what was recorded.
    @raise Damaged if it is not the message. *)

val check_cstruct : Cstruct.t -> int -> unit
