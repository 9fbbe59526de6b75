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

let interval ?(samples = 400) points =
  let n = Array.length points in
  let rng = Random.State.make [| 42 |] in
  let draw _ = (line (Array.init n (fun _ -> points.(Random.State.int rng n)))).slope in
  let slopes = Array.init samples draw in
  Array.sort compare slopes;
  let at q = slopes.(int_of_float (q *. float (samples - 1))) in
  (at 0.025, at 0.975)

(* Two-sided 95% of Student's t by degrees of freedom, from 1; then the normal's. *)
let student = [| 12.71; 4.303; 3.182; 2.776; 2.571; 2.447; 2.365; 2.306; 2.262; 2.228 |]

let t95 free =
  if free <= Array.length student then student.(free - 1) else 1.96 +. (2.6 /. float free)

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
