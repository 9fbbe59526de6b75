type t = { median : float; low : float; high : float; n : int }

let rec choose n k = if k = 0 then 1. else choose n (k - 1) *. float (n - k + 1) /. float k

(* How many values may be left out at each end: the median is outside the rest with the probability
   that at most that many of n fair coins show one side. *)
let left_out n =
  let rec go k below =
    let below = below +. (choose n k /. (2. ** float n)) in
    if 2. *. below > 0.05 then k else go (k + 1) below
  in
  max 0 (go 0 0. - 1)

let of_list = function
  | [] -> invalid_arg "Summary.of_list: no values"
  | xs ->
      let a = Array.of_list (List.sort Float.compare xs) in
      let n = Array.length a in
      let median = (a.((n - 1) / 2) +. a.(n / 2)) /. 2. in
      let k = left_out n in
      { median; low = a.(k); high = a.(n - 1 - k); n }
