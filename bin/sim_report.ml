open Weir_base
open Weir_scenarios
open Sim_runs

let row t =
  let n = t.runs in
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

let print_list () =
  Table.print
    [ ("scenario", Table.Left); ("what happens", Left) ]
    (List.map (fun (s : Scenario.t) -> [ s.name; s.about ]) Scenarios.all)
