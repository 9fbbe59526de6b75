(** A bound on the bytes that many buffers hold together.

    It counts storage, not what is stored: a ring of 64 KiB counts as that though one byte is in it.
*)

type t

val create : limit:int -> t
(** [create ~limit] has taken nothing yet. *)

val limit : t -> int
val used : t -> int

val peak : t -> int
(** [peak t] is the most that was used since {!forget_peak}. *)

val forget_peak : t -> unit

val fits : t -> int -> bool
(** [fits t n]: [n] bytes more are within the limit. *)

val is_tight : t -> bool
(** [is_tight t]: more than seven eighths of the limit are used. *)

val take : t -> int -> unit
(** [take t n] counts [n] bytes more, also beyond the limit: who can refuse asks {!fits} before. *)

val give : t -> int -> unit
(** [give t n] counts [n] bytes less. *)
