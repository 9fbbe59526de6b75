(** Plays scenarios with seeds. *)

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
(** The results of one scenario's runs, summed over all seeds; [digest] is only set for a single
    seed. *)

val play : options -> int * int -> Scenario.t -> totals
(** [play o (first, last) s] plays [s] with these seeds and shows the progress on a terminal. *)

val runs : totals -> int
