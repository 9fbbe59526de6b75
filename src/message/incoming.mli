(** Cutting a stream into frames, without input or output: bytes are stored in it, frames come out.

    A driver asks {!next}; on [More] it stores bytes in {!space} and says so with {!received}. Room
    grows as bytes come, never by what a prefix promises: it is at most 64 KiB, or twice what has
    come of one frame; when a larger frame was taken out, its room is given back. *)

type t

val default_limit : int
(** 4 MiB *)

val create : ?limit:int -> Framing.t -> t
(** [create framing] refuses messages longer than [limit] bytes, prefix not counted. *)

val cut : ?limit:int -> header_room:int -> (Bytes.t -> off:int -> len:int -> Framing.extent) -> t
(** [cut ~header_room extent] is {!create} for frames of another kind: [extent] says of them what
    {!Framing.extent} does, and a prefix has at most [header_room] bytes. *)

type next =
  | Frame of Weir_flow.Slice.t  (** a message, without its prefix; a view until the next call *)
  | More  (** bytes are needed *)
  | Stop of Error.t  (** nothing will come any more; always the same from now on *)

val next : t -> next
(** [next t] takes the next message out of [t]. *)

val space : t -> int
(** [space t] is how many bytes, at least 1, may be stored at [at t] in [bytes t]. *)

val bytes : t -> Bytes.t
val at : t -> int

val received : t -> int -> unit
(** [received t n] says that [n] bytes were stored there; 0 that the stream has ended. *)
