(** What plans make of the network as time passes: which impairments and rates are in force, and
    what is cut. *)

type t

val make :
  ways:Run_scope.way list ->
  concerns:(Run_scope.way -> Run_scope.t -> bool) ->
  seed:(seed:int -> Run_scope.way -> Run_where.t -> int array) ->
  ?fault:(Run_change.t -> unit) ->
  Run_plan.t list ->
  t
(** [make ~ways ~concerns ~seed plans] has lanes for each of [ways], changed by what [concerns] it.
    [seed ~seed way where] is the seed of a lane, from that of the plan. [fault c] is called for
    each change, when it happens. *)

val start : t -> now:Weir_base.Time.t -> unit
(** [start t] is time 0 of all tables. *)

val advance : t -> now:Weir_base.Time.t -> unit
(** [advance t ~now] lets happen what is due. *)

val since_start : t -> now:Weir_base.Time.t -> Weir_base.Time.t
(** [since_start t ~now] is -1 before {!start}. *)

val lanes : t -> Run_scope.way -> Run_lanes.t

val is_cut : t -> (Run_scope.t -> bool) -> bool
(** [is_cut t fits] is true if anything is cut now whose scope [fits]. *)

val is_scoped : t -> bool
(** [is_scoped t] is true if a packet's place decides which lane it takes. *)

val is_cut_somewhere : t -> bool
(** [is_cut_somewhere t] is true if a cut is not of everything. *)

val cuts : t -> now:Weir_base.Time.t -> (Weir_base.Time.t * Weir_base.Time.t * string) list
(** [cuts t ~now] is when something was cut, up to [now], since the start, and its scope. *)
