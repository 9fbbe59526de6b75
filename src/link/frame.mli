(** One Ethernet frame in a pooled buffer.

    A frame has one owner at a time. [link#send] takes ownership; [link#receive] gives it; whoever
    owns a frame last calls {!release}, after which it must not be touched. *)

type t = {
  data : Bytes.t;  (** the whole buffer; only [off .. off + len - 1] is the frame *)
  mutable off : int;
  mutable len : int;
  mutable checksums_verified : bool;
      (** who gave the frame vouches for its transport checksum, so that the receiver need not sum
          it again. A sender sets it only on a link that passes it on: memory links do, and devices
          with offload. *)
  pool : pool;
}

and pool

val pool : ?keep:int -> size:int -> unit -> pool
(** [pool ~size ()] makes frames with [size]-byte buffers and keeps at most [keep] (default 1024)
    released ones for reuse. *)

val size : pool -> int
(** [size p] is the buffer size of its frames. *)

val alloc : pool -> t
(** [alloc p] is a frame with [off = 0], [len = 0] and arbitrary bytes, owned by the caller. *)

val release : t -> unit
(** [release f] gives [f] back to its pool. Any domain may release and {!alloc}. *)

val copy : pool -> t -> t
(** [copy p f] is a new frame of [p] with the bytes of [f].
    @raise Invalid_argument if [f] is longer than [size p]. *)

val none : t
(** [none] stands for "no frame", compared by [==]; {!release} ignores it. *)
