(** One number that a worker process measures, and its text form. *)

type t = { metric : string; unit_ : string; value : float }

val make : string -> string -> float -> t
(** [make metric unit_ value] is that reading. *)

val print : t -> unit
(** [print r] prints [r] as a line on standard output and flushes it. *)

val of_line : string -> t option
(** [of_line s] is the reading that {!print} printed as [s]. *)
