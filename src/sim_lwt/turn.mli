(** Lwt's main loop in a world: whose turn it is, and running what is paused. *)

type life
(** A host's life, for which Lwt's threads run. *)

val life : Weir_sim.world -> name:string -> life

val over : life -> unit
(** [over l]: what its threads raise from now on is ignored. *)

val is_over : life -> bool

val within : life -> (unit -> 'a) -> 'a
(** [within l f] is [f ()], whose threads are [l]'s. *)

val take : Weir_sim.world -> unit
(** [take w] waits until no other world of the process has the turn, and runs paused promises in [w]
    until its end. It does nothing if [w] has the turn.
    @raise Invalid_argument if another world of this domain has it. *)
