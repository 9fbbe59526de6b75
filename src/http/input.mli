(** Bytes received and not yet consumed: one contiguous run in a buffer. The buffer grows while a
    message element is incomplete and shrinks when all bytes are consumed.

    The buffer doubles when it grows, and bytes are moved only when at least half of it is consumed.
    So the work is linear even if a peer sends byte by byte. The parsers bound the growth: they fail
    before more than their limit is unconsumed. *)

type t = private {
  pool : Buffers.t;
  small : Bytes.t;
  mutable data : Bytes.t;
  mutable start : int;  (** the unconsumed bytes are [start .. stop - 1] of [data] *)
  mutable stop : int;
  mutable position : int;  (** number of bytes consumed since [create] *)
}

val create : Buffers.t -> t
val length : t -> int

val make_room : t -> large:bool -> unit
(** [make_room t ~large] moves the bytes or grows the buffer, so that at least one byte can be
    stored at [stop]. If [large] and [t] is empty, [t] takes a buffer from the pool. *)

val room : t -> int
(** [room t] is how many bytes can be stored at [t.stop]. *)

val added : t -> int -> unit
(** [added t n] says that [n] bytes were stored at [t.stop]. *)

val drop : t -> int -> unit
(** [drop t n] consumes [n] bytes.
    @raise Invalid_argument if there are fewer. *)

val passed : t -> int -> unit
(** [passed t n] counts [n] bytes as consumed that the driver received elsewhere. [t] must be empty.
*)

val rest : t -> unit
(** [rest t] gives a large buffer back if [t] is empty. *)

val release : t -> unit
(** [release t] drops all bytes and gives the buffer back. *)
