let escape s =
  let b = Buffer.create (String.length s) in
  String.iter
    (function
      | '<' -> Buffer.add_string b "&lt;"
      | '>' -> Buffer.add_string b "&gt;"
      | '&' -> Buffer.add_string b "&amp;"
      | '"' -> Buffer.add_string b "&quot;"
      | c -> Buffer.add_char b c)
    s;
  Buffer.contents b

(* Colours that also differ in lightness. *)
let colours =
  [|
    "#0b62a4";
    "#d1495b";
    "#2e933c";
    "#edae49";
    "#66478f";
    "#00798c";
    "#8d5524";
    "#444444";
    "#c2185b";
  |]

let colour i =
  let i = i mod Array.length colours in
  Printf.sprintf "var(--c%d,%s)" i colours.(i)

let series_colours series =
  let measured = List.filter (fun (_, published_of) -> published_of = None) series in
  let of_series i (label, published_of) =
    let label = Option.value published_of ~default:label in
    match List.find_index (fun (m, _) -> m = label) measured with
    | Some c -> c
    | None -> List.length measured + i
  in
  Array.of_list (List.mapi of_series series)

(* 1, 2 or 5 times a power of ten, for about five steps. *)
let nice_step range =
  let raw = range /. 5. in
  let power = 10. ** Float.floor (log10 raw) in
  let f = raw /. power in
  power *. if f <= 1. then 1. else if f <= 2. then 2. else if f <= 5. then 5. else 10.

type t = { place : float -> float; ticks : float list }

let linear upper =
  let upper = if upper > 0. then upper else 1. in
  let step = nice_step upper in
  let n = int_of_float (Float.ceil (upper /. step)) in
  let upper = step *. float n in
  { place = (fun v -> v /. upper); ticks = List.init (n + 1) (fun i -> step *. float i) }

let logarithmic lower upper =
  let lo = Float.floor (log10 lower) and hi = Float.ceil (log10 upper) in
  let hi = if hi = lo then lo +. 1. else hi in
  {
    place = (fun v -> (log10 v -. lo) /. (hi -. lo));
    ticks = List.init (int_of_float (hi -. lo) + 1) (fun i -> 10. ** (lo +. float i));
  }

let number v =
  let of_ unit_ letter = Printf.sprintf "%.6g%s" (v /. unit_) letter in
  if v >= 1e9 then of_ 1e9 "G"
  else if v >= 1e6 then of_ 1e6 "M"
  else if v >= 1e4 then of_ 1e3 "k"
  else of_ 1. ""
