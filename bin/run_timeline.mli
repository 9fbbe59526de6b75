(** A table of events, which may begin again after its end. *)

type 'a t

val make : ?period:Weir_base.Time.t -> (Weir_base.Time.t * 'a) list -> 'a t
(** [make ~period events] begins again each [period], which is not before the last event. *)

val next_at : 'a t -> Weir_base.Time.t
(** [next_at t] is the time of the next event, or [Time.never]. *)

val advance : 'a t -> now:Weir_base.Time.t -> (at:Weir_base.Time.t -> 'a -> unit) -> unit
(** [advance t ~now happen] calls [happen] for each event up to [now], once and in order. *)
