(** What happened when: bytes, connections, round-trip times and losses, sampled at even steps. The
    number of samples is bounded: when there are too many, two become one. *)

type t

val create : now:Weir_base.Time.t -> t
val step_ns : t -> int

val sample : t -> Run_report.totals -> rtts:int list -> unit
(** [sample t totals ~rtts] is to be called each {!base_step_ns}. *)

val base_step_ns : int
(** 100 ms. *)

val is_empty : t -> bool

val to_json : t -> Yojson.Safe.t
(** Parallel lists; the bytes and losses are those of each step. *)
