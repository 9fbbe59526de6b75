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

let exponent points = (line (Array.of_list (List.map (fun (x, y) -> (log x, log y)) points))).slope
