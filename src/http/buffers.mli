(** A pool of large byte buffers, so that connections hold one only while they move a body, and of
    smaller ones for when many do: a client that has stopped reading keeps its connection's. Safe to
    share between domains. *)

type t

val create : ?most:int -> ?keep:int -> ?size:int -> ?scarce:int -> unit -> t
(** [create ()] makes buffers of [size] bytes (default 64 KiB), and of [scarce] bytes (default 8
    KiB) while [most] (default 64) of those are in use. So [n] connections hold at most
    [most * size + n * scarce] bytes for each direction. Of those that were given back it keeps at
    most [keep] (default 8) of [size] bytes and [most] of [scarce]. *)

val size : t -> int
val scarce : t -> int

val take : t -> need:int -> more:bool -> Bytes.t
(** [take t ~need ~more] is a buffer of [size t] or [scarce t] bytes, at least [need], with
    arbitrary contents, owned by the caller. With [more], what is beyond [need] is of use too: then
    it is of [size t] while there are enough.
    @raise Invalid_argument if [need] is more than [size t]. *)

val give : t -> Bytes.t -> unit
(** [give t b] takes [b] back, which must not be touched afterwards; it is forgotten if it is of
    neither size or the pool is full. *)
