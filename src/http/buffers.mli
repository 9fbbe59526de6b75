(** A pool of large byte buffers, and of smaller ones for less, or when many large ones are in use.
    A connection holds a buffer only while it moves a body; one whose client has stopped reading
    keeps its buffer. Safe to share between domains. *)

type t

val create : ?most:int -> ?keep:int -> ?size:int -> ?scarce:int -> unit -> t
(** [create ()] makes buffers of [size] bytes (default 64 KiB), and of [scarce] bytes (default 8
    KiB) while [most] (default 64) large ones are in use. So [n] connections hold at most
    [most * size + n * scarce] bytes for each direction. Of the buffers given back, the pool keeps
    at most [keep] (default 8) of [size] bytes and [most] of [scarce] bytes. *)

val size : t -> int
val scarce : t -> int

val take : t -> need:int -> more:bool -> Bytes.t
(** [take t ~need ~more] is a buffer of [size t] or [scarce t] bytes, at least [need], with
    arbitrary contents, owned by the caller. [more] says that the caller can use more than [need]
    bytes: then the buffer has [size t] bytes while fewer than [most] of those are in use.
    @raise Invalid_argument if [need] is more than [size t]. *)

val give : t -> Bytes.t -> unit
(** [give t b] takes [b] back; the caller must not use it afterwards. The pool drops [b] if it is
    full or [b] has neither size. *)
