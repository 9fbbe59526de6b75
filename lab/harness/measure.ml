type subject = { name : string; wall : bool; batch : timed:((unit -> unit) -> unit) -> int -> unit }

let keep v = ignore (Sys.opaque_identity v)
let batches ?(wall = false) name batch = { name; wall; batch }

let subject ?wall name f =
  batches ?wall name (fun ~timed n ->
      timed (fun () ->
          for _ = 1 to n do
            (Sys.opaque_identity f) ()
          done))

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

type quota = { rounds : int; seconds : float }

let quick = { rounds = 3; seconds = 0.03 }
let full = { rounds = 8; seconds = 0.6 }

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
let run_batch s runs =
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
  s.batch ~timed runs;
  match !result with Some p -> p | None -> failwith ("Measure: " ^ s.name ^ " ran nothing")

(* The batch that takes [ns], found by doubling. *)
let calibrate s ns =
  let rec go runs =
    let p = run_batch s runs in
    let took = max 1 (max p.cpu p.wall_ns) in
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
  List.sort_uniq compare (1 :: go [] 12 (float largest))

let estimate points f =
  let xy = Array.map (fun p -> (float p.runs, f p)) points in
  let line = Fit.line xy in
  let low, high = Fit.interval xy in
  { per_run = line.slope; low; high; r2 = line.r2 }

let total f points = Array.fold_left (fun n p -> n + f p) 0 points

let conclude (s : subject) points =
  let points = Array.of_list points in
  let time p = float (if s.wall then p.wall_ns else p.cpu) in
  {
    name = s.name;
    time = estimate points time;
    minor = estimate points (fun p -> p.minor_w);
    major = estimate points (fun p -> p.major_w);
    promoted = estimate points (fun p -> p.promoted_w);
    n = total (fun p -> p.runs) points;
    stretch =
      float (total (fun p -> p.wall_ns) points) /. float (max 1 (total (fun p -> p.cpu) points));
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
      (fun (s, sizes, points) ->
        Gc.full_major ();
        List.iter (fun runs -> points := run_batch s runs :: !points) sizes)
      prepared
  done;
  List.map (fun (s, _, points) -> conclude s !points) prepared

let warnings ts =
  List.concat_map
    (fun t ->
      let wide = (t.time.high -. t.time.low) /. Float.max 1e-9 (Float.abs t.time.per_run) in
      let check cond text = if cond then [ t.name ^ ": " ^ text ] else [] in
      check (t.time.r2 < 0.98) (Printf.sprintf "R² of time is %.3f" t.time.r2)
      @ check (wide > 0.2) (Printf.sprintf "the 95%% interval is %.0f%% wide" (100. *. wide))
      @ check (t.stretch > 1.2)
          (Printf.sprintf "the wall clock ran %.1f times as long as the processor" t.stretch))
    ts
