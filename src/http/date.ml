let days = [| "Sun"; "Mon"; "Tue"; "Wed"; "Thu"; "Fri"; "Sat" |]

let months =
  [| "Jan"; "Feb"; "Mar"; "Apr"; "May"; "Jun"; "Jul"; "Aug"; "Sep"; "Oct"; "Nov"; "Dec" |]

(* The proleptic Gregorian calendar in eras of 400 years that begin on March 1,
   so that the leap day is the last of its year. *)
let days_of_date ~year ~month ~day =
  let y = if month <= 2 then year - 1 else year in
  let era = (if y >= 0 then y else y - 399) / 400 in
  let of_era = y - (era * 400) in
  let of_year = (((153 * ((month + 9) mod 12)) + 2) / 5) + day - 1 in
  (era * 146_097) + (of_era * 365) + (of_era / 4) - (of_era / 100) + of_year - 719_468

let date_of_days days =
  let z = days + 719_468 in
  let era = (if z >= 0 then z else z - 146_096) / 146_097 in
  let of_era = z - (era * 146_097) in
  let year = (of_era - (of_era / 1_460) + (of_era / 36_524) - (of_era / 146_096)) / 365 in
  let of_year = of_era - ((365 * year) + (year / 4) - (year / 100)) in
  let shifted = ((5 * of_year) + 2) / 153 in
  let day = of_year - (((153 * shifted) + 2) / 5) + 1 in
  let month = if shifted < 10 then shifted + 3 else shifted - 9 in
  let year = year + (era * 400) in
  ((if month <= 2 then year + 1 else year), month, day)

let earliest = days_of_date ~year:0 ~month:1 ~day:1 * 86_400
let latest = (days_of_date ~year:10_000 ~month:1 ~day:1 * 86_400) - 1

let split s =
  let s = max earliest (min latest s) in
  let day = if s >= 0 then s / 86_400 else ((s + 1) / 86_400) - 1 in
  (day, s - (day * 86_400))

let to_string s =
  let day_number, second = split s in
  let year, month, day = date_of_days day_number in
  let weekday = days.((((day_number + 4) mod 7) + 7) mod 7) in
  Printf.sprintf "%s, %02d %s %04d %02d:%02d:%02d GMT" weekday day
    months.(month - 1)
    year (second / 3_600)
    (second / 60 mod 60)
    (second mod 60)

let to_log s =
  let day_number, second = split s in
  let year, month, day = date_of_days day_number in
  Printf.sprintf "%02d/%s/%04d:%02d:%02d:%02d +0000" day
    months.(month - 1)
    year (second / 3_600)
    (second / 60 mod 60)
    (second mod 60)

let month_of name =
  let rec find i = if i = 12 then 0 else if months.(i) = name then i + 1 else find (i + 1) in
  find 0

(* [field s off len] is the number in these columns, which may begin with one
   blank if [blank]; -1 if they are not a number. *)
let field ?(blank = false) s off len =
  if blank && s.[off] = ' ' then Chars.decimal (String.sub s (off + 1) (len - 1))
  else Chars.decimal (String.sub s off len)

let instant ~year ~month ~day ~clock =
  let hour = field clock 0 2 and minute = field clock 3 2 and second = field clock 6 2 in
  let length = match month with 2 -> 29 | 4 | 6 | 9 | 11 -> 30 | _ -> 31 in
  if
    clock.[2] = ':'
    && clock.[5] = ':'
    && year >= 0 && month > 0 && day > 0 && day <= length && hour >= 0 && hour < 24 && minute >= 0
    && minute < 60 && second >= 0 && second <= 60
  then Some ((((((days_of_date ~year ~month ~day * 24) + hour) * 60) + minute) * 60) + second)
  else None

let suffix s off = String.sub s off (String.length s - off)

let preferred s =
  if
    s.[3] = ','
    && s.[4] = ' '
    && s.[7] = ' '
    && s.[11] = ' '
    && s.[16] = ' '
    && suffix s 25 = " GMT"
  then
    instant ~year:(field s 12 4)
      ~month:(month_of (String.sub s 8 3))
      ~day:(field s 5 2) ~clock:(String.sub s 17 8)
  else None

let asctime s =
  if s.[3] = ' ' && s.[7] = ' ' && s.[10] = ' ' && s.[19] = ' ' then
    instant ~year:(field s 20 4)
      ~month:(month_of (String.sub s 4 3))
      ~day:(field ~blank:true s 8 2) ~clock:(String.sub s 11 8)
  else None

(* The day's name has any length; what follows it has 24 bytes. *)
let rfc850 s =
  let s = suffix s (String.length s - 24) in
  if
    s.[0] = ',' && s.[1] = ' ' && s.[4] = '-' && s.[8] = '-' && s.[11] = ' ' && suffix s 20 = " GMT"
  then
    let two = field s 9 2 in
    let year = if two < 0 then -1 else if two < 70 then 2_000 + two else 1_900 + two in
    instant ~year ~month:(month_of (String.sub s 5 3)) ~day:(field s 2 2) ~clock:(String.sub s 12 8)
  else None

let of_string s =
  match String.length s with
  | 29 when s.[3] = ',' -> preferred s
  | 24 -> asctime s
  | n when n >= 30 && n <= 33 -> rfc850 s
  | _ -> None

let cached now =
  let second = ref min_int and text = ref "" in
  fun () ->
    let s = int_of_float (now ()) in
    if s <> !second then (
      text := to_string s;
      second := s);
    !text
