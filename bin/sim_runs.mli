(** Plays scenarios with seeds. *)

open Weir_scenarios

type options = {
  names : string list;
  seed : int option;
  seeds : (int * int) option;
  shard : (int * int) option;
  settings : Scenario.settings;
  pcap : string option;
  trace : bool;
  absolute : bool;
  json : bool;
  list : bool;
  shuffle : bool;
  offload : bool;
  congestion : Weir_core.Congestion.algorithm option;
  time_limit : int;  (** seconds of virtual time *)
  jobs : int;
}

type totals = {
  scenario : Scenario.t;
  first : int;
  last : int;
  mutable runs : int;  (** how many of these seeds were played *)
  mutable virtual_ns : int;
  mutable frames : int;
  mutable events : int;
  mutable digest : int;
      (** of a single seed, its world's; else a sum over the seeds, in which their order does not
          matter *)
  mutable seconds : float;
  mutable failures : Weir_sim.Failure.t list;  (** in order of seed *)
}
(** The results of one scenario's runs, summed over all seeds. *)

type sweep = {
  version : string;  (** of the program that played them *)
  settings : string;  (** the arguments that change what happens in a run *)
  seeds : int * int;
  shard : int * int;  (** [(1, 1)] is the whole *)
  interrupted : bool;  (** not all of them were played *)
  all : totals list;
}

val play : options -> int * int -> Scenario.t list -> sweep
(** [play o (first, last) scenarios] plays them with these seeds and shows the progress on a
    terminal. After SIGINT or SIGTERM it begins no other run, and ends when those in progress have;
    a second signal ends the program. *)

val single : sweep -> totals option
(** [single s] is the only run, if [s] is of one. *)
