(** Bytes received and not yet consumed: one contiguous run in a buffer that grows while a message
    element is incomplete and shrinks when all is consumed.

    Growing doubles and moving happens only over bytes already consumed at least as many, so that a
    peer that sends byte by byte costs linear work. The bound on growth is the parsers': they fail
    before they leave more than their limit unconsumed. *)

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
(** [make_room t ~large] moves or grows so that at least one byte can be stored at [stop]; if
    [large] and nothing is stored, in a buffer of the pool. *)

val room : t -> int
(** [room t] is how many bytes can be stored at [t.stop]. *)

val added : t -> int -> unit
(** [added t n] says that [n] bytes were stored at [t.stop]. *)

val drop : t -> int -> unit
(** [drop t n] consumes [n] bytes.
    @raise Invalid_argument if there are fewer. *)

val passed : t -> int -> unit
(** [passed t n] counts [n] bytes as consumed that went past this buffer, which must be empty. *)

val rest : t -> unit
(** [rest t] gives large storage back if nothing is stored. *)

val release : t -> unit
(** [release t] forgets everything and gives the storage back. *)
