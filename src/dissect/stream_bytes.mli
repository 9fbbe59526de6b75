(** Reassembles the bytes of one TCP stream. Retransmitted bytes are passed on once; of two waiting
    segments with one offset, the longer is kept. Out-of-order bytes wait for those before them.
    Bytes that the capture lacks are reported as missing when the receiver has acknowledged later
    bytes, when too many bytes wait, or at the end. At most {!most_held} bytes and {!most_segments}
    segments wait in each direction. *)

type t

type piece = {
  from_client : bool;
  time : Weir_base.Time.t;  (** of the packet that completed the piece *)
  offset : int;  (** the bytes before it in this direction *)
  what : what;
}

and what = Data of string  (** not empty *) | Missing of int  (** the number of bytes, above 0 *)

val most_held : int
(** 16 MiB *)

val most_segments : int
(** 16,384 *)

val create : (piece -> unit) -> t
(** [create give] is an empty stream. It calls [give] with each piece, in the order of each
    direction. *)

val add : t -> Dissection.t -> unit
(** [add t d] reads the data and acknowledgement of a TCP segment, which must belong to the stream;
    other packets are ignored. [t] keeps no reference to [d]. *)

val finish : t -> unit
(** [finish t] passes on the pieces that still wait. *)
