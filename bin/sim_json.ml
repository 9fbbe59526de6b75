open Weir_scenarios
open Sim_runs

(* -- writing --------------------------------------------------------------- *)

let strings l : Yojson.Safe.t = `List (List.map (fun s -> `String s) l)
let hexadecimal n : Yojson.Safe.t = `String (Printf.sprintf "%016x" (n land max_int))

let write_failure (f : Weir_sim.Failure.t) : Yojson.Safe.t =
  `Assoc
    [
      ("seed", `Int f.seed);
      ("at_ns", `Int f.at);
      ("events", `Int f.events);
      ("error", `String (Fmt.str "%a" Weir_sim.Failure.pp_cause f.cause));
      ("waiting", strings f.waiting);
      ("connections", strings f.connections);
      ("abandoned", `Bool f.abandoned);
      ("replay", `String f.replay);
    ]

let write_totals t : Yojson.Safe.t =
  `Assoc
    [
      ("scenario", `String t.scenario.name);
      ("first_seed", `Int t.first);
      ("last_seed", `Int t.last);
      ("runs", `Int t.runs);
      ("failed", `Int (List.length t.failures));
      ("virtual_ns", `Int t.virtual_ns);
      ("seconds", `Float t.seconds);
      ("frames", `Int t.frames);
      ("events", `Int t.events);
      ("digest", hexadecimal t.digest);
      ("failures", `List (List.map write_failure t.failures));
    ]

let write s : Yojson.Safe.t =
  let i, n = s.shard in
  `Assoc
    [
      ("version", `String s.version);
      ("settings", `String s.settings);
      ("first_seed", `Int (fst s.seeds));
      ("last_seed", `Int (snd s.seeds));
      ("shard", `Int i);
      ("shards", `Int n);
      ("interrupted", `Bool s.interrupted);
      ("scenarios", `List (List.map write_totals s.all));
    ]

(* -- reading --------------------------------------------------------------- *)

exception Wrong of string

let wrong fmt = Printf.ksprintf (fun s -> raise (Wrong s)) fmt

let field json name =
  match json with
  | `Assoc all -> (
      match List.assoc_opt name all with Some v -> v | None -> wrong "%S is missing" name)
  | _ -> wrong "there is no object with %S" name

let int json name =
  match field json name with `Int n -> n | _ -> wrong "%S is not a whole number" name

let string json name =
  match field json name with `String s -> s | _ -> wrong "%S is not a string" name

let bool json name =
  match field json name with `Bool b -> b | _ -> wrong "%S is not true or false" name

let number json name =
  match field json name with
  | `Float x -> x
  | `Int n -> float_of_int n
  | _ -> wrong "%S is not a number" name

let list json name read =
  match field json name with `List l -> List.map read l | _ -> wrong "%S is not a list" name

let digest json =
  let text = string json "digest" in
  match int_of_string_opt ("0x" ^ text) with
  | Some n when String.length text = 16 -> n
  | _ -> wrong "\"digest\" is not 16 hexadecimal digits"

let texts json name =
  list json name (function `String s -> s | _ -> wrong "%S does not hold strings" name)

(* The exception itself stays where it was raised; its text is what is shown. *)
exception Recorded of string

let () = Printexc.register_printer (function Recorded s -> Some s | _ -> None)

let read_failure json : Weir_sim.Failure.t =
  let error = Recorded (string json "error") in
  {
    seed = int json "seed";
    at = int json "at_ns";
    events = int json "events";
    cause = Raised { host = None; error; backtrace = Printexc.get_callstack 0 };
    waiting = texts json "waiting";
    connections = texts json "connections";
    abandoned = bool json "abandoned";
    replay = string json "replay";
  }

let read_totals json =
  let name = string json "scenario" in
  let scenario =
    match Scenarios.find name with Some s -> s | None -> wrong "%s is not a scenario" name
  in
  {
    scenario;
    first = int json "first_seed";
    last = int json "last_seed";
    runs = int json "runs";
    virtual_ns = int json "virtual_ns";
    frames = int json "frames";
    events = int json "events";
    digest = digest json;
    seconds = number json "seconds";
    failures = list json "failures" read_failure;
  }

let of_json json =
  let seeds = (int json "first_seed", int json "last_seed") in
  let ((i, n) as shard) = (int json "shard", int json "shards") in
  if i < 1 || i > n then wrong "there is no shard %d/%d" i n;
  let all = list json "scenarios" read_totals in
  List.iter
    (fun t ->
      if (t.first, t.last) <> seeds then wrong "%s has other seeds" t.scenario.name;
      if
        List.length t.failures
        <> List.length
             (List.sort_uniq compare (List.map (fun (f : Weir_sim.Failure.t) -> f.seed) t.failures))
      then wrong "%s has a seed twice" t.scenario.name)
    all;
  {
    version = string json "version";
    settings = string json "settings";
    seeds;
    shard;
    interrupted = bool json "interrupted";
    all;
  }

let read file =
  match Yojson.Safe.from_file file with
  | exception Sys_error e -> Fail.usage "%s" e
  | exception Yojson.Json_error e -> Fail.usage "%s: not JSON: %s" file (Fail.one_line e)
  | json -> (
      try of_json json with Wrong e -> Fail.usage "%s: not a sweep of weir sim: %s" file e)
