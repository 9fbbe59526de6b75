(** A bounded byte queue that also accepts bytes ahead of its tail.

    Bytes enter at the tail and leave at the head. Storage starts empty and doubles as needed, up to
    the capacity. When a ring with a budget becomes empty, it gives storage of at most
    {!Budget.largest_spare} bytes back to the budget, for other rings. {!trim} frees unused storage
    of any size. TCP stores out-of-order segments past the tail with {!blit_ahead}, and moves the
    tail over them with {!extend} once the gap is filled. *)

type t

val create : ?budget:Budget.t -> ?shown:bool -> capacity:int -> unit -> t
(** [create ~capacity ()] holds at most [capacity] bytes, including those written ahead. Its storage
    is counted in [budget]. Writes do not check the budget: call {!affords} first. If [shown] is
    [false] (the default is [true]), bytes that {!head} passed out may change when the storage
    grows: the old storage is then free for another ring. *)

val capacity : t -> int

val set_capacity : t -> int -> unit
(** [set_capacity t n] changes the capacity to [n] bytes. Bytes already stored stay. *)

val length : t -> int

val free : t -> int
(** [free t] is [capacity t - length t], or 0 if that is less. *)

val storage : t -> int
(** [storage t] is the allocated size in bytes. *)

val affords : t -> int -> bool
(** [affords t n] is true if storage for [n] bytes beyond {!length} is allocated or fits into the
    budget. *)

val make_room : t -> int -> unit
(** [make_room t n] allocates storage for [n] bytes at the tail, if [n <= free t]. Several writes
    then need one allocation. *)

val write : t -> Bytes.t -> off:int -> len:int -> unit
(** [write t b ~off ~len] copies bytes to the tail.
    @raise Invalid_argument if [len > free t]. *)

val blit_ahead : t -> at:int -> Bytes.t -> off:int -> len:int -> unit
(** [blit_ahead t ~at b ~off ~len] stores bytes at [at] bytes past the tail. The tail does not move.
    @raise Invalid_argument if [at + len > free t]. *)

val extend : t -> int -> unit
(** [extend t n] moves the tail over [n] bytes that {!blit_ahead} or the function given to {!tail}
    wrote.
    @raise Invalid_argument if [n > free t] or there is no storage for them. *)

val read : t -> Bytes.t -> off:int -> len:int -> int
(** [read t b ~off ~len] moves at most [len] bytes from the head into [b] and returns the number
    moved. *)

val peek : t -> at:int -> Bytes.t -> off:int -> len:int -> unit
(** [peek t ~at b ~off ~len] copies bytes from [at] bytes after the head and removes none.
    @raise Invalid_argument if [at + len > length t]. *)

val place : t -> at:int -> len:int -> int
(** [place t ~at ~len] is the index in {!contents} of the byte [at] bytes after the head. The [len]
    bytes begin there and wrap around at the end of {!contents}. The index is valid until [t] next
    changes.
    @raise Invalid_argument if [at + len > length t]. *)

val contents : t -> Bytes.t
(** [contents t] is the storage. *)

val peek_sum : t -> at:int -> Bytes.t -> off:int -> len:int -> int
(** [peek_sum] is {!peek} and returns the {!Checksum} partial sum of the copied bytes. *)

val head : t -> (Bytes.t -> int -> int -> 'a) -> 'a
(** [head t f] is [f b off len], where the [len] bytes at [off] in [b] are the longest contiguous
    part at the head. They are valid until [t] next changes. *)

val tail : t -> (Bytes.t -> int -> int -> 'a) -> want:int -> 'a
(** [tail t f ~want] is [f b off len], where the [len] bytes at [off] in [b] are contiguous free
    space at the tail: at most [want] bytes, 0 if [t] is full. It grows the storage if needed. The
    caller fills the space and calls {!extend} before any other change to [t]. Filling overwrites
    bytes that {!blit_ahead} stored there. *)

val drop : t -> int -> unit
(** [drop t n] removes [n] bytes at the head. Like every change, this ends the validity of views of
    the ring.
    @raise Invalid_argument if [n > length t]. *)

val trim : t -> unit
(** [trim t] frees storage that the contents do not need. *)

val clear : t -> unit
(** [clear t] removes all bytes and frees the storage. *)
