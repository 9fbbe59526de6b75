(** Splits a stream into frames. It does no input or output: a driver stores bytes and takes frames.

    A driver calls {!next}; on [More] it stores bytes in {!space} and calls {!received}. The buffer
    grows with the bytes received, not with the length that a prefix announces: it has at most 64
    KiB, or twice the bytes received of one frame. A buffer above 64 KiB is dropped after its frame
    was taken. *)

type t

val default_limit : int
(** 4 MiB *)

val create : ?limit:int -> Framing.t -> t
(** [create framing] refuses messages longer than [limit] bytes (default {!default_limit}), without
    the prefix. *)

val cut : ?limit:int -> header_room:int -> (Bytes.t -> off:int -> len:int -> Framing.extent) -> t
(** [cut ~header_room extent] is {!create} for frames whose length [extent] finds, as
    {!Framing.extent} does. Their prefix has at most [header_room] bytes. *)

type next =
  | Frame of Weir_flow.Slice.t  (** a message, without its prefix; a view until the next call *)
  | More  (** bytes are needed *)
  | Stop of Error.t  (** the end; all later calls return the same *)

val next : t -> next
(** [next t] takes the next message out of [t]. *)

val space : t -> int
(** [space t] is how many bytes, at least 1, may be stored at [at t] in [bytes t]. *)

val bytes : t -> Bytes.t
val at : t -> int

val received : t -> int -> unit
(** [received t n] says that [n] bytes were stored there; [n = 0] is the end of the stream. *)
