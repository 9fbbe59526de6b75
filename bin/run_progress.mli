(** A live line on a terminal. *)

type t

val create : unit -> t option
(** [create ()] is [None] if standard error is no terminal. *)

val show : t -> Run_report.totals -> seconds:float -> unit
(** [show t totals ~seconds] writes the line anew; rates are since the last time. *)

val clear : t -> unit
