(** The threads study's workloads in both styles: direct, and by Lwt's bind. *)

type test =
  | Basic  (** a loop of waits *)
  | Recurse  (** a deep recursion that waits at its bottom *)
  | Recurse2  (** a deep recursion that waits at each level *)

val ns_of_wait : test -> direct:bool -> turn:bool -> depth:int -> waits:int -> float
(** [ns_of_wait test ~direct ~turn ~depth ~waits] is the time of one wait (of one call, for
    {!Recurse}) over about [waits] of them, [depth] at once. With [turn] each gives way to the
    others; without, what it waits for is there already.
    @raise Failure if a result is wrong. *)
