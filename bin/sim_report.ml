open Weir_base
open Weir_scenarios
open Sim_runs

let row t =
  let n = runs t in
  [
    t.scenario.name;
    string_of_int n;
    string_of_int (List.length t.failures);
    Printf.sprintf "%.0f s" (Time.to_float_s t.virtual_ns);
    Printf.sprintf "%.2f s" t.seconds;
    Printf.sprintf "%.0f" (float_of_int n /. t.seconds);
    string_of_int t.frames;
  ]

let table all =
  Table.print
    [
      ("scenario", Table.Left);
      ("seeds", Right);
      ("failed", Right);
      ("virtual time", Right);
      ("time", Right);
      ("seeds/s", Right);
      ("frames", Right);
    ]
    (List.map row all)

let print_single t =
  Printf.printf "%s, seed %d: %s after %.9f s of virtual time; %d frames, digest %016x\n%!"
    t.scenario.name t.first
    (if t.failures = [] then "all checks held" else "failed")
    (Time.to_float_s t.virtual_ns) t.frames (t.digest land max_int)

let print_failures all =
  List.iter (fun t -> List.iter (Fmt.pr "%a@." Weir_sim.Failure.pp) t.failures) all

let json_failure (f : Weir_sim.Failure.t) : Yojson.Safe.t =
  let strings l = `List (List.map (fun s -> `String s) l) in
  `Assoc
    [
      ("seed", `Int f.seed);
      ("at_ns", `Int f.at);
      ("events", `Int f.events);
      ("error", `String (Fmt.str "%a" Weir_sim.Failure.pp_cause f.cause));
      ("waiting", strings f.waiting);
      ("connections", strings f.connections);
      ("replay", `String f.replay);
    ]

let json all : Yojson.Safe.t =
  let one t =
    `Assoc
      [
        ("scenario", `String t.scenario.name);
        ("first_seed", `Int t.first);
        ("last_seed", `Int t.last);
        ("failed", `Int (List.length t.failures));
        ("virtual_ns", `Int t.virtual_ns);
        ("seconds", `Float t.seconds);
        ("frames", `Int t.frames);
        ("events", `Int t.events);
        ( "digest",
          if t.first = t.last then `String (Printf.sprintf "%016x" (t.digest land max_int))
          else `Null );
        ("failures", `List (List.map json_failure t.failures));
      ]
  in
  `Assoc [ ("scenarios", `List (List.map one all)) ]

let print_list () =
  Table.print
    [ ("scenario", Table.Left); ("what happens", Left) ]
    (List.map (fun (s : Scenario.t) -> [ s.name; s.about ]) Scenarios.all)
