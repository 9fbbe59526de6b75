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

(* -1 if they are none: options would take more memory than the text. *)
let rec more_digits s from n acc =
  if n = 0 then acc
  else
    match s.[from] with
    | '0' .. '9' as c -> more_digits s (from + 1) (n - 1) ((acc * 10) + Char.code c - 48)
    | _ -> -1

let digits s from n = if from + n > String.length s then -1 else more_digits s from n 0

let rec digits_end s j =
  if j < String.length s && s.[j] >= '0' && s.[j] <= '9' then digits_end s (j + 1) else j

(* Where a fraction at [i] ends: up to nine digits behind a point. *)
let fraction_end s i = if i < String.length s && s.[i] = '.' then digits_end s (i + 1) else i

(* As nanoseconds. *)
let read_fraction s i stop =
  let n = stop - i - 1 in
  if stop = i then 0
  else if n = 0 || n > 9 then -1
  else
    let rec scale n v = if n = 9 then v else scale (n + 1) (v * 10) in
    scale n (digits s (i + 1) n)

let no_offset = max_int

let read_offset s i =
  let n = String.length s in
  if i = n - 1 && s.[i] = 'Z' then 0
  else if i = n - 6 && (s.[i] = '+' || s.[i] = '-') && s.[i + 3] = ':' then
    let h = digits s (i + 1) 2 and m = digits s (i + 4) 2 in
    if h < 0 || h > 24 || m < 0 || m >= 60 then no_offset
    else
      let seconds = (h * 3600) + (m * 60) in
      if s.[i] = '-' then -seconds else seconds
  else no_offset

let month_length y m =
  match m with
  | 2 -> if y mod 4 = 0 && (y mod 100 <> 0 || y mod 400 = 0) then 29 else 28
  | 4 | 6 | 9 | 11 -> 30
  | _ -> 31

let is_at s i c = i < String.length s && s.[i] = c

let read_timestamp s =
  if not (is_at s 4 '-' && is_at s 7 '-' && is_at s 10 'T' && is_at s 13 ':' && is_at s 16 ':') then
    None
  else
    let y = digits s 0 4 and m = digits s 5 2 and d = digits s 8 2 in
    let hour = digits s 11 2 and minute = digits s 14 2 and second = digits s 17 2 in
    let stop = fraction_end s 19 in
    let nanos = read_fraction s 19 stop and offset = read_offset s stop in
    if y < 1 || m < 1 || m > 12 || d < 1 || d > month_length y m then None
    else if hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59 then
      None
    else if nanos < 0 || offset = no_offset then None
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
  let n = String.length s in
  let negative = n > 0 && s.[0] = '-' in
  let from = if negative then 1 else 0 in
  let j = digits_end s from in
  if j = from || j - from > 12 then None
  else
    let seconds = Int64.of_int (digits s from (j - from)) in
    let k = fraction_end s j in
    let nanos = read_fraction s j k in
    if nanos < 0 || k <> n - 1 || s.[k] <> 's' || not (duration_in_range seconds) then None
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
