type series = { label : string; published_of : string option; points : (float * float) list }
type t = { title : string; x : string; y : string; log_y : bool; series : series list }

let left, top, wide, high, legend = (70., 34., 520., 280., 210.)

let axes t =
  let points = List.concat_map (fun s -> s.points) t.series in
  let most f = List.fold_left (fun m p -> Float.max m (f p)) 0. points in
  let x = Axis.linear (most fst) in
  let positive = List.filter (fun (_, y) -> y > 0.) points in
  match positive with
  | (_, first) :: _ when t.log_y ->
      let least = List.fold_left (fun m (_, y) -> Float.min m y) first positive in
      (x, Axis.logarithmic least (most snd))
  | _ -> (x, Axis.linear (most snd))

let sx x v = left +. (wide *. x.Axis.place v)
let sy y v = top +. (high *. (1. -. y.Axis.place v))

let grid b x y =
  let line =
    Printf.bprintf b
      "<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' stroke='currentColor' stroke-opacity='.15'/>"
  in
  let text anchor px py v =
    Printf.bprintf b "<text x='%.1f' y='%.1f' text-anchor='%s'>%s</text>\n" px py anchor
      (Axis.number v)
  in
  List.iter
    (fun v ->
      line (sx x v) top (sx x v) (top +. high);
      text "middle" (sx x v) (top +. high +. 16.) v)
    x.Axis.ticks;
  List.iter
    (fun v ->
      line left (sy y v) (left +. wide) (sy y v);
      text "end" (left -. 6.) (sy y v +. 4.) v)
    y.Axis.ticks

let draw b x y colours i s =
  let colour = Axis.colour colours.(i) in
  let dashed = s.published_of <> None in
  let dash = if dashed then " stroke-dasharray='6 4'" else "" in
  let at = List.map (fun (px, py) -> (sx x px, sy y py)) s.points in
  let path = String.concat " " (List.map (fun (px, py) -> Printf.sprintf "%.1f,%.1f" px py) at) in
  Printf.bprintf b "<polyline points='%s' fill='none' stroke='%s' stroke-width='2'%s/>" path colour
    dash;
  if not dashed then
    List.iter
      (fun (px, py) ->
        Printf.bprintf b "<circle cx='%.1f' cy='%.1f' r='3' fill='%s'/>" px py colour)
      at;
  let ly = top +. 10. +. (18. *. float i) and lx = left +. wide +. 16. in
  Printf.bprintf b "<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' stroke='%s' stroke-width='2'%s/>"
    lx ly (lx +. 24.) ly colour dash;
  Printf.bprintf b "<text x='%.1f' y='%.1f'>%s</text>\n" (lx +. 30.) (ly +. 4.)
    (Axis.escape s.label)

let svg t =
  let shown s =
    if t.log_y then { s with points = List.filter (fun (_, y) -> y > 0.) s.points } else s
  in
  let t = { t with series = List.map shown t.series } in
  let x, y = axes t in
  let b = Buffer.create 4096 in
  Printf.bprintf b
    "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %.0f %.0f' width='%.0f' \
     font-family='sans-serif' font-size='12' fill='currentColor'>\n"
    (left +. wide +. legend)
    (Float.max (top +. high +. 50.) (top +. 20. +. (18. *. float (List.length t.series))))
    (left +. wide +. legend);
  Printf.bprintf b "<text x='%.1f' y='18' font-weight='bold' font-size='14'>%s</text>\n" left
    (Axis.escape t.title);
  grid b x y;
  let colours = Axis.series_colours (List.map (fun s -> (s.label, s.published_of)) t.series) in
  List.iteri (draw b x y colours) t.series;
  Printf.bprintf b "<text x='%.1f' y='%.1f' text-anchor='middle'>%s</text>\n"
    (left +. (wide /. 2.))
    (top +. high +. 38.)
    (Axis.escape t.x);
  Printf.bprintf b
    "<text transform='translate(14 %.1f) rotate(-90)' text-anchor='middle'>%s</text>\n</svg>\n"
    (top +. (high /. 2.))
    (Axis.escape t.y);
  Buffer.contents b
