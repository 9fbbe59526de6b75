(** The bytes of one TCP stream, put in order as they come: repeated ones once, those that overtook
    others when the others are there (the first copy counts). What the capture lacks is told as
    missing as soon as the receiver has acknowledged bytes behind it, when too much waits for it, or
    at the end. At most {!most_held} bytes and {!most_segments} segments wait each way. *)

type t

type piece = {
  from_client : bool;
  time : Weir_base.Time.t;  (** of the packet that made the piece known *)
  offset : int;  (** bytes of this direction before it *)
  what : what;
}

and what = Data of string  (** not empty *) | Missing of int  (** so many bytes, above 0 *)

val most_held : int
(** 16 MiB *)

val most_segments : int
(** 16,384 *)

val create : (piece -> unit) -> t
(** [create give] calls [give] with the pieces, in order in each direction. *)

val add : t -> Dissection.t -> unit
(** [add t d] takes the data and the acknowledgement of a TCP segment, which must be of the one
    stream; other packets are ignored. Nothing of [d] is kept. *)

val finish : t -> unit
(** [finish t] gives what still waits. *)
