(** Faults at random times, one after the other. *)

open Weir_base

val run :
  random:Random.State.t ->
  sleep:(Time.t -> unit) ->
  every:Time.t ->
  lasting:Time.t ->
  (unit -> unit -> unit) list ->
  'a
(** [run ~random ~sleep ~every ~lasting faults] repeats: it waits for [every] on average, calls one
    of [faults] at random, waits for at most [lasting], and calls the function that the fault
    returned, which undoes it. When it is cancelled, it undoes the last fault first.
    @raise Invalid_argument if there is no fault, or a time is below 1 ns. *)
