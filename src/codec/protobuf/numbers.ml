(* Most numbers that people send are short decimals: try those first. *)
let shortest precisions reads_back x =
  if Float.is_integer x && Float.abs x < 1e15 then
    if x = 0. && 1. /. x < 0. then "-0" else string_of_int (int_of_float x)
  else
    let rec go = function
      | [] -> Printf.sprintf "%.17g" x
      | n :: rest ->
          let s = Printf.sprintf "%.*g" n x in
          if reads_back s then s else go rest
    in
    go precisions

let powers = [| 1.; 10.; 100.; 1e3; 1e4; 1e5; 1e6 |]

(* The fewest places, up to six, with which [x] is a whole number below 2^53
   over a power of ten: then that decimal reads back as [x]. *)
let rec places x k =
  if k > 6 then -1
  else
    let n = Float.round (x *. powers.(k)) in
    if Float.abs n < 9e15 && Float.equal (n /. powers.(k)) x then k else places x (k + 1)

let short x k =
  let n = int_of_float (Float.round (Float.abs x *. powers.(k))) in
  let scale = int_of_float powers.(k) in
  let whole = string_of_int (n / scale) in
  let sign = if x < 0. then 1 else 0 in
  let point = sign + String.length whole in
  let b = Bytes.make (point + 1 + k) '-' in
  Bytes.blit_string whole 0 b sign (String.length whole);
  Bytes.set b point '.';
  let rec fraction i v =
    if i > point then (
      Bytes.set b i (Char.chr (48 + (v mod 10)));
      fraction (i - 1) (v / 10))
  in
  fraction (point + k) (n mod scale);
  Bytes.unsafe_to_string b

let shortest_double x = shortest [ 15; 16 ] (fun s -> Float.equal (float_of_string s) x) x

let double x =
  match if Float.is_integer x then -1 else places x 1 with
  | -1 -> shortest_double x
  | k -> short x k

let float x =
  let bits = Int32.bits_of_float x in
  shortest [ 6; 7; 8; 9 ] (fun s -> Int32.equal (Int32.bits_of_float (float_of_string s)) bits) x

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
