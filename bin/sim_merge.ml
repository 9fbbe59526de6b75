open Sim_runs

let names s = List.map (fun t -> t.scenario.Weir_scenarios.Scenario.name) s.all

(* What must be the same in all shards. *)
let check_same (file, s) (other_file, o) =
  let differ what a b =
    if a <> b then Fail.usage "%s and %s are not of one sweep: %s" file other_file (what a b)
  in
  let range (a, b) = Printf.sprintf "%d-%d" a b in
  let two name pp a b = Printf.sprintf "%s %s and %s" name (pp a) (pp b) in
  let quoted s = Printf.sprintf "%S" s in
  differ (two "seeds" range) s.seeds o.seeds;
  differ (two "number of shards" string_of_int) (snd s.shard) (snd o.shard);
  differ (two "scenarios" (String.concat " ")) (names s) (names o);
  differ (two "settings" quoted) s.settings o.settings;
  differ (two "versions" quoted) s.version o.version

let check_complete (file, s) =
  let i, n = s.shard in
  let wanted = Weir_sim.shard_runs s.shard ~seeds:s.seeds in
  let check t =
    if s.interrupted || t.runs <> wanted then
      Fail.usage "%s: shard %d/%d was interrupted: it has %d of %d runs of %s" file i n t.runs
        wanted t.scenario.Weir_scenarios.Scenario.name
  in
  List.iter check s.all

let check_all_there shards =
  let n = match shards with (_, s) :: _ -> snd s.shard | [] -> 0 in
  let of_ i = List.filter_map (fun (f, s) -> if fst s.shard = i then Some f else None) shards in
  let missing = ref [] in
  for i = n downto 1 do
    match of_ i with
    | [] -> missing := string_of_int i :: !missing
    | [ _ ] -> ()
    | a :: b :: _ -> Fail.usage "%s and %s are both shard %d/%d" a b i n
  done;
  match !missing with
  | [] -> ()
  | [ i ] -> Fail.usage "shard %s/%d is missing" i n
  | all -> Fail.usage "of %d shards these are missing: %s" n (String.concat ", " all)

let add a b =
  let by_seed (x : Weir_sim.Failure.t) (y : Weir_sim.Failure.t) = Int.compare x.seed y.seed in
  {
    a with
    runs = a.runs + b.runs;
    virtual_ns = a.virtual_ns + b.virtual_ns;
    frames = a.frames + b.frames;
    events = a.events + b.events;
    digest = a.digest + b.digest;
    seconds = a.seconds +. b.seconds;
    failures = List.merge by_seed a.failures b.failures;
  }

let merge files =
  let shards = List.map (fun file -> (file, Sim_json.read file)) files in
  match shards with
  | [] -> Fail.usage "merge: name the files that weir sim --shard I/N --json has written"
  | first :: rest ->
      List.iter (check_same first) rest;
      check_all_there shards;
      List.iter check_complete shards;
      let all = List.fold_left (fun all (_, s) -> List.map2 add all s.all) (snd first).all rest in
      { (snd first) with shard = (1, 1); all }
