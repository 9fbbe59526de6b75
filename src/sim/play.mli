(** One run of a world: its seed and its limits, and what is told when it fails. *)

open Weir_base

val run :
  ?seed:int ->
  ?time_limit:Time.t ->
  ?event_limit:int ->
  ?shuffle:bool ->
  ?epoch:float ->
  ?offload:bool ->
  ?congestion:Weir_core.Congestion.algorithm ->
  ?trace:(string -> unit) ->
  ?trace_absolute:bool ->
  ?watch:(World.sight -> unit) ->
  ?pcap:string ->
  ?replay:(int -> string) ->
  (World.t -> clocks:Clock.t -> 'a) ->
  'a
(** [run f] is [f world ~clocks] in a new world: see {!Weir_sim.run}.
    @raise Failure.Failed if [f] raises, or the run ends before [f] does. *)

val chosen_seed : unit -> int option
(** [chosen_seed ()] is what the variable [WEIR_SIM_SEED] says.
    @raise Invalid_argument if that is no number. *)

val waiting_lines : Scheduler.t -> string list
(** [waiting_lines s] says what each fiber waits for. *)
