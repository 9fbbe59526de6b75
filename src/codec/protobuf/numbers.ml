(* By way of printf: fewest digits first. *)
let printed precisions reads_back x =
  let rec go = function
    | [] -> Printf.sprintf "%.17g" x
    | n :: rest ->
        let s = Printf.sprintf "%.*g" n x in
        if reads_back s then s else go rest
  in
  go precisions

let powers = Array.init 23 (fun i -> float_of_string (Printf.sprintf "1e%d" i))

(* The whole number next to [a] times 10^[k], if that over 10^[k] is nearer to
   [a] than [half], half the way to the next float; else -1. The power is exact
   and what rounding takes from the product is added again, so that the
   distance is known to far more places than the margin takes. *)
let scaled a half k =
  let power = powers.(k) in
  let product = a *. power in
  let lost = Float.fma a power (-.product) in
  let whole = int_of_float product in
  let rest = product -. float_of_int whole +. lost in
  let up = Float.round rest in
  if Float.abs (rest -. up) < half *. power *. 0.999999 then whole + int_of_float up else -1

(* [n] over 10^[k]. *)
let rec decimal n k =
  if k > 0 && n mod 10 = 0 then decimal (n / 10) (k - 1)
  else
    let s = string_of_int n in
    let places = String.length s - k in
    if k = 0 then s
    else if places > 0 then String.sub s 0 places ^ "." ^ String.sub s places k
    else "0." ^ String.make (-places) '0' ^ s

(* The shortest decimal of [a], between 10^-6 and 10^15, with [first] to [last]
   digits behind its leading zeros; [""] if there is none that is sure. *)
let shortest a half first last =
  let exponent = int_of_float (Float.floor (Float.log10 a)) in
  let rec go digits =
    let k = digits - 1 - exponent in
    if digits > last || k > 22 then ""
    else
      let n = if k < 0 then -1 else scaled a half k in
      if n >= 0 then decimal n k else go (digits + 1)
  in
  go first

(* Readers that take "-0" for a whole number lose its sign. *)
let whole x = if x = 0. && 1. /. x < 0. then "-0.0" else string_of_int (int_of_float x)

let show x ~half ~digits:(first, last) ~printed =
  let a = Float.abs x in
  if Float.is_integer x && a < 1e15 then whole x
  else
    let s = if a >= 1e-6 && a < 1e15 then shortest a half first last else "" in
    if String.length s = 0 then printed () else if x < 0. then "-" ^ s else s

let double x =
  let a = Float.abs x in
  let bits = Int64.bits_of_float a in
  let gap = Int64.float_of_bits (Int64.succ bits) -. a in
  (* The way down from a power of two is half as long. *)
  let power_of_two = Int64.equal (Int64.logand bits 0xfffffffffffffL) 0L in
  show x
    ~half:(if power_of_two then gap /. 4. else gap /. 2.)
    ~digits:(15, 17)
    ~printed:(fun () -> printed [ 15; 16 ] (fun s -> Float.equal (float_of_string s) x) x)

let float x =
  let bits = Int32.bits_of_float x in
  let up = Int32.logand bits 0x7fffffffl in
  let gap = Int32.float_of_bits (Int32.succ up) -. Int32.float_of_bits up in
  let power_of_two = Int32.equal (Int32.logand bits 0x7fffffl) 0l in
  show x
    ~half:(if power_of_two then gap /. 4. else gap /. 2.)
    ~digits:(6, 9)
    ~printed:(fun () ->
      let reads_back s = Int32.equal (Int32.bits_of_float (float_of_string s)) bits in
      printed [ 6; 7; 8; 9 ] reads_back x)

let single x =
  if Float.is_finite x && not (Float.is_finite (Int32.float_of_bits (Int32.bits_of_float x))) then
    None
  else Some (Int32.float_of_bits (Int32.bits_of_float x))

(* [digits] times ten to [exponent], without fraction: its digits. *)
let whole_digits s =
  let n = String.length s in
  let mantissa_end =
    match String.index_opt s 'e' with
    | Some i -> i
    | None -> Option.value (String.index_opt s 'E') ~default:n
  in
  let exponent =
    if mantissa_end = n then Some 0
    else
      let e = String.sub s (mantissa_end + 1) (n - mantissa_end - 1) in
      let e = if e <> "" && e.[0] = '+' then String.sub e 1 (String.length e - 1) else e in
      int_of_string_opt e
  in
  let mantissa = String.sub s 0 mantissa_end in
  let before, after =
    match String.index_opt mantissa '.' with
    | Some i -> (String.sub mantissa 0 i, String.sub mantissa (i + 1) (mantissa_end - i - 1))
    | None -> (mantissa, "")
  in
  match exponent with
  | None -> None
  | Some e when e > 400 || e < -400 -> None
  | Some e ->
      let places = String.length after in
      let digits = before ^ after in
      if e >= places then Some (digits ^ String.make (e - places) '0')
      else
        let cut = String.length digits - (places - e) in
        let zeros from =
          String.for_all (fun c -> c = '0') (String.sub digits from (String.length digits - from))
        in
        if cut <= 0 then if zeros 0 then Some "0" else None
        else if zeros cut then Some (String.sub digits 0 cut)
        else None

let split_sign s =
  if s <> "" && s.[0] = '-' then (true, String.sub s 1 (String.length s - 1)) else (false, s)

let rec drop_zeros s =
  if String.length s > 1 && s.[0] = '0' then drop_zeros (String.sub s 1 (String.length s - 1))
  else s

let unsigned s =
  let negative, s = split_sign s in
  match Option.map drop_zeros (whole_digits s) with
  | Some "0" -> Some 0L
  | Some d when not negative -> Int64.of_string_opt ("0u" ^ d)
  | Some _ | None -> None

let integer s =
  let negative, s = split_sign s in
  match Option.map drop_zeros (whole_digits s) with
  | Some d -> Int64.of_string_opt (if negative then "-" ^ d else d)
  | None -> None

let joined high low digits =
  let scale = if digits <= 18 then 1L else if digits = 19 then 10L else 100L in
  Int64.add (Int64.mul (Int64.of_int high) scale) (Int64.of_int low)

let in_64_bits high low digits =
  digits < 20 || high < 184_467_440_737_095_516 || (high = 184_467_440_737_095_516 && low <= 15)
