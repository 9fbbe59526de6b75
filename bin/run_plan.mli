(** What the options say of the network, now and later. *)

type t = {
  seed : int;
  changes : Run_change.t list;  (** from the beginning *)
  cuts : (Weir_base.Time.t * Weir_base.Time.t * Run_change.t) list;
  schedules : Run_schedule.t list;
}

val term : docs:string -> t Cmdliner.Term.t

val changes : t -> Run_change.t list
(** [changes t] is all that may happen. *)

val outside : t -> t
(** [outside t] is what concerns the program's way out. *)

val between : t -> t
(** [between t] is what concerns packets between members of a network. *)

val has_between : t -> bool

val concerning : t -> string -> string -> t
(** [concerning t a b] is what concerns the packets between these members. *)

val to_lines : t -> string list
(** [to_lines (between t)] is what {!of_lines} reads in another process. *)

val of_lines : string list -> t

val in_words : t -> string list
(** [in_words t] is a line for each option and each line of a table. *)
