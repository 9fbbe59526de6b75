(** Time as a number of nanoseconds, an [int].

    An instant is nanoseconds since an origin that the driver of the core chooses, such as the
    origin of a monotonic clock or the start of a simulation. A span is a difference of instants. 63
    bits last 146 years. *)

type t = int
(** Nanoseconds. *)

val never : t
(** [never] is later than every instant: the deadline of a timer that is not armed. *)

val us : int -> t
val ms : int -> t
val s : int -> t

val of_float_s : float -> t
(** [of_float_s x] is [x] seconds. *)

val to_float_s : t -> float

val pp : Format.formatter -> t -> unit
(** [pp] prints a span or an instant in seconds with nine decimals. *)
