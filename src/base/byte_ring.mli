(** A bounded byte queue that can also be written ahead of its end.

    Bytes enter at the tail and leave at the head. Storage starts empty, doubles as needed up to the
    bound, and is given back by {!trim}: a connection that has been idle for a while holds none. TCP
    writes segments that came early past the tail with {!blit_ahead} and admits them with {!extend}
    once the gap is filled. *)

type t

val create : ?budget:Budget.t -> capacity:int -> unit -> t
(** [create ~capacity ()] holds at most [capacity] bytes, counting those written ahead. Its storage
    counts in [budget], which does not refuse it: ask {!affords}. *)

val capacity : t -> int

val set_capacity : t -> int -> unit
(** [set_capacity t n] has [t] hold at most [n] bytes from now on; what is stored stays. *)

val length : t -> int

val free : t -> int
(** [free t] is [capacity t - length t], or 0 if that is less. *)

val storage : t -> int
(** [storage t] is how many bytes of memory [t] holds. *)

val affords : t -> int -> bool
(** [affords t n]: [n] bytes beyond {!length} have storage, or fit into the budget. *)

val write : t -> Bytes.t -> off:int -> len:int -> unit
(** [write t b ~off ~len] copies bytes to the tail.
    @raise Invalid_argument if [len > free t]. *)

val blit_ahead : t -> at:int -> Bytes.t -> off:int -> len:int -> unit
(** [blit_ahead t ~at b ~off ~len] stores bytes that begin [at] bytes past the tail, without moving
    it.
    @raise Invalid_argument if [at + len > free t]. *)

val extend : t -> int -> unit
(** [extend t n] moves the tail over [n] bytes that {!blit_ahead} stored or that were filled into
    {!tail}.
    @raise Invalid_argument if [n > free t] or there is no storage for them. *)

val read : t -> Bytes.t -> off:int -> len:int -> int
(** [read t b ~off ~len] moves at most [len] bytes from the head into [b]; the number moved. *)

val peek : t -> at:int -> Bytes.t -> off:int -> len:int -> unit
(** [peek t ~at b ~off ~len] copies bytes that begin [at] bytes behind the head.
    @raise Invalid_argument if [at + len > length t]. *)

val peek_sum : t -> at:int -> Bytes.t -> off:int -> len:int -> int
(** [peek_sum] is {!peek}, and the {!Checksum} partial sum of what it copied. *)

val head : t -> (Bytes.t -> int -> int -> 'a) -> 'a
(** [head t f] is [f b off len], the longest contiguous run at the head, to be read until [t] is
    next changed. *)

val tail : t -> (Bytes.t -> int -> int -> 'a) -> want:int -> 'a
(** [tail t f ~want] is [f b off len], a contiguous free run at the tail of at most [want] bytes (0
    if full), to be filled and then admitted by {!extend} before [t] is changed in any other way. It
    grows the storage for it. Filling overwrites what {!blit_ahead} stored there. *)

val drop : t -> int -> unit
(** [drop t n] forgets [n] bytes at the head.
    @raise Invalid_argument if [n > length t]. *)

val trim : t -> unit
(** [trim t] gives back the storage that what is stored does not need. *)

val clear : t -> unit
(** [clear t] forgets all bytes and gives the storage back. *)
