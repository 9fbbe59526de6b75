open Weir_link
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
  time_limit : int;
  jobs : int;
}

type totals = {
  scenario : Scenario.t;
  first : int;
  last : int;
  mutable runs : int;
  mutable virtual_ns : int;
  mutable frames : int;
  mutable events : int;
  mutable digest : int;
  mutable seconds : float;
  mutable failures : Weir_sim.Failure.t list;
}

type sweep = {
  version : string;
  settings : string;
  seeds : int * int;
  shard : int * int;
  interrupted : bool;
  all : totals list;
}

(* The fewest digits that parse to the same number. *)
let pp_float f x =
  let short = Printf.sprintf "%.15g" x in
  Fmt.string f (if float_of_string short = x then short else Printf.sprintf "%.17g" x)

(* What changes a run, as arguments. *)
let settings (o : options) =
  let { Scenario.impairment; loss; delay_ns } = o.settings in
  let given name pp = function None -> "" | Some v -> Fmt.str " --%s %a" name pp v in
  String.concat ""
    [
      given "impair" Impairment.pp impairment;
      given "loss" pp_float loss;
      given "delay" (fun f ns -> pp_float f (float_of_int ns /. 1e6)) delay_ns;
      (if o.shuffle then " --shuffle" else "");
      (if o.offload then " --offload" else "");
      given "congestion" Fmt.string (Option.map Weir_core.Congestion.name o.congestion);
      (if o.time_limit <> 3_600 then Printf.sprintf " --time-limit %d" o.time_limit else "");
    ]

(* The command that repeats a failure. *)
let replay o (s : Scenario.t) seed =
  Printf.sprintf "weir sim %s --seed %d%s" s.name seed (settings o)

let progress name ~of_ =
  if not (Unix.isatty Unix.stderr) then fun ~seed:_ _ -> ()
  else
    let finished = ref 0 and failed = ref 0 and told = ref 0. in
    fun ~seed:_ found ->
      incr finished;
      if found <> None then incr failed;
      let now = Unix.gettimeofday () in
      if now -. !told > 0.1 then (
        told := now;
        Printf.eprintf "\r\027[K%s: %d of %d done, %d failed%!" name !finished of_ !failed)

let clear_progress () = if Unix.isatty Unix.stderr then Printf.eprintf "\r\027[K%!"

(* -- interruption --------------------------------------------------------- *)

(* The first signal ends the sweep in order, the second the program. *)
let interruptible f =
  let asked = Atomic.make false in
  let handle signal =
    let before = ref Sys.Signal_default in
    let handler n =
      Sys.set_signal n !before;
      Atomic.set asked true
    in
    before := Sys.signal signal (Signal_handle handler);
    fun () -> Sys.set_signal signal !before
  in
  let undo = List.map handle [ Sys.sigint; Sys.sigterm ] in
  Fun.protect
    ~finally:(fun () -> List.iter (fun undo -> undo ()) undo)
    (fun () -> f ~stop:(fun () -> Atomic.get asked))

(* -- runs ----------------------------------------------------------------- *)

let one (o : options) t seed =
  let trace = if o.trace then Some print_endline else None in
  t.runs <- 1;
  match
    Weir_sim.run ~seed ~time_limit:(`S o.time_limit) ~shuffle:o.shuffle ~offload:o.offload
      ?congestion:o.congestion ?trace ~trace_absolute:o.absolute ?pcap:o.pcap
      ~replay:(replay o t.scenario) (fun world ->
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

(* Odd, so that each seed's share can be told apart. *)
let share ~seed digest = digest lxor (seed * 0x1e3779b97f4a7c15) * 0x100000001b3

let add t world =
  t.virtual_ns <- t.virtual_ns + Weir_sim.now world;
  t.frames <- t.frames + Weir_sim.frames world;
  t.events <- t.events + Weir_sim.events world;
  t.digest <- t.digest + share ~seed:(Weir_sim.seed world) (Weir_sim.digest world)

let many (o : options) t ~shard ~stop =
  if o.jobs > 1 then Gc.set { (Gc.get ()) with minor_heap_size = minor_words };
  let lock = Mutex.create () in
  let show = progress t.scenario.name ~of_:(Weir_sim.shard_runs shard ~seeds:(t.first, t.last)) in
  let on_done ~seed found =
    t.runs <- t.runs + 1;
    show ~seed found
  in
  t.failures <-
    Weir_sim.sweep ~jobs:o.jobs ~shard ~stop ~on_done ~time_limit:(`S o.time_limit)
      ~shuffle:o.shuffle ~offload:o.offload ?congestion:o.congestion ~replay:(replay o t.scenario)
      ~seeds:(t.first, t.last) (fun world ->
        Fun.protect ~finally:(fun () -> Mutex.protect lock (fun () -> add t world)) @@ fun () ->
        t.scenario.play o.settings world);
  clear_progress ()

let scenario o (first, last) ~shard ~stop scenario =
  let t =
    {
      scenario;
      first;
      last;
      runs = 0;
      virtual_ns = 0;
      frames = 0;
      events = 0;
      digest = 0;
      seconds = 0.;
      failures = [];
    }
  in
  let began = Unix.gettimeofday () in
  if first < last then many o t ~shard ~stop
  else if Weir_sim.shard_runs shard ~seeds:(first, last) = 1 then one o t first;
  t.seconds <- Unix.gettimeofday () -. began;
  t

let play (o : options) ((first, last) as seeds) scenarios =
  let shard = Option.value o.shard ~default:(1, 1) in
  let all =
    if first = last then List.map (scenario o seeds ~shard ~stop:(fun () -> false)) scenarios
    else interruptible (fun ~stop -> List.map (scenario o seeds ~shard ~stop) scenarios)
  in
  let wanted = Weir_sim.shard_runs shard ~seeds in
  {
    version = Weir_arguments.version;
    settings = String.trim (settings o);
    seeds;
    shard;
    interrupted = List.exists (fun t -> t.runs < wanted) all;
    all;
  }

let single s =
  match (s.seeds, s.all) with
  | (first, last), [ ({ runs = 1; _ } as t) ] when first = last -> Some t
  | _ -> None
