(** A pool of large byte buffers, so that connections hold one only while they move a body, and of
    smaller ones for when many do: a client that has stopped reading keeps its connection's. Safe to
    share between domains. *)

type t

val create : ?keep:int -> ?size:int -> ?scarce:int -> unit -> t
(** [create ()] makes buffers of [size] bytes (default 64 KiB), and of [scarce] bytes (default 8
    KiB) while [keep] (default 64) of those are in use. It keeps at most [keep] of either that were
    given back. So [n] connections hold at most [keep * size + n * scarce] bytes for each direction.
*)

val size : t -> int
val scarce : t -> int

val take : t -> need:int -> Bytes.t
(** [take t ~need] is a buffer of [size t] or [scarce t] bytes, at least [need], with arbitrary
    contents, owned by the caller.
    @raise Invalid_argument if [need] is more than [size t]. *)

val give : t -> Bytes.t -> unit
(** [give t b] takes [b] back, which must not be touched afterwards; it is forgotten if it is of
    neither size or the pool is full. *)
