let keep v = ignore (Sys.opaque_identity v)

type took = { cpu_ns : int; wall_ns : int }

(* Words are [nan] if unknown. *)
type point = {
  runs : int;
  cpu : int;
  wall_ns : int;
  minor_w : float;
  promoted_w : float;
  major_w : float;
}

(* [Gc.counters] instead of [Gc.quick_stat], whose minor words change only at minor collections. It
   allocates a little itself, but equally for all batch sizes, so the slope is not affected. *)
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

let name (s : subject) = s.name
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

(* The size of a batch that takes [ns], found by doubling. The batch must take that long three
   times, because a run of microseconds may take milliseconds once. *)
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

(* -- a round ------------------------------------------------------------- *)

type reading = {
  time : float;
  minor : float;
  major : float;
  promoted : float;
  runs : int;
  cpu_ns : int;
  wall_ns : int;
  largest : int;
}

let passes = 3

(* With four sizes, one disturbed batch does not change the slope. A run as long as a batch is
   measured alone, because the fixed cost of a batch is then negligible. *)
let sizes largest =
  if largest < 4 then [| largest |] else Array.init 4 (fun i -> largest lsr (3 - i))

(* A run that takes longer than its time allows is measured twice. *)
let passes_of largest = if largest = 1 then 2 else passes
let share = 1.9 *. float passes

(* Words are counted exactly, so all batches are used. Collections are rare, so all of them are
   needed. *)
let words f points =
  let points = Array.of_list (List.map (fun (p : point) -> (float p.runs, f p)) points) in
  if Array.exists (fun (_, y) -> Float.is_nan y) points then nan
  else if Array.for_all (fun (x, _) -> x = fst points.(0)) points then
    Array.fold_left (fun sum (x, y) -> sum +. (y /. x)) 0. points /. float (Array.length points)
  else (Fit.line points).slope

(* Other work of the machine can only add to the time of a batch, so the least time of all passes is
   the best estimate. *)
let time (s : subject) passes =
  let ns (p : point) = float (if s.wall then p.wall_ns else p.cpu) in
  let least =
    Fit.least
      (Array.of_list (List.map (Array.map (fun (p : point) -> (float p.runs, ns p))) passes))
  in
  match least with [| (runs, ns) |] -> ns /. runs | points -> Fit.steady_slope points

let conclude s largest passes =
  let points = List.concat_map Array.to_list passes in
  let total f = List.fold_left (fun n (p : point) -> n + f p) 0 points in
  {
    time = time s passes;
    minor = words (fun (p : point) -> p.minor_w) points;
    major = words (fun p -> p.major_w) points;
    promoted = words (fun p -> p.promoted_w) points;
    runs = total (fun p -> p.runs);
    cpu_ns = total (fun p -> p.cpu);
    wall_ns = total (fun p -> p.wall_ns);
    largest;
  }

type state = {
  subject : subject;
  mutable taken : (int * point array list, string) result;
  mutable sizes : int array;
}

let attempt state f =
  match state.taken with
  | Error _ -> ()
  | Ok (largest, before) -> (
      match f largest before with
      | now -> state.taken <- Ok now
      | exception Failure why -> state.taken <- Error why)

let round ?(vary = Fun.id) ~seconds ~largest subjects =
  let ns = int_of_float (seconds /. share *. 1e9) in
  let states = List.map (fun subject -> { subject; taken = Ok (0, []); sizes = [||] }) subjects in
  let prepare state =
    attempt state @@ fun _ _ ->
    let largest =
      match largest state.subject.name with Some n -> n | None -> calibrate state.subject ns
    in
    state.sizes <- sizes (if largest < 4 then largest else max 4 (vary largest));
    (largest, [])
  in
  List.iter prepare states;
  for pass = 1 to passes do
    List.iter
      (fun state ->
        attempt state @@ fun largest before ->
        if pass > passes_of largest then (largest, before)
        else begin
          Gc.full_major ();
          (largest, Array.map state.subject.batch state.sizes :: before)
        end)
      states
  done;
  List.map
    (fun { subject; taken; _ } ->
      (subject.name, Result.map (fun (largest, ps) -> conclude subject largest ps) taken))
    states

(* -- a run ----------------------------------------------------------------- *)

type t = {
  name : string;
  time : Sample.t;
  minor : Sample.t;
  major : Sample.t;
  promoted : Sample.t;
  n : int;
  stretch : float;
}

let of_readings name readings =
  let total f =
    Array.fold_left (fun n -> Option.fold ~none:n ~some:(fun r -> n + f r)) 0 readings
  in
  let sample f = Sample.of_rounds (Array.map (Option.fold ~none:nan ~some:f) readings) in
  {
    name;
    time = sample (fun (r : reading) -> r.time);
    minor = sample (fun r -> r.minor);
    major = sample (fun r -> r.major);
    promoted = sample (fun r -> r.promoted);
    n = total (fun r -> r.runs);
    stretch = float (total (fun r -> r.wall_ns)) /. float (max 1 (total (fun r -> r.cpu_ns)));
  }

let settle ts =
  List.map2 (fun t time -> { t with time }) ts (Sample.settle (List.map (fun t -> t.time) ts))

let time t = (Sample.interval t.time).value

let width t =
  let { Sample.value; low; high } = Sample.interval t.time in
  (high -. low) /. Float.max 1e-9 (Float.abs value)

let named = 8

let warnings ts =
  let wide =
    List.filter (fun (_, w) -> w > 0.2) (List.map (fun (name, t) -> (name, width t)) ts)
    |> List.stable_sort (fun (_, a) (_, b) -> Float.compare b a)
  in
  let stretch = Fit.median (Array.of_list (1. :: List.map (fun (_, t) -> t.stretch) ts)) in
  List.filteri (fun i _ -> i < named) wide
  |> List.map (fun (name, w) ->
      Printf.sprintf "%s: the 95%% interval of its time is %.0f%% wide" name (100. *. w))
  |> fun l ->
  l
  @ (if List.length wide <= named then []
     else
       [
         Printf.sprintf "%d of %d times have 95%% intervals more than 20%% wide" (List.length wide)
           (List.length ts);
       ])
  @
  if stretch <= 1.2 then []
  else
    [
      Printf.sprintf
        "The machine was busy: the wall clock ran %.1f times as long as the processor (median)"
        stretch;
    ]
