type series = { label : string; dashed : bool; points : (float * float) list }
type t = { title : string; x : string; y : string; log_y : bool; series : series list }

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

(* Colours that differ in lightness too; the tenth line starts again. *)
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

let left, top, wide, high, legend = (70., 34., 520., 280., 210.)

(* 1, 2 or 5 times a power of ten, for about five steps. *)
let nice_step range =
  let raw = range /. 5. in
  let power = 10. ** Float.floor (log10 raw) in
  let f = raw /. power in
  power *. if f <= 1. then 1. else if f <= 2. then 2. else if f <= 5. then 5. else 10.

type axis = { place : float -> float; ticks : float list }

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

let axes t =
  let points = List.concat_map (fun s -> s.points) t.series in
  let most f = List.fold_left (fun m p -> Float.max m (f p)) 0. points in
  let x = linear (most fst) in
  let positive = List.filter (fun (_, y) -> y > 0.) points in
  match positive with
  | (_, first) :: _ when t.log_y ->
      let least = List.fold_left (fun m (_, y) -> Float.min m y) first positive in
      (x, logarithmic least (most snd))
  | _ -> (x, linear (most snd))

let number v = Printf.sprintf "%g" (Float.of_string (Printf.sprintf "%.6g" v))
let sx x v = left +. (wide *. x.place v)
let sy y v = top +. (high *. (1. -. y.place v))

let grid b x y =
  let line = Printf.bprintf b "<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' stroke='#ddd'/>" in
  let text anchor px py v =
    Printf.bprintf b "<text x='%.1f' y='%.1f' text-anchor='%s'>%s</text>\n" px py anchor (number v)
  in
  List.iter
    (fun v ->
      line (sx x v) top (sx x v) (top +. high);
      text "middle" (sx x v) (top +. high +. 16.) v)
    x.ticks;
  List.iter
    (fun v ->
      line left (sy y v) (left +. wide) (sy y v);
      text "end" (left -. 6.) (sy y v +. 4.) v)
    y.ticks

let draw b x y i s =
  let colour = colours.(i mod Array.length colours) in
  let dash = if s.dashed then " stroke-dasharray='6 4'" else "" in
  let at = List.map (fun (px, py) -> (sx x px, sy y py)) s.points in
  let path = String.concat " " (List.map (fun (px, py) -> Printf.sprintf "%.1f,%.1f" px py) at) in
  Printf.bprintf b "<polyline points='%s' fill='none' stroke='%s' stroke-width='2'%s/>" path colour
    dash;
  if not s.dashed then
    List.iter
      (fun (px, py) ->
        Printf.bprintf b "<circle cx='%.1f' cy='%.1f' r='3' fill='%s'/>" px py colour)
      at;
  let ly = top +. 10. +. (18. *. float i) and lx = left +. wide +. 16. in
  Printf.bprintf b "<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' stroke='%s' stroke-width='2'%s/>"
    lx ly (lx +. 24.) ly colour dash;
  Printf.bprintf b "<text x='%.1f' y='%.1f'>%s</text>\n" (lx +. 30.) (ly +. 4.) (escape s.label)

let svg t =
  let shown s =
    if t.log_y then { s with points = List.filter (fun (_, y) -> y > 0.) s.points } else s
  in
  let t = { t with series = List.map shown t.series } in
  let x, y = axes t in
  let b = Buffer.create 4096 in
  Printf.bprintf b
    "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %.0f %.0f' width='%.0f' \
     font-family='sans-serif' font-size='12'>\n"
    (left +. wide +. legend)
    (Float.max (top +. high +. 50.) (top +. 20. +. (18. *. float (List.length t.series))))
    (left +. wide +. legend);
  Printf.bprintf b "<text x='%.1f' y='18' font-weight='bold' font-size='14'>%s</text>\n" left
    (escape t.title);
  grid b x y;
  List.iteri (draw b x y) t.series;
  Printf.bprintf b "<text x='%.1f' y='%.1f' text-anchor='middle'>%s</text>\n"
    (left +. (wide /. 2.))
    (top +. high +. 38.)
    (escape t.x);
  Printf.bprintf b
    "<text transform='translate(14 %.1f) rotate(-90)' text-anchor='middle'>%s</text>\n</svg>\n"
    (top +. (high /. 2.))
    (escape t.y);
  Buffer.contents b
