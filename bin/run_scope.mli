(** To which packets an option of [weir run] applies: [WHAT[/in|/out][@WHERE]]. *)

type way = Out | In  (** from the program, and to it *)
type t = { ways : way list; where : Run_where.t }

val everything : t

val split : string -> (string * t, string) result
(** [split s] is what stands before the scope, and the scope. *)

val pp : Format.formatter -> t -> unit
(** [pp] prints [/in@10.0.0.0/8], or nothing for {!everything}. *)
