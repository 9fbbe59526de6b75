(** A shared bound on the memory of many buffers.

    It counts allocated storage, not contents: a ring of 64 KiB counts 64 KiB, even with one byte in
    it. *)

type t

val create : limit:int -> t
(** [create ~limit] is a budget of [limit] bytes, none of them used. *)

val limit : t -> int
val used : t -> int

val peak : t -> int
(** [peak t] is the highest value of {!used} since {!forget_peak}. *)

val forget_peak : t -> unit

val fits : t -> int -> bool
(** [fits t n] is true if [n] more bytes are within the limit. *)

val is_tight : t -> bool
(** [is_tight t] is true if more than seven eighths of the limit are used. *)

val take : t -> int -> unit
(** [take t n] adds [n] bytes to {!used}, even beyond the limit. A caller that can refuse calls
    {!fits} first. *)

val give : t -> int -> unit
(** [give t n] subtracts [n] bytes from {!used}. *)

(** {1 Spares}

    Small buffers that were given back are reused, the last one first, because it is likely to be in
    the processor's cache. At most 64 of each size are kept, 448 KiB in all. They do not count as
    used. *)

val storage : t -> int -> Bytes.t
(** [storage t n] is a buffer of [n] arbitrary bytes, a spare if there is one. [n] must be a power
    of two. *)

val smallest_spare : int
(** 1,024 bytes. *)

val largest_spare : int
(** 4,096 bytes. *)

val accept : t -> Bytes.t -> bool
(** [accept t b] keeps [b] as a spare and is [true], or is [false] if there are enough. After [true]
    the caller must not use [b] again. The length of [b] must be a power of two from
    {!smallest_spare} to {!largest_spare}. *)
