module Time = Weir_base.Time

type loss =
  | Steady of float
  | Bursts of { enter : float; leave : float; good : float; bad : float }

type t = {
  loss : loss;
  duplicate : float;
  corrupt : float;
  truncate : float;
  reorder : float;
  reorder_ns : Time.t;
  delay_ns : Time.t;
  jitter_ns : Time.t;
  rate_bps : int;
  queue_bytes : int;
  held_frames : int;
}

let unlimited = max_int

let none =
  {
    loss = Steady 0.;
    duplicate = 0.;
    corrupt = 0.;
    truncate = 0.;
    reorder = 0.;
    reorder_ns = 0;
    delay_ns = 0;
    jitter_ns = 0;
    rate_bps = unlimited;
    queue_bytes = 262_144;
    held_frames = 65_536;
  }

(* With this bound, sums of times and products of bytes and nanoseconds fit into an [int]. *)
let longest = Time.s 1_000_000

let check t =
  let probability name p = if p >= 0. && p <= 1. then [] else [ name ^ " is not from 0 to 1" ] in
  let time name n =
    if n < 0 then [ name ^ " is negative" ]
    else if n > longest then [ name ^ " is above 1,000,000 s" ]
    else []
  in
  let positive name n = if n >= 1 then [] else [ name ^ " is below 1" ] in
  let loss =
    match t.loss with
    | Steady p -> probability "loss" p
    | Bursts { enter; leave; good; bad } ->
        probability "enter" enter @ probability "leave" leave @ probability "good" good
        @ probability "bad" bad
  in
  match
    loss
    @ probability "duplicate" t.duplicate
    @ probability "corrupt" t.corrupt @ probability "truncate" t.truncate
    @ probability "reorder" t.reorder
    @ time "reorder's time" (abs t.reorder_ns)
    @ time "delay" t.delay_ns @ time "jitter" t.jitter_ns @ positive "rate" t.rate_bps
    @ positive "queue" t.queue_bytes @ positive "held" t.held_frames
  with
  | [] -> Ok ()
  | reason :: _ -> Error reason

(* Prints in the largest unit that gives a whole number. *)
let rec pp_unit units f n =
  match units with
  | (name, size) :: rest when rest <> [] && (n = 0 || n mod size <> 0) ->
      ignore name;
      pp_unit rest f n
  | (name, size) :: _ -> Fmt.pf f "%d%s" (n / size) name
  | [] -> Fmt.int f n

let times = [ ("s", Time.s 1); ("ms", Time.ms 1); ("us", Time.us 1); ("ns", 1) ]
let rates = [ ("gbit", 1_000_000_000); ("mbit", 1_000_000); ("kbit", 1_000); ("bit", 1) ]
let sizes = [ ("MB", 1_000_000); ("kB", 1_000); ("B", 1) ]
let pp_time = pp_unit times

(* Prints the fewest digits that parse to the same number. *)
let pp_float f x =
  let short = Printf.sprintf "%.15g" x in
  Fmt.string f (if float_of_string short = x then short else Printf.sprintf "%.17g" x)

let parts t =
  let part name pp get =
    if get t = get none then [] else [ (fun f -> Fmt.pf f "%s=%a" name pp (get t)) ]
  in
  let loss =
    match t.loss with
    | Steady _ -> part "loss" pp_float (fun t -> match t.loss with Steady p -> p | Bursts _ -> 0.)
    | Bursts { enter; leave; good; bad } ->
        [
          (fun f ->
            Fmt.pf f "bursts=%a:%a:%a:%a" pp_float enter pp_float leave pp_float good pp_float bad);
        ]
  in
  let pp_reorder f (p, n) = Fmt.pf f "%a:%a" pp_float p pp_time n in
  List.concat
    [
      loss;
      part "duplicate" pp_float (fun t -> t.duplicate);
      part "corrupt" pp_float (fun t -> t.corrupt);
      part "truncate" pp_float (fun t -> t.truncate);
      part "reorder" pp_reorder (fun t -> (t.reorder, t.reorder_ns));
      part "delay" pp_time (fun t -> t.delay_ns);
      part "jitter" pp_time (fun t -> t.jitter_ns);
      part "rate" (pp_unit rates) (fun t -> t.rate_bps);
      part "queue" (pp_unit sizes) (fun t -> t.queue_bytes);
      part "held" Fmt.int (fun t -> t.held_frames);
    ]

let pp f t =
  match parts t with
  | [] -> Fmt.string f "none"
  | parts -> Fmt.list ~sep:(Fmt.any ",") (fun f part -> part f) f parts

exception Unreadable of string

let unreadable fmt = Printf.ksprintf (fun s -> raise_notrace (Unreadable s)) fmt

let read_probability name s =
  let scaled, digits =
    match String.ends_with ~suffix:"%" s with
    | true -> (100., String.sub s 0 (String.length s - 1))
    | false -> (1., s)
  in
  match float_of_string_opt digits with
  | Some p -> p /. scaled
  | None -> unreadable "%s=%s: not a probability such as 2%% or 0.02" name s

let read_int name s =
  match int_of_string_opt s with
  | Some n -> n
  | None -> unreadable "%s=%s: not a whole number" name s

(* The last of [units] has the factor 1. Fractions such as 1.5ms are rounded. *)
let read_unit units name s =
  let is_digit c = (c >= '0' && c <= '9') || c = '.' || c = '-' in
  let rec digits i = if i < String.length s && is_digit s.[i] then digits (i + 1) else i in
  let n = digits 0 in
  let unit = String.sub s n (String.length s - n) and number = String.sub s 0 n in
  match (List.assoc_opt unit units, int_of_string_opt number, float_of_string_opt number) with
  | Some size, Some whole, _ when abs whole <= max_int / size -> whole * size
  | Some size, None, Some x when Float.abs x <= 1e15 /. float_of_int size ->
      Float.to_int (Float.round (x *. float_of_int size))
  | Some _, _, _ -> unreadable "%s=%s: not a number" name s
  | None, _, _ ->
      unreadable "%s=%s: the unit is one of %s" name s (String.concat ", " (List.map fst units))

let read_bursts s =
  let p = read_probability "bursts" in
  match String.split_on_char ':' s with
  | [ enter; leave ] -> Bursts { enter = p enter; leave = p leave; good = 0.; bad = 1. }
  | [ enter; leave; good; bad ] ->
      Bursts { enter = p enter; leave = p leave; good = p good; bad = p bad }
  | _ -> unreadable "bursts=%s: not ENTER:LEAVE or ENTER:LEAVE:GOOD:BAD" s

let read_reorder t s =
  match String.split_on_char ':' s with
  | [ p; time ] ->
      { t with reorder = read_probability "reorder" p; reorder_ns = read_unit times "reorder" time }
  | _ -> unreadable "reorder=%s: not PROBABILITY:TIME" s

let read_part t part =
  let name, s =
    match String.index_opt part '=' with
    | Some i -> (String.sub part 0 i, String.sub part (i + 1) (String.length part - i - 1))
    | None -> unreadable "%s: not NAME=VALUE" part
  in
  match name with
  | "loss" -> { t with loss = Steady (read_probability name s) }
  | "bursts" -> { t with loss = read_bursts s }
  | "duplicate" -> { t with duplicate = read_probability name s }
  | "corrupt" -> { t with corrupt = read_probability name s }
  | "truncate" -> { t with truncate = read_probability name s }
  | "reorder" -> read_reorder t s
  | "delay" -> { t with delay_ns = read_unit times name s }
  | "jitter" -> { t with jitter_ns = read_unit times name s }
  | "rate" -> { t with rate_bps = read_unit rates name s }
  | "queue" -> { t with queue_bytes = read_unit sizes name s }
  | "held" -> { t with held_frames = read_int name s }
  | _ -> unreadable "%s: no such impairment" name

let of_string s =
  let s = String.trim s in
  if s = "" || s = "none" then Ok none
  else
    match List.fold_left read_part none (List.map String.trim (String.split_on_char ',' s)) with
    | t -> Result.map (fun () -> t) (check t)
    | exception Unreadable reason -> Error reason
