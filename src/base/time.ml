type t = int

let never = max_int
let us n = n * 1_000
let ms n = n * 1_000_000
let s n = n * 1_000_000_000
let of_float_s x = int_of_float (x *. 1e9)
let to_float_s t = float_of_int t /. 1e9

let pp f t =
  if t = never then Format.pp_print_string f "never"
  else if t < 0 then Format.fprintf f "-%d.%09d" (-t / 1_000_000_000) (-t mod 1_000_000_000)
  else Format.fprintf f "%d.%09d" (t / 1_000_000_000) (t mod 1_000_000_000)
