(** A bounded byte queue that also accepts bytes ahead of its tail.

    Bytes enter at the tail and leave at the head. Storage starts empty and doubles as needed, up to
    the capacity. A ring with a budget gives storage of at most {!Budget.largest_spare} back when
    its last byte is dropped, for other rings of that budget; {!trim} frees unused storage. So an
    idle connection holds none. TCP stores out-of-order segments past the tail with {!blit_ahead},
    and moves the tail over them with {!extend} once the gap is filled. *)

type t

val create : ?budget:Budget.t -> ?shown:bool -> capacity:int -> unit -> t
(** [create ~capacity ()] holds at most [capacity] bytes, including those written ahead. Its storage
    is counted in [budget]. Writes do not check the budget: call {!affords} first. Without [shown]
    (default [true]) bytes that {!head} has shown may change when the storage grows, as it then
    serves another ring. *)

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
(** [make_room t n] allocates storage for [n] bytes at the tail at once, if [n <= free t]: for
    several writes that belong together. *)

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
(** [place t ~at ~len] is where the byte at [at] after the head is in {!contents}. The [len] bytes
    go on from there, and after the end of {!contents} at its start, until [t] next changes.
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
(** [drop t n] removes [n] bytes at the head. Views of the ring end, as by every change.
    @raise Invalid_argument if [n > length t]. *)

val trim : t -> unit
(** [trim t] frees storage that the contents do not need. *)

val clear : t -> unit
(** [clear t] removes all bytes and frees the storage. *)
