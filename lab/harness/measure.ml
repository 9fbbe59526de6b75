let keep v = ignore (Sys.opaque_identity v)

type estimate = { per_run : float; low : float; high : float; r2 : float }

type t = {
  name : string;
  time : estimate;
  minor : estimate;
  major : estimate;
  promoted : estimate;
  n : int;
  stretch : float;
}

type took = { cpu_ns : int; wall_ns : int }
type quota = { rounds : int; seconds : float }

let quick = { rounds = 3; seconds = 0.03 }
let full = { rounds = 8; seconds = 0.6 }

(* Words are [nan] where they are not known. *)
type point = {
  runs : int;
  cpu : int;
  wall_ns : int;
  minor_w : float;
  promoted_w : float;
  major_w : float;
}

(* [Gc.counters] and not [Gc.quick_stat]: the latter's minor words stand still
   between minor collections. It allocates a little itself, the same for all
   batch sizes, so that the slope does not see it. *)
let run_batch name batch runs =
  let result = ref None in
  let timed f =
    Gc.minor ();
    let minor0, promoted0, major0 = Gc.counters () in
    let cpu0 = Clock.cpu_ns () in
    let wall0 = Clock.wall_ns () in
    f ();
    let wall1 = Clock.wall_ns () in
    let cpu1 = Clock.cpu_ns () in
    let minor1, promoted1, major1 = Gc.counters () in
    result :=
      Some
        {
          runs;
          cpu = cpu1 - cpu0;
          wall_ns = wall1 - wall0;
          minor_w = minor1 -. minor0;
          promoted_w = promoted1 -. promoted0;
          major_w = major1 -. major0;
        }
  in
  batch ~timed runs;
  match !result with Some p -> p | None -> failwith ("Measure: " ^ name ^ " ran nothing")

type subject = { name : string; wall : bool; batch : int -> point }

let batches ?(wall = false) name batch = { name; wall; batch = run_batch name batch }

let subject ?wall name f =
  batches ?wall name (fun ~timed n ->
      timed (fun () ->
          for _ = 1 to n do
            (Sys.opaque_identity f) ()
          done))

let elsewhere name f =
  let batch runs =
    let { cpu_ns = cpu; wall_ns } = f runs in
    { runs; cpu; wall_ns; minor_w = nan; promoted_w = nan; major_w = nan }
  in
  { name; wall = false; batch }

(* The batch that takes [ns], found by doubling. Long enough is what is so three
   times: a single run of microseconds may well take milliseconds once. *)
let calibrate s ns =
  let took runs =
    let p = s.batch runs in
    max 1 (max p.cpu p.wall_ns)
  in
  let rec least runs tries best =
    if tries = 0 || best < ns / 4 then best else least runs (tries - 1) (min best (took runs))
  in
  let rec go runs =
    let took = least runs 2 (took runs) in
    if took >= ns / 4 || runs > 100_000_000 then
      max 1 (int_of_float (float runs *. float ns /. float took))
    else go (runs * 2)
  in
  go 1

let growth = 1.6

(* From the largest batch down by [growth]: at most 12 sizes, and enough of them for
   a line even if one run fills the quota. *)
let sizes largest =
  let largest = max 3 largest in
  let rec go acc k x =
    if k = 0 || x < 1. then acc else go (int_of_float x :: acc) (k - 1) (x /. growth)
  in
  Array.of_list (List.sort_uniq compare (1 :: go [] 12 (float largest)))

let xy f points = Array.map (fun p -> (float p.runs, f p)) points

(* Words are counted, so every batch tells the truth: all of them are averaged,
   as collections come rarely. Time is only measured, and what else the machine
   does adds to it and never takes away: the least of the rounds is nearest. Of
   four runs on a loaded machine, ratios differed by 20 to 50% with the rounds'
   median, by 3 to 5% with their least. *)
let words f rounds =
  let points = xy f (Array.concat (Array.to_list rounds)) in
  if Array.exists (fun (_, y) -> Float.is_nan y) points then
    { per_run = nan; low = nan; high = nan; r2 = nan }
  else
    let line = Fit.line points in
    let low, high = Fit.interval points in
    { per_run = line.slope; low; high; r2 = line.r2 }

let time f rounds =
  let rounds = Array.map (xy f) rounds in
  let points = Fit.least rounds in
  let low, high = Fit.least_interval rounds in
  { per_run = Fit.steady_slope points; low; high; r2 = (Fit.line points).r2 }

let total f = Array.fold_left (fun n round -> Array.fold_left (fun n p -> n + f p) n round) 0

let conclude (s : subject) rounds =
  let rounds = Array.of_list rounds in
  {
    name = s.name;
    time = time (fun p -> float (if s.wall then p.wall_ns else p.cpu)) rounds;
    minor = words (fun p -> p.minor_w) rounds;
    major = words (fun p -> p.major_w) rounds;
    promoted = words (fun p -> p.promoted_w) rounds;
    n = total (fun p -> p.runs) rounds;
    stretch =
      float (total (fun p -> p.wall_ns) rounds) /. float (max 1 (total (fun p -> p.cpu) rounds));
  }

let all ?(progress = ignore) quota subjects =
  (* a round's batches take about 1 / (1 - 1 / growth) of its largest *)
  let share = quota.seconds /. float quota.rounds *. (1. -. (1. /. growth)) in
  let ns = int_of_float (share *. 1e9) in
  let prepared =
    List.map
      (fun (s : subject) ->
        progress s.name;
        (s, sizes (calibrate s ns), ref []))
      subjects
  in
  for round = 1 to quota.rounds do
    progress (Printf.sprintf "round %d of %d" round quota.rounds);
    List.iter
      (fun (s, sizes, rounds) ->
        Gc.full_major ();
        rounds := Array.map s.batch sizes :: !rounds)
      prepared
  done;
  List.map (fun (s, _, rounds) -> conclude s !rounds) prepared

let stretched : t list -> string list = function
  | ([] | [ _ ] | [ _; _ ] | [ _; _; _ ]) as few ->
      List.map
        (fun (t : t) ->
          Printf.sprintf "%s: the wall clock ran %.1f times as long as the processor" t.name
            t.stretch)
        few
  | many ->
      let all = Fit.median (Array.of_list (List.map (fun (t : t) -> t.stretch) many)) in
      [
        Printf.sprintf "of %d results the wall clock ran %.1f times as long as the processor"
          (List.length many) all;
      ]

let warnings ts =
  List.concat_map
    (fun t ->
      let wide = (t.time.high -. t.time.low) /. Float.max 1e-9 (Float.abs t.time.per_run) in
      let check cond text = if cond then [ t.name ^ ": " ^ text ] else [] in
      check (t.time.r2 < 0.98) (Printf.sprintf "R² of time is %.3f" t.time.r2)
      @ check (wide > 0.2) (Printf.sprintf "the 95%% interval is %.0f%% wide" (100. *. wide)))
    ts
  @ stretched (List.filter (fun t -> t.stretch > 1.2) ts)
