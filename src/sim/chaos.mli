(** Faults at random times, one after the other. *)

open Weir_base

val run :
  random:Random.State.t ->
  sleep:(Time.t -> unit) ->
  every:Time.t ->
  lasting:Time.t ->
  (unit -> unit -> unit) list ->
  'a
(** [run ~random ~sleep ~every ~lasting faults] waits, does one of [faults] by chance, waits, undoes
    it by what the fault gave, and so on until it is cancelled, undoing the last one then too. The
    waits are [every] on average and [lasting] at most.
    @raise Invalid_argument if there is no fault, or a time is below 1 ns. *)
