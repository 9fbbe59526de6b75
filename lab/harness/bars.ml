type value = Sample.interval = { value : float; low : float; high : float }
type series = { label : string; published_of : string option; values : value option list }

type t = {
  title : string;
  unit_ : string;
  log : bool;
  show : float -> string;
  groups : string list;
  series : series list;
}

let exactly = Sample.exactly
let wide, right, thick, gap, between = (520., 90., 17., 3., 16.)

(* A bar to draw: the group and the series that it belongs to, by index. *)
type bar = { group : int; of_ : int; v : value }

let bars t =
  let drawn v = Float.is_finite v.value && if t.log then v.value > 0. else v.value >= 0. in
  let of_group group =
    List.concat
      (List.mapi
         (fun of_ s ->
           match List.nth_opt s.values group with
           | Some (Some v) when drawn v ->
               let known = Float.is_finite v.low && Float.is_finite v.high in
               [ { group; of_; v = (if known then v else exactly v.value) } ]
           | _ -> [])
         t.series)
  in
  List.mapi (fun i _ -> of_group i) t.groups |> List.filter (( <> ) [])

(* A logarithmic axis begins a little below the least value, so that its bar is visible. *)
let axis t all =
  let values = List.concat_map (List.map (fun b -> b.v)) all in
  let most = List.fold_left (fun m v -> Float.max m (Float.max v.value v.high)) 0. values in
  if t.log && values <> [] then
    let least = List.fold_left (fun m v -> Float.min m v.value) most values in
    Axis.logarithmic (least /. 1.5) most
  else Axis.linear most

(* Letters of 12 px are about 7 px wide. *)
let text_width s = 7. *. float (String.length s)

type frame = { left : float; top : float; high : float; axis : Axis.t }

let at f v = f.left +. (wide *. Float.max 0. (Float.min 1. (f.axis.place v)))

(* A hatched area has a frame and stripes of its colour. Each figure of a page defines the patterns
   that it uses; patterns with one name are equal. *)
let hatch i = Printf.sprintf "hatch%d" i

let patterns b colours series =
  Printf.bprintf b "<defs>";
  List.iteri
    (fun i s ->
      if s.published_of <> None then
        Printf.bprintf b
          "<pattern id='%s' width='6' height='6' patternUnits='userSpaceOnUse' \
           patternTransform='rotate(45)'><rect width='2.5' height='6' fill='%s'/></pattern>"
          (hatch colours.(i))
          (Axis.colour colours.(i)))
    series;
  Printf.bprintf b "</defs>\n"

let area b ~x ~y ~w ~h ~published i =
  let colour = Axis.colour i in
  if published then
    Printf.bprintf b
      "<rect x='%.1f' y='%.1f' width='%.1f' height='%.1f' fill='url(#%s)' stroke='%s'/>" x y w h
      (hatch i) colour
  else
    Printf.bprintf b "<rect x='%.1f' y='%.1f' width='%.1f' height='%.1f' fill='%s'/>" x y w h colour

let text ?(anchor = "start") b x y s =
  Printf.bprintf b "<text x='%.1f' y='%.1f' text-anchor='%s'>%s</text>\n" x y anchor (Axis.escape s)

(* Draws the legend in rows as wide as the figure, and returns their height. *)
let legend b f ~whole colours series =
  let place (x, y) i s =
    let x, y =
      if x > f.left && x +. 28. +. text_width s.label > whole then (f.left, y +. 18.) else (x, y)
    in
    area b ~x ~y:(y -. 10.) ~w:20. ~h:12. ~published:(s.published_of <> None) colours.(i);
    text b (x +. 26.) y s.label;
    (x +. 46. +. text_width s.label, y)
  in
  let _, (_, y) = List.fold_left (fun (i, p) s -> (i + 1, place p i s)) (0, (f.left, 42.)) series in
  y

let grid b f t =
  List.iter
    (fun v ->
      let x = at f v in
      Printf.bprintf b
        "<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' stroke='currentColor' stroke-opacity='.15'/>"
        x f.top x (f.top +. f.high);
      text ~anchor:"middle" b x (f.top +. f.high +. 16.) (Axis.number v))
    f.axis.ticks;
  text ~anchor:"middle" b (f.left +. (wide /. 2.)) (f.top +. f.high +. 36.) t.unit_

let draw b f t series colours y bar =
  let s = List.nth series bar.of_ in
  let stop = at f bar.v.value in
  area b ~x:f.left ~y
    ~w:(Float.max 1. (stop -. f.left))
    ~h:thick ~published:(s.published_of <> None) colours.(bar.of_);
  let middle = y +. (thick /. 2.) in
  let low, high = (at f bar.v.low, at f bar.v.high) in
  if high -. low > 1. then
    Printf.bprintf b
      "<path d='M%.1f %.1fH%.1fM%.1f %.1fv8M%.1f %.1fv8' stroke='currentColor' fill='none'/>" low
      middle high low (middle -. 4.) high (middle -. 4.);
  text b (Float.max stop high +. 6.) (middle +. 4.) (t.show bar.v.value)

let draw_group b f t series colours y group =
  let high = (float (List.length group) *. (thick +. gap)) -. gap in
  let name = List.nth t.groups (List.hd group).group in
  text ~anchor:"end" b (f.left -. 8.) (y +. (high /. 2.) +. 4.) name;
  List.iteri (fun i bar -> draw b f t series colours (y +. (float i *. (thick +. gap))) bar) group;
  y +. high +. between

let svg t =
  let all = bars t in
  let has i = List.exists (List.exists (fun bar -> bar.of_ = i)) all in
  let colours = Axis.series_colours (List.map (fun s -> (s.label, s.published_of)) t.series) in
  let longest = List.fold_left (fun m g -> Float.max m (text_width g)) 40. t.groups in
  let left = longest +. 16. in
  let whole = left +. wide +. right in
  let body = Buffer.create 4096 and head = Buffer.create 4096 in
  let shown = List.filteri (fun i _ -> has i) t.series in
  let shown_colours = Array.of_list (List.filteri (fun i _ -> has i) (Array.to_list colours)) in
  let bare = { left; top = 0.; high = 0.; axis = axis t all } in
  let top = legend head bare ~whole shown_colours shown +. 16. in
  let count = List.fold_left (fun n g -> n + List.length g) 0 all in
  let groups = List.length all in
  let high =
    (float count *. (thick +. gap)) +. (float groups *. (between -. gap)) |> Float.max between
  in
  let f = { bare with top; high } in
  grid body f t;
  ignore
    (List.fold_left (draw_group body f t t.series colours) (top +. (between /. 2.)) all : float);
  let b = Buffer.create 8192 in
  Printf.bprintf b
    "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %.0f %.0f' width='%.0f' \
     font-family='sans-serif' font-size='12' fill='currentColor'>\n"
    whole
    (top +. high +. 46.)
    whole;
  patterns b shown_colours shown;
  Printf.bprintf b "<text x='%.1f' y='18' font-weight='bold' font-size='14'>%s</text>\n" left
    (Axis.escape t.title);
  Buffer.add_buffer b head;
  Buffer.add_buffer b body;
  Buffer.add_string b "</svg>\n";
  Buffer.contents b
