let min_seconds = -62135596800L
let max_seconds = 253402300799L
let max_duration = 315576000000L

(* Days since 1970-01-01 and back, in the proleptic Gregorian calendar, by eras
   of 400 years that begin on March 1st. *)
let days_of_date y m d =
  let y = if m <= 2 then y - 1 else y in
  let era = (if y >= 0 then y else y - 399) / 400 in
  let year = y - (era * 400) in
  let day = (((153 * ((m + 9) mod 12)) + 2) / 5) + d - 1 in
  (era * 146097) + (year * 365) + (year / 4) - (year / 100) + day - 719468

let date_of_days days =
  let z = days + 719468 in
  let era = (if z >= 0 then z else z - 146096) / 146097 in
  let doe = z - (era * 146097) in
  let year = (doe - (doe / 1460) + (doe / 36524) - (doe / 146096)) / 365 in
  let day = doe - ((365 * year) + (year / 4) - (year / 100)) in
  let month = ((5 * day) + 2) / 153 in
  let d = day - (((153 * month) + 2) / 5) + 1 in
  let m = if month < 10 then month + 3 else month - 9 in
  ((year + (era * 400) + if m <= 2 then 1 else 0), m, d)

let fraction nanos =
  if nanos = 0 then ""
  else if nanos mod 1_000_000 = 0 then Printf.sprintf ".%03d" (nanos / 1_000_000)
  else if nanos mod 1_000 = 0 then Printf.sprintf ".%06d" (nanos / 1_000)
  else Printf.sprintf ".%09d" nanos

let in_range seconds =
  Int64.compare seconds min_seconds >= 0 && Int64.compare seconds max_seconds <= 0

let timestamp ~seconds ~nanos =
  if (not (in_range seconds)) || nanos < 0 || nanos > 999_999_999 then None
  else
    let s = Int64.to_int seconds in
    let days = if s >= 0 then s / 86400 else -((86399 - s) / 86400) in
    let rest = s - (days * 86400) in
    let y, m, d = date_of_days days in
    Some
      (Printf.sprintf "%04d-%02d-%02dT%02d:%02d:%02d%sZ" y m d (rest / 3600)
         (rest / 60 mod 60)
         (rest mod 60) (fraction nanos))

let digits s from n =
  if from + n > String.length s then None
  else
    let rec go i acc =
      if i = n then Some acc
      else
        match s.[from + i] with
        | '0' .. '9' as c -> go (i + 1) ((acc * 10) + Char.code c - 48)
        | _ -> None
    in
    go 0 0

(* Up to nine digits behind a point at [i], as nanoseconds, and where they end. *)
let read_fraction s i =
  if i >= String.length s || s.[i] <> '.' then Some (0, i)
  else
    let rec stop j =
      if j < String.length s && s.[j] >= '0' && s.[j] <= '9' then stop (j + 1) else j
    in
    let j = stop (i + 1) in
    let n = j - i - 1 in
    if n = 0 || n > 9 then None
    else
      let scale = int_of_float (10. ** float_of_int (9 - n)) in
      Option.map (fun v -> (v * scale, j)) (digits s (i + 1) n)

let read_offset s i =
  let n = String.length s in
  if i = n - 1 && s.[i] = 'Z' then Some 0
  else if i = n - 6 && (s.[i] = '+' || s.[i] = '-') && s.[i + 3] = ':' then
    match (digits s (i + 1) 2, digits s (i + 4) 2) with
    | Some h, Some m when h <= 24 && m < 60 ->
        let seconds = (h * 3600) + (m * 60) in
        Some (if s.[i] = '-' then -seconds else seconds)
    | _ -> None
  else None

let month_length y m =
  match m with
  | 2 -> if y mod 4 = 0 && (y mod 100 <> 0 || y mod 400 = 0) then 29 else 28
  | 4 | 6 | 9 | 11 -> 30
  | _ -> 31

let read_timestamp s =
  let ( let* ) = Option.bind in
  let n = String.length s in
  let at i c = i < n && s.[i] = c in
  if not (at 4 '-' && at 7 '-' && at 10 'T' && at 13 ':' && at 16 ':') then None
  else
    let* y = digits s 0 4 in
    let* m = digits s 5 2 in
    let* d = digits s 8 2 in
    let* hour = digits s 11 2 in
    let* minute = digits s 14 2 in
    let* second = digits s 17 2 in
    let* nanos, i = read_fraction s 19 in
    let* offset = read_offset s i in
    if y < 1 || m < 1 || m > 12 || d < 1 || d > month_length y m then None
    else if hour > 23 || minute > 59 || second > 59 then None
    else
      let days = days_of_date y m d in
      let seconds = (days * 86400) + (hour * 3600) + (minute * 60) + second - offset in
      let seconds = Int64.of_int seconds in
      if in_range seconds then Some (seconds, nanos) else None

(* Not by [Int64.abs], which leaves the least number negative. *)
let duration_in_range seconds =
  Int64.compare seconds max_duration <= 0 && Int64.compare seconds (Int64.neg max_duration) >= 0

let duration ~seconds ~nanos =
  let opposed =
    (Int64.compare seconds 0L > 0 && nanos < 0) || (Int64.compare seconds 0L < 0 && nanos > 0)
  in
  if (not (duration_in_range seconds)) || abs nanos > 999_999_999 || opposed then None
  else
    let negative = Int64.compare seconds 0L < 0 || nanos < 0 in
    Some
      (Printf.sprintf "%s%Ld%ss"
         (if negative then "-" else "")
         (Int64.abs seconds)
         (fraction (abs nanos)))

let read_duration s =
  let ( let* ) = Option.bind in
  let n = String.length s in
  let negative = n > 0 && s.[0] = '-' in
  let from = if negative then 1 else 0 in
  let rec stop j = if j < n && s.[j] >= '0' && s.[j] <= '9' then stop (j + 1) else j in
  let j = stop from in
  if j = from || j - from > 12 then None
  else
    let* seconds = digits s from (j - from) in
    let* nanos, k = read_fraction s j in
    if k <> n - 1 || s.[k] <> 's' then None
    else
      let seconds = Int64.of_int seconds in
      if not (duration_in_range seconds) then None
      else Some (if negative then (Int64.neg seconds, -nanos) else (seconds, nanos))

let is_small c = c >= 'a' && c <= 'z'
let is_capital c = c >= 'A' && c <= 'Z'

let read_mask_path s =
  if String.contains s '_' then None
  else
    let b = Buffer.create (String.length s + 4) in
    String.iter
      (fun c ->
        if is_capital c then Buffer.add_char b '_';
        Buffer.add_char b (Char.lowercase_ascii c))
      s;
    Some (Buffer.contents b)

let mask_path s =
  let b = Buffer.create (String.length s) in
  let n = String.length s in
  let rec go i =
    if i >= n then true
    else if s.[i] = '_' then
      i + 1 < n
      && is_small s.[i + 1]
      &&
      (Buffer.add_char b (Char.uppercase_ascii s.[i + 1]);
       go (i + 2))
    else if is_capital s.[i] then false
    else (
      Buffer.add_char b s.[i];
      go (i + 1))
  in
  if go 0 then Some (Buffer.contents b) else None
