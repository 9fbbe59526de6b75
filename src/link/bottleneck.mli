(** What limits the rate of one direction, with a queue before it. Nothing is stored here: the queue
    is computed, and {!admit} says when a frame leaves it. Several {!Lane}s may share one. *)

type t

val create : rate_bps:int -> queue_bytes:int -> t
(** [create ~rate_bps ~queue_bytes] sends that many bits per second ({!Impairment.unlimited}: all at
    once), counted without preamble and interframe gap. A frame that would make the queue longer
    than [queue_bytes], the one in transmission included, is refused; an idle bottleneck accepts any
    frame. *)

val set : t -> rate_bps:int -> queue_bytes:int -> unit
(** [set t] is for frames that enter from now on; those in the queue leave as they would have. It
    ends a trace. *)

val follow : t -> start:Weir_base.Time.t -> queue_bytes:int -> Delivery_trace.t -> unit
(** [follow t ~start ~queue_bytes trace] sends when [trace], begun at [start], says. *)

val admit : t -> now:Weir_base.Time.t -> len:int -> Weir_base.Time.t
(** [admit t ~now ~len] is when the last bit of a frame of [len] bytes leaves, or {!refused}. *)

val refused : Weir_base.Time.t

val queued : t -> now:Weir_base.Time.t -> int
(** [queued t ~now] is the bytes in the queue. *)

val backlog : t -> now:Weir_base.Time.t -> Weir_base.Time.t
(** [backlog t ~now] is how long a frame that enters now waits until its transmission begins. *)

val fullest : t -> int
(** [fullest t] is the longest that the queue has been, in bytes. *)
