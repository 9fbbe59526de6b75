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

let double x = shortest [ 15; 16 ] (fun s -> Float.equal (float_of_string s) x) x

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
