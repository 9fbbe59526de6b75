(** What becomes of the records of {!Scoreboard} when segments must be shorter, because the path's
    MTU is less than was thought. *)

val split : Scoreboard_records.t -> mss:int -> data_end:Seq.t -> frames:bool -> bool
(** [split] is {!Scoreboard.cut}. *)
