module Time = Weir_base.Time

type event = Set of Run_change.t | Begin of Run_cuts.cut | End of Run_cuts.cut

type t = {
  lanes : (Run_scope.way * Run_lanes.t) list;
  concerns : Run_scope.way -> Run_scope.t -> bool;
  fault : Run_change.t -> unit;
  cuts : Run_cuts.t;
  tables : event Run_timeline.t list;
  mutable start : Time.t;  (** [Time.never] before it *)
  mutable due : Time.t;  (** of the next event of all tables *)
}

(* -- making it ------------------------------------------------------------------ *)

(* A heal ends the cuts of its ways that it names, or all if it names no place. *)
let healed (scope : Run_scope.t) (cut : Run_scope.t) =
  List.for_all (fun way -> List.mem way scope.ways) cut.ways
  && (scope.where = Run_where.everywhere || scope.where = cut.where)

let events cuts changes =
  let mine =
    List.filter_map
      (fun (_, (c : Run_change.t)) -> if c.what = Cut then Some c.scope else None)
      changes
    |> List.sort_uniq Stdlib.compare
    |> List.map (fun scope -> (scope, Run_cuts.add cuts scope))
  in
  let of_change (at, (c : Run_change.t)) =
    match c.what with
    | Cut -> [ (at, Begin (List.assoc c.scope mine)) ]
    | Heal ->
        List.filter_map
          (fun (scope, cut) -> if healed c.scope scope then Some (at, End cut) else None)
          mine
    | Impair _ | Rate _ | Fault _ -> [ (at, Set c) ]
  in
  List.concat_map of_change changes

let tables cuts (plan : Run_plan.t) =
  let span (from, until, (c : Run_change.t)) =
    let cut = Run_cuts.add cuts c.scope in
    [ (from, Begin cut); (until, End cut) ]
  and of_schedule (s : Run_schedule.t) =
    Run_timeline.make ?period:s.period (events cuts s.changes)
  in
  Run_timeline.make (List.map (fun c -> (0, Set c)) plan.changes @ List.concat_map span plan.cuts)
  :: List.map of_schedule plan.schedules

(* A place has the seed of the first that names it. *)
let seed_of (plans : Run_plan.t list) where =
  List.find_opt
    (fun plan ->
      List.exists (fun (c : Run_change.t) -> c.scope.where = where) (Run_plan.changes plan))
    plans
  |> Option.fold ~none:0 ~some:(fun (plan : Run_plan.t) -> plan.seed)

let soonest tables =
  List.fold_left (fun at t -> Int.min at (Run_timeline.next_at t)) Time.never tables

let make ~ways ~concerns ~seed ?(fault = ignore) plans =
  let cuts = Run_cuts.create () in
  let changes = List.concat_map Run_plan.changes plans in
  let lanes way =
    let mine = List.filter (fun (c : Run_change.t) -> concerns way c.scope) changes in
    (way, Run_lanes.create ~seed:(fun where -> seed ~seed:(seed_of plans where) way where) mine)
  in
  let tables = List.concat_map (tables cuts) plans in
  {
    lanes = List.map lanes ways;
    concerns;
    fault;
    cuts;
    tables;
    start = Time.never;
    due = soonest tables;
  }

let lanes t way = List.assoc way t.lanes
let is_scoped t = List.exists (fun (_, l) -> Run_lanes.is_scoped l) t.lanes

let is_cut_somewhere t =
  List.exists
    (fun (scope : Run_scope.t) -> scope.where <> Run_where.everywhere)
    (Run_cuts.scopes t.cuts)

(* -- as time passes -------------------------------------------------------------- *)

let set t ~at (c : Run_change.t) =
  t.fault c;
  List.iter
    (fun (way, lanes) -> if t.concerns way c.scope then Run_lanes.set lanes ~at:(t.start + at) c)
    t.lanes

let happen t ~at = function
  | Set c -> set t ~at c
  | Begin cut -> Run_cuts.begin_ cut ~at
  | End cut -> Run_cuts.end_ t.cuts cut ~at

let since_start t ~now = if t.start = Time.never then -1 else now - t.start

let advance t ~now =
  let now = since_start t ~now in
  if t.due <= now then (
    List.iter (fun table -> Run_timeline.advance table ~now (happen t)) t.tables;
    t.due <- soonest t.tables)

let start t ~now =
  t.start <- now;
  advance t ~now

let is_cut t fits = Run_cuts.is_cut t.cuts fits

let cuts t ~now =
  advance t ~now;
  Run_cuts.past t.cuts ~until:(since_start t ~now)
