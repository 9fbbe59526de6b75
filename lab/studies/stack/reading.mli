(** One number that a worker process has measured, and the line that carries it. *)

type t = { metric : string; unit_ : string; value : float }

val make : string -> string -> float -> t
(** [make metric unit_ value] is that reading. *)

val print : t -> unit
(** [print r] writes [r]'s line to standard output and flushes it. *)

val of_line : string -> t option
(** [of_line s] is the reading that {!print} wrote as [s]. *)
