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

let[@inline] high_bits s i = Int64.logand (get64 s i) 0x8080808080808080L

let[@inline never] valid s from len =
  let stop = from + len in
  if len < 8 then valid_from s from stop
  else if len <= 16 then
    Int64.equal (Int64.logor (high_bits s from) (high_bits s (stop - 8))) 0L
    || valid_from s from stop
  else ascii s from stop

(* The top bits of a word's bytes that end a run of a JSON string's ordinary
   characters: quote, backslash, control characters. Flipping bit 1 takes the
   quote (0x22) next to the control characters: all are then below 0x21. A
   subtraction may borrow into the byte above one that is found: the lowest
   one found is right, and that is the one that is asked for. *)

let[@inline] ends w =
  let open Int64 in
  let low = sub (logxor w 0x0202020202020202L) 0x2121212121212121L in
  let slash = sub (logxor w 0x5c5c5c5c5c5c5c5cL) 0x0101010101010101L in
  logor low slash

let[@inline] none (m : int64) = m = 0L
let[@inline] and_not a b = Int64.logand a (Int64.lognot b)

(* Where ordinary ASCII from a position on reaches, at least. *)
external run : string -> (int[@untagged]) -> (int[@untagged]) -> (int[@untagged])
  = "weir_protobuf_json_run_byte" "weir_protobuf_json_run"
[@@noalloc]

let rec plain_bytes s p limit =
  if p >= limit then p
  else match get s p with '"' | '\\' | '\000' .. '\031' -> p | _ -> plain_bytes s (p + 1) limit

(* Bytes above 127 leave their top bit in [ends], so they are masked out. *)
let rec plain s p limit =
  if p + 8 > limit then plain_bytes s p limit
  else
    let w = Words.word s p in
    let m = Int64.logand (and_not (ends w) w) Words.high in
    if none m then plain s (run s (p + 8) limit) limit else p + Words.lowest m

let[@inline] text_ends w = Int64.logand (Int64.logor w (ends w)) Words.high

let rec multis s p limit =
  if p >= limit || byte s p < 0x80 then p
  else
    let n = multi s p limit in
    if n = 0 then -1 else multis s (p + n) limit

(* Two words, as strings are short, then a run. *)
let rec text s p limit =
  if p + 8 > limit then text_bytes s p limit
  else
    let m = text_ends (Words.word s p) in
    if none m then second s (p + 8) limit else stop_at s (p + Words.lowest m) limit

and second s p limit =
  if p + 8 > limit then text_bytes s p limit
  else
    let m = text_ends (Words.word s p) in
    if none m then text s (run s (p + 8) limit) limit else stop_at s (p + Words.lowest m) limit

and stop_at s stop limit = if byte s stop < 0x80 then stop else beyond s stop limit

and text_bytes s p limit =
  if p >= limit then p
  else
    match get s p with
    | '"' | '\\' | '\000' .. '\031' -> p
    | '\128' .. '\255' -> beyond s p limit
    | _ -> text_bytes s (p + 1) limit

and beyond s p limit =
  let next = multis s p limit in
  if next < 0 then next else text s next limit
