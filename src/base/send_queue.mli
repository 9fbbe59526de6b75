(** A bounded queue of bytes to send: a {!Byte_ring} for bytes that were copied, and between them
    runs of immutable strings that were not.

    A queue that lends no string is its ring. A string that is lent is kept until its last byte is
    dropped. Strings count towards the capacity, but not in the budget, as their memory is their
    owner's. *)

type t

val create : ?budget:Budget.t -> capacity:int -> unit -> t
(** [create ~capacity ()] holds at most [capacity] bytes. The storage for copied bytes is counted in
    [budget]. *)

val length : t -> int
val capacity : t -> int

val set_capacity : t -> int -> unit
(** [set_capacity t n] changes the capacity to [n] bytes. Bytes already queued stay. *)

val free : t -> int
(** [free t] is [capacity t - length t], or 0 if that is less. *)

(** {1 Adding} *)

val write : t -> Bytes.t -> off:int -> len:int -> unit
(** [write t b ~off ~len] copies bytes to the end. Check {!affords} first.
    @raise Invalid_argument if [len > free t]. *)

val fill : t -> want:int -> (Bytes.t -> int -> int -> int) -> int
(** [fill t ~want f] is [f b off len], which writes at most [len] bytes at [off] in [b] and returns
    their number. [len] is at most [want]. The bytes are then at the end of [t]. *)

val lend : t -> string -> off:int -> len:int -> unit
(** [lend t s ~off ~len] adds bytes of [s] to the end without copying them.
    @raise Invalid_argument if they are not within [s], or [len > free t]. *)

val continues : t -> string -> off:int -> bool
(** [continues t s ~off] is true if the bytes of [s] before [off] are lent and are the last of [t]:
    {!lend} then makes that run longer. *)

(** {1 Looking and removing} *)

val peek : t -> at:int -> Bytes.t -> off:int -> len:int -> unit
(** [peek t ~at b ~off ~len] copies bytes from [at] bytes after the first and removes none.
    @raise Invalid_argument if [at + len > length t]. *)

val peek_sum : t -> at:int -> Bytes.t -> off:int -> len:int -> int
(** [peek_sum] is {!peek} and returns the {!Checksum} partial sum of the copied bytes. *)

val in_one_place : t -> at:int -> len:int -> int
(** [in_one_place t ~at ~len] is how many of the last of these [len] bytes are in one {!source}. It
    is at least 1, if [len] is. *)

val source : t -> at:int -> Bytes.t
(** [source t ~at] holds the byte at [at]. It may be a string: never change it. *)

val place : t -> at:int -> len:int -> int
(** [place t ~at ~len] is where in [source t ~at] these bytes begin. They go on from there, and
    after the end of the source at its start, until [t] next changes.
    @raise Invalid_argument if they are not in one place. *)

val drop : t -> int -> unit
(** [drop t n] removes the first [n] bytes.
    @raise Invalid_argument if [n > length t]. *)

val clear : t -> unit
(** [clear t] removes all bytes and frees the storage. *)

(** {1 Storage of copied bytes} *)

val storage : t -> int
(** [storage t] is the allocated size in bytes. *)

val affords : t -> int -> bool
(** [affords t n] is true if storage for [n] more copied bytes is allocated or fits into the budget.
*)

val trim : t -> unit
(** [trim t] frees storage that the contents do not need. *)
