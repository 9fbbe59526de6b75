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
