(** Lwt's main loop in a world: which world and host Lwt runs for, and running its paused promises.
*)

type life
(** A host's life, for which Lwt's threads run. *)

val life : Weir_sim.world -> name:string -> life

val over : life -> unit
(** [over l] makes later exceptions of the threads of [l] be ignored. *)

val is_over : life -> bool

val within : life -> (unit -> 'a) -> 'a
(** [within l f] is [f ()], whose threads are [l]'s. *)

val take : Weir_sim.world -> unit
(** [take w] waits until no other world of the process uses Lwt, and then runs paused promises in
    [w] until the end of [w]. It does nothing if [w] uses Lwt already.
    @raise Invalid_argument if another world of this domain uses Lwt. *)
