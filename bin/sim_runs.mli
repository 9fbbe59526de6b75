(** Scenarios played under seeds. *)

open Weir_scenarios

type options = {
  names : string list;
  seed : int option;
  seeds : (int * int) option;
  settings : Scenario.settings;
  pcap : string option;
  trace : bool;
  absolute : bool;
  json : bool;
  list : bool;
  shuffle : bool;
  offload : bool;
  time_limit : int;  (** seconds of virtual time *)
  jobs : int;
}

type totals = {
  scenario : Scenario.t;
  first : int;
  last : int;
  mutable virtual_ns : int;
  mutable frames : int;
  mutable events : int;
  mutable digest : int;
  mutable seconds : float;
  mutable failures : Weir_sim.Failure.t list;
}
(** What the runs of one scenario were; sums over all seeds, but [digest], which is there for a
    single one. *)

val play : options -> int * int -> Scenario.t -> totals
(** [play o (first, last) s] plays [s] under these seeds, with progress on a terminal. *)

val runs : totals -> int
