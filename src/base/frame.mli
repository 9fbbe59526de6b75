(** One link-layer frame in a pooled buffer, and what is known of it.

    A frame has one owner at a time. [link#send] takes ownership; [link#receive] gives it; whoever
    owns a frame last calls {!release}, after which it must not be touched. To release or send one
    that is not the caller's raises [Invalid_argument]. *)

(** What stands in the checksum field of the transport header. *)
type checksum =
  | Unverified  (** a checksum, that the receiver has to verify *)
  | Verified  (** who gave the frame vouches for it; there may be none in the field *)
  | Partial
      (** the sum of the pseudo-header alone: the device sums the rest, or
          {!Weir_wire.Partial.complete} does before the frame goes where no device does *)

type t = private {
  data : Bytes.t;  (** the whole buffer; only [off .. off + len - 1] is the frame *)
  mutable off : int;
  mutable len : int;
  mutable checksum : checksum;
  mutable segment_size : int;
      (** of a frame that stands for many: the bytes of data in each segment but the last; else 0 *)
  mutable holder : holder;
  pool : pool;
}

and holder
and pool

val pool : ?keep:int -> size:int -> unit -> pool
(** [pool ~size ()] makes frames with [size]-byte buffers and keeps at most [keep] (default 1024)
    released ones for reuse. *)

val size : pool -> int
(** [size p] is the buffer size of its frames. *)

val alloc : pool -> t
(** [alloc p] is a frame with [off = 0], [len = 0], {!Unverified}, and arbitrary bytes, owned by the
    caller. *)

val set : t -> off:int -> len:int -> unit
(** [set f ~off ~len] says where in [f.data] the frame is.
    @raise Invalid_argument if that is not within it. *)

val set_length : t -> int -> unit
(** [set_length f len] is [set f ~off:f.off ~len]. *)

val set_checksum : t -> checksum -> unit
val set_segment_size : t -> int -> unit

val release : t -> unit
(** [release f] gives [f] back to its pool. Any domain may release and {!alloc}.
    @raise Invalid_argument if it was released, or waits in a queue. *)

val copy : pool -> t -> t
(** [copy p f] is a new frame of [p] with the bytes of [f] and what is known of it.
    @raise Invalid_argument if [f] is longer than [size p]. *)

val none : t
(** [none] stands for "no frame", compared by [==]; {!release} ignores it. *)

(** {1 For links} *)

val check_owned : t -> unit
(** @raise Invalid_argument if it was released, or waits in a queue. *)

val enqueue : t -> unit
(** [enqueue f]: it now belongs to a queue of the link's.
    @raise Invalid_argument as {!check_owned}. *)

val dequeue : t -> unit
(** [dequeue f]: it is its taker's again. *)
