type line = { slope : float; intercept : float; r2 : float }

let line points =
  let n = float (Array.length points) in
  let sum f = Array.fold_left (fun acc p -> acc +. f p) 0. points in
  let mx = sum fst /. n and my = sum snd /. n in
  let sxx = sum (fun (x, _) -> (x -. mx) ** 2.) in
  let sxy = sum (fun (x, y) -> (x -. mx) *. (y -. my)) in
  let syy = sum (fun (_, y) -> (y -. my) ** 2.) in
  if sxx = 0. then { slope = 0.; intercept = (if n = 0. then 0. else my); r2 = 1. }
  else
    let slope = sxy /. sxx in
    let r2 = if syy = 0. then 1. else sxy *. sxy /. (sxx *. syy) in
    { slope; intercept = my -. (slope *. mx); r2 }

let median values =
  let v = Array.copy values in
  Array.sort compare v;
  let n = Array.length v in
  (v.((n - 1) / 2) +. v.(n / 2)) /. 2.

(* The weighted Theil-Sen estimator: the median of the slopes of all pairs, weighted by their
   distance, because near points say little about the slope. *)
let steady_slope points =
  let pairs = ref [] in
  Array.iteri
    (fun i (x1, y1) ->
      for j = 0 to i - 1 do
        let x0, y0 = points.(j) in
        if x1 <> x0 then pairs := ((y1 -. y0) /. (x1 -. x0), Float.abs (x1 -. x0)) :: !pairs
      done)
    points;
  let sorted = List.sort compare !pairs in
  let half = List.fold_left (fun sum (_, w) -> sum +. w) 0. sorted /. 2. in
  let rec go below = function
    | [] -> 0.
    | [ (slope, _) ] -> slope
    | (slope, w) :: rest -> if below +. w >= half then slope else go (below +. w) rest
  in
  go 0. sorted

let least rounds =
  Array.mapi
    (fun i (x, y) -> (x, Array.fold_left (fun y round -> Float.min y (snd round.(i))) y rounds))
    rounds.(0)

(* Two-sided 95% quantiles of Student's t for 1, 2, … degrees of freedom; beyond the table the
   normal's. *)
let student = [| 12.71; 4.303; 3.182; 2.776; 2.571; 2.447; 2.365; 2.306; 2.262; 2.228 |]
let z95 = 1.96

let t95 free =
  if free < 1 then infinity
  else if free <= Array.length student then student.(free - 1)
  else z95 +. (2.6 /. float free)

let logarithms points = Array.of_list (List.map (fun (x, y) -> (log x, log y)) points)
let exponent points = (line (logarithms points)).slope

let exponent_interval points =
  let points = logarithms points in
  let n = Array.length points in
  let { slope; intercept; _ } = line points in
  if n < 3 then (neg_infinity, infinity)
  else
    let sum f = Array.fold_left (fun acc p -> acc +. f p) 0. points in
    let mx = sum fst /. float n in
    let sxx = sum (fun (x, _) -> (x -. mx) ** 2.) in
    let residues = sum (fun (x, y) -> (y -. intercept -. (slope *. x)) ** 2.) in
    let half = t95 (n - 2) *. sqrt (residues /. float (n - 2) /. sxx) in
    (slope -. half, slope +. half)
