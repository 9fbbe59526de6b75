(** How much memory something takes, in words, which unlike time is the same on every machine. *)

val allocated : (unit -> 'a) -> float
(** [allocated f] is how many words [f ()] allocates, in both heaps. *)

val small : bytes:int -> float
(** [small ~bytes] is what a decoder may allocate for an input of so many bytes, whatever is in
    them: 16 times the input and 1 MB. *)

val check_small : string -> bytes:int -> (unit -> 'a) -> unit
(** [check_small what ~bytes f] fails, naming [what], if [f ()] allocates more than that. What [f]
    raises passes. *)

val live : unit -> int
(** [live ()] is how many words are reachable now. *)
