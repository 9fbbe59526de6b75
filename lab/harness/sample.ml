type t = { values : float array; common : float; drift : float }
type interval = { value : float; low : float; high : float }

let of_rounds values = { values; common = 0.; drift = 0. }
let rounds t = t.values
let exactly value = { value; low = value; high = value }
let apart a b = a.low > b.high || b.low > a.high
let known = List.filter Float.is_finite
let sum = List.fold_left ( +. ) 0.
let square x = x *. x

(* How many values are trimmed at each end. *)
let trimmed n = n / 5

let centre values =
  let sorted = Array.of_list (List.sort Float.compare values) in
  let n = Array.length sorted in
  let cut = trimmed n in
  let kept = Array.sub sorted cut (n - (2 * cut)) in
  Array.fold_left ( +. ) 0. kept /. float (Array.length kept)

let variance values =
  let n = float (List.length values) in
  let mean = sum values /. n in
  sum (List.map (fun v -> square (v -. mean)) values) /. (n -. 1.)

(* The variance of [centre values], and its degrees of freedom (Yuen 1974). *)
let centre_variance values =
  let sorted = Array.of_list (List.sort Float.compare values) in
  let n = Array.length sorted in
  let cut = trimmed n in
  let pulled_in i = sorted.(max cut (min (n - 1 - cut) i)) in
  let kept = 1. -. (2. *. float cut /. float n) in
  (variance (List.init n pulled_in) /. (square kept *. float n), n - (2 * cut) - 1)

let interval t =
  match known (Array.to_list t.values) with
  | [] -> { value = nan; low = nan; high = nan }
  | [ value ] -> { value; low = neg_infinity; high = infinity }
  | values ->
      let positive = List.for_all (fun v -> v > 0.) values in
      let logs = if positive then List.map log values else values in
      let mid = centre logs in
      let own, free = centre_variance logs in
      let slow = if positive then t.common +. t.drift else 0. in
      let half = sqrt ((square (Fit.t95 free) *. own) +. (square Fit.z95 *. slow)) in
      let back v = if positive then exp v else v in
      { value = back mid; low = back (mid -. half); high = back (mid +. half) }

(* -- what is common, and what drifts --------------------------------------- *)

let deviations t =
  let logs = Array.map log t.values in
  if Array.length logs < 4 || not (Array.for_all Float.is_finite logs) then None
  else
    let mid = centre (Array.to_list logs) in
    Some (Array.map (fun v -> v -. mid) logs)

let median l = Fit.median (Array.of_list l)

(* The expected square of the halves' difference, less that of independent rounds, is twice the
   variance of a half's drift. The median of a squared normal variable is 0.455 of its variance. *)
let drift_of deviations =
  let halves a =
    let n = Array.length a in
    let first = Array.to_list (Array.sub a 0 (n / 2)) in
    let second = Array.to_list (Array.sub a (n / 2) (n - (n / 2))) in
    let by_chance = fst (centre_variance first) +. fst (centre_variance second) in
    (square (centre first -. centre second), by_chance)
  in
  let seen, by_chance = List.split (List.map halves deviations) in
  Float.max 0. (((median seen /. 0.455) -. median by_chance) /. 2.)

let settle samples =
  match List.filter_map deviations samples with
  | [] -> samples
  | some ->
      let rounds = List.fold_left (fun n a -> max n (Array.length a)) 0 some in
      let whole = List.filter (fun a -> Array.length a = rounds) some in
      let speed = Array.init rounds (fun r -> median (List.map (fun a -> a.(r)) whole)) in
      let common = variance (Array.to_list speed) in
      let drift = drift_of (List.map (Array.mapi (fun r v -> v -. speed.(r))) whole) in
      List.map (fun t -> { t with common; drift }) samples

(* By how many percent [f] changes if its [i]th argument changes by one percent. A drift of the
   argument is multiplied by this. *)
let elasticity f centres i =
  let moved by = f (List.mapi (fun j c -> if i = j then c *. by else c) centres) in
  let e = log (moved 1.01 /. moved 0.99) /. log (1.01 /. 0.99) in
  if Float.is_finite e then e else 0.

let value t = (interval t).value

let relative f samples =
  let length t = Array.length t.values in
  let rounds =
    match samples with
    | [] -> 0
    | first :: rest -> List.fold_left (fun n t -> min n (length t)) (length first) rest
  in
  let centres = List.map value samples in
  let drift i t = square (elasticity f centres i) *. t.drift in
  {
    values = Array.init rounds (fun r -> f (List.map (fun t -> t.values.(r)) samples));
    common = 0.;
    drift = sum (List.mapi drift samples);
  }

let over a b = relative (function [ a; b ] -> a /. b | _ -> nan) [ a; b ]

let text ?digits i =
  let size = Float.abs i.value in
  let usual = if size < 0.1 then 3 else if size < 10. then 2 else 1 in
  let digits = Option.value digits ~default:usual in
  let number = Printf.sprintf "%.*f" digits in
  if i.low = i.high || not (Float.is_finite i.low && Float.is_finite i.high) then number i.value
  else Printf.sprintf "%s (%s to %s)" (number i.value) (number i.low) (number i.high)
