external get : string -> int -> char = "%string_unsafe_get"
external get64 : string -> int -> int64 = "%caml_string_get64u"

let byte s i = Char.code (get s i)
let tail s i = byte s i land 0xc0 = 0x80

(* One multi-byte character at [i] before [stop]: its length, or 0. *)
let multi s i stop =
  let b = byte s i in
  if b < 0xc2 then 0
  else if b < 0xe0 then if i + 1 < stop && tail s (i + 1) then 2 else 0
  else if b < 0xf0 then
    if i + 2 < stop && tail s (i + 1) && tail s (i + 2) then
      let b1 = byte s (i + 1) in
      if (b = 0xe0 && b1 < 0xa0) || (b = 0xed && b1 >= 0xa0) then 0 else 3
    else 0
  else if b < 0xf5 && i + 3 < stop && tail s (i + 1) && tail s (i + 2) && tail s (i + 3) then
    let b1 = byte s (i + 1) in
    if (b = 0xf0 && b1 < 0x90) || (b = 0xf4 && b1 >= 0x90) then 0 else 4
  else 0

let rec valid_from s i stop =
  if i >= stop then true
  else if byte s i < 0x80 then valid_from s (i + 1) stop
  else
    let n = multi s i stop in
    n > 0 && ascii s (i + n) stop

(* 64 bytes a round, then 8, then one by one. *)
and ascii s i stop =
  if i + 64 <= stop then
    let open Int64 in
    let w =
      logor
        (logor (logor (get64 s i) (get64 s (i + 8))) (logor (get64 s (i + 16)) (get64 s (i + 24))))
        (logor
           (logor (get64 s (i + 32)) (get64 s (i + 40)))
           (logor (get64 s (i + 48)) (get64 s (i + 56))))
    in
    if equal (logand w 0x8080808080808080L) 0L then ascii s (i + 64) stop else valid_from s i stop
  else ascii8 s i stop

and ascii8 s i stop =
  if i + 8 <= stop then
    if Int64.equal (Int64.logand (get64 s i) 0x8080808080808080L) 0L then ascii8 s (i + 8) stop
    else valid_from s i stop
  else if i = stop then true
  else valid_from s i stop

let[@inline] high s i = Int64.logand (get64 s i) 0x8080808080808080L

let[@inline never] valid s from len =
  let stop = from + len in
  if len < 8 then valid_from s from stop
  else if len <= 16 then
    Int64.equal (Int64.logor (high s from) (high s (stop - 8))) 0L || valid_from s from stop
  else ascii s from stop

(* Whether a word of eight bytes may hold a special one, or one that is not
   ASCII. Flipping bit 1 takes the quote (0x22) next to the control characters:
   all are then below 0x21. A subtraction may borrow into the byte above one
   that is found, so a word without any is surely without. *)
let[@inline] special w =
  let open Int64 in
  let low = sub (logxor w 0x0202020202020202L) 0x2121212121212121L in
  let slash = sub (logxor w 0x5c5c5c5c5c5c5c5cL) 0x0101010101010101L in
  logor w (logor low slash)

let[@inline] none w = Int64.equal (Int64.logand w 0x8080808080808080L) 0L

let rec runs s p limit =
  if p + 16 <= limit then
    if none (Int64.logor (special (get64 s p)) (special (get64 s (p + 8)))) then
      runs s (p + 16) limit
    else plain_bytes s p (p + 16) limit
  else if p + 8 <= limit && none (special (get64 s p)) then runs s (p + 8) limit
  else plain_bytes s p (if p + 8 < limit then p + 8 else limit) limit

and plain_bytes s p stop limit =
  if p >= stop then if p >= limit then p else runs s p limit
  else
    match get s p with '"' | '\\' | '\000' .. '\031' -> p | _ -> plain_bytes s (p + 1) stop limit

(* Many strings end within a few bytes: those are looked at one by one. *)
let plain s p limit = plain_bytes s p (if p + 8 < limit then p + 8 else limit) limit
