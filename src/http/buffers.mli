(** A pool of large byte buffers, so that connections hold one only while they move a body. Safe to
    share between domains. *)

type t

val create : ?keep:int -> ?size:int -> unit -> t
(** [create ()] makes buffers of [size] bytes (default 64 KiB) and keeps at most [keep] (default 64)
    that were given back. *)

val size : t -> int

val take : t -> Bytes.t
(** [take t] is a buffer with arbitrary bytes, owned by the caller. *)

val give : t -> Bytes.t -> unit
(** [give t b] takes [b] back, which must not be touched afterwards; it is forgotten if it is not of
    [size t] bytes or the pool is full. *)
