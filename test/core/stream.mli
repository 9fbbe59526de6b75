(** One direction of a transfer: a known sequence of bytes that one application writes and another
    checks as it reads. *)

open Weir_core

type t

val create : seed:int -> total:int -> t
val total : t -> int
val written : t -> int
val read_so_far : t -> int

val write : t -> ?most:int -> Tcb.t -> unit
(** [write s c] writes as much as [c] takes, at most [most] bytes. *)

val read : t -> ?most:int -> Tcb.t -> unit
(** [read s c] reads what there is, at most [most] bytes. It fails the test at the first byte that
    is not the one that was written. *)

val all_written : t -> bool
val all_read : t -> bool
