(** One link-layer frame in a pooled buffer, with its metadata.

    A frame has one owner at a time. [link#send] takes ownership; [link#receive] passes it to the
    caller. The last owner calls {!release} and must not use the frame afterwards. Releasing or
    sending a frame that the caller does not own raises [Invalid_argument]. *)

(** The state of the transport header's checksum field. *)
type checksum =
  | Unverified  (** a full checksum; the receiver must verify it *)
  | Verified
      (** the sender of the frame has verified the data; the field itself need not be a valid
          checksum *)
  | Partial
      (** only the sum of the pseudo-header. The device adds the rest, or
          {!Weir_wire.Transport.complete} does if the device cannot. *)

type t = private {
  data : Bytes.t;  (** the whole buffer; only [off .. off + len - 1] is the frame *)
  mutable off : int;
  mutable len : int;
  mutable checksum : checksum;
  mutable segment_size : int;
      (** if the frame holds several TCP segments (GSO, GRO): data bytes in each segment but the
          last; else 0 *)
  mutable tail : Bytes.t;  (** a ring that holds the rest of the frame: see {!set_tail} *)
  mutable tail_at : int;
  mutable tail_len : int;  (** 0 for most frames *)
  mutable holder : holder;
  pool : pool;
}

and holder
and pool

val pool : ?keep:int -> size:int -> unit -> pool
(** [pool ~size ()] is a pool of frames with [size]-byte buffers. It keeps at most [keep] (default
    1024) released frames for reuse. *)

val size : pool -> int
(** [size p] is the buffer size of its frames. *)

val alloc : pool -> t
(** [alloc p] is a frame with [off = 0], [len = 0], {!Unverified} and arbitrary bytes. The caller
    owns it. *)

val set : t -> off:int -> len:int -> unit
(** [set f ~off ~len] makes the frame the [len] bytes at [off] in [f.data].
    @raise Invalid_argument if the range is out of bounds. *)

val set_length : t -> int -> unit
(** [set_length f len] is [set f ~off:f.off ~len]. *)

val set_checksum : t -> checksum -> unit

val set_segment_size : t -> int -> unit
(** @raise Invalid_argument if the size is negative. *)

val set_tail : t -> Bytes.t -> at:int -> len:int -> unit
(** [set_tail f ring ~at ~len] appends [len] bytes of [ring], from [at] on, to [f], without a copy.
    Bytes beyond the end of [ring] are at its start. They must not change before [f] is released, so
    use this only with a link whose [send] returns after it has sent the frame.
    @raise Invalid_argument if the range is out of bounds. *)

val take_tail : t -> unit
(** [take_tail f] copies the tail, if there is one, into [f.data], after [f]'s own bytes.
    @raise Invalid_argument if there is no room for it. *)

val length : t -> int
(** [length f] is [f.len] plus the tail's length. *)

val release : t -> unit
(** [release f] returns [f] to its pool. Any domain may call {!release} and {!alloc}.
    @raise Invalid_argument if [f] was released before, or is in a queue. *)

val copy : pool -> t -> t
(** [copy p f] is a new frame of [p] with the bytes and metadata of [f].
    @raise Invalid_argument if [f] is longer than [size p]. *)

val none : t
(** [none] stands for "no frame", compared by [==]; {!release} ignores it. *)

(** {1 For links} *)

val check_owned : t -> unit
(** @raise Invalid_argument if the frame was released, or is in a queue. *)

val enqueue : t -> unit
(** [enqueue f] passes ownership of [f] to a queue of the link.
    @raise Invalid_argument as {!check_owned}. *)

val dequeue : t -> unit
(** [dequeue f] passes ownership from the queue to the caller. *)
