open Weir_link
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
  time_limit : int;
  jobs : int;
}

(* The results of one scenario's runs. *)
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

(* The fewest digits that parse to the same number. *)
let pp_float f x =
  let short = Printf.sprintf "%.15g" x in
  Fmt.string f (if float_of_string short = x then short else Printf.sprintf "%.17g" x)

(* The command that repeats a failure. *)
let replay o (s : Scenario.t) seed =
  let { Scenario.impairment; loss; delay_ns } = o.settings in
  let given name pp = function None -> "" | Some v -> Fmt.str " --%s %a" name pp v in
  String.concat ""
    [
      Printf.sprintf "weir sim %s --seed %d" s.name seed;
      given "impair" Impairment.pp impairment;
      given "loss" pp_float loss;
      given "delay" (fun f ns -> pp_float f (float_of_int ns /. 1e6)) delay_ns;
      (if o.shuffle then " --shuffle" else "");
      (if o.offload then " --offload" else "");
      (if o.time_limit <> 3_600 then Printf.sprintf " --time-limit %d" o.time_limit else "");
    ]

let progress name =
  if not (Unix.isatty Unix.stderr) then fun ~seed:_ _ -> ()
  else
    let finished = ref 0 and failed = ref 0 and told = ref 0. in
    fun ~seed:_ found ->
      incr finished;
      if found <> None then incr failed;
      let now = Unix.gettimeofday () in
      if now -. !told > 0.1 then (
        told := now;
        Printf.eprintf "\r\027[K%s: %d done, %d failed%!" name !finished !failed)

let clear_progress () = if Unix.isatty Unix.stderr then Printf.eprintf "\r\027[K%!"

let one o t seed =
  let trace = if o.trace then Some print_endline else None in
  match
    Weir_sim.run ~seed ~time_limit:(`S o.time_limit) ~shuffle:o.shuffle ~offload:o.offload ?trace
      ~trace_absolute:o.absolute ?pcap:o.pcap ~replay:(replay o t.scenario) (fun world ->
        Fun.protect ~finally:(fun () ->
            t.virtual_ns <- Weir_sim.now world;
            t.frames <- Weir_sim.frames world;
            t.events <- Weir_sim.events world;
            t.digest <- Weir_sim.digest world)
        @@ fun () -> t.scenario.play o.settings world)
  with
  | () -> ()
  | exception Weir_sim.Failed f -> t.failures <- [ f ]
  | exception Sys_error e -> Fail.usage "%s" e

(* All domains stop for each minor collection: with the default of 256k words two
   domains are slower than one. *)
let minor_words = 4 * 1024 * 1024

let many o t =
  if o.jobs > 1 then Gc.set { (Gc.get ()) with minor_heap_size = minor_words };
  let lock = Mutex.create () in
  t.failures <-
    Weir_sim.sweep ~jobs:o.jobs ~on_done:(progress t.scenario.name) ~time_limit:(`S o.time_limit)
      ~shuffle:o.shuffle ~offload:o.offload ~replay:(replay o t.scenario) ~seeds:(t.first, t.last)
      (fun world ->
        Fun.protect ~finally:(fun () ->
            Mutex.protect lock @@ fun () ->
            t.virtual_ns <- t.virtual_ns + Weir_sim.now world;
            t.frames <- t.frames + Weir_sim.frames world;
            t.events <- t.events + Weir_sim.events world)
        @@ fun () -> t.scenario.play o.settings world);
  clear_progress ()

let play o (first, last) scenario =
  let t =
    {
      scenario;
      first;
      last;
      virtual_ns = 0;
      frames = 0;
      events = 0;
      digest = 0;
      seconds = 0.;
      failures = [];
    }
  in
  let began = Unix.gettimeofday () in
  if first = last then one o t first else many o t;
  t.seconds <- Unix.gettimeofday () -. began;
  t

let runs t = t.last - t.first + 1
