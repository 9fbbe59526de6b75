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

let valid s from len =
  let stop = from + len in
  if len < 8 then valid_from s from stop
  else if len <= 16 then
    Int64.equal (Int64.logor (high s from) (high s (stop - 8))) 0L || valid_from s from stop
  else ascii s from stop

external get32 : string -> int -> int32 = "%caml_string_get32u"
external set8 : Bytes.t -> int -> char -> unit = "%bytes_unsafe_set"
external set32 : Bytes.t -> int -> int32 -> unit = "%caml_bytes_set32u"
external set64 : Bytes.t -> int -> int64 -> unit = "%caml_bytes_set64u"
external blit : string -> int -> Bytes.t -> int -> int -> unit = "caml_blit_string" [@@noalloc]

external copy_ascii :
  string ->
  (int[@untagged]) ->
  Bytes.t ->
  (int[@untagged]) ->
  (int[@untagged]) ->
  (int[@untagged]) = "weir_protobuf_copy_ascii_byte" "weir_protobuf_copy_ascii"
[@@noalloc]

(* Where C is not at hand (js_of_ocaml), OCaml does both. *)
let has_stubs = match Sys.backend_type with Native | Bytecode -> true | Other _ -> false

let[@inline never] copy_long s from b at n =
  if has_stubs then copy_ascii s from b at n <> 0 || valid s from n
  else (
    blit s from b at n;
    valid s from n)

(* Short strings, the most, as two words or halves that may overlap. *)
let[@inline] copy s from b at n =
  if n >= 8 then
    if n <= 16 then (
      let x = get64 s from and y = get64 s (from + n - 8) in
      set64 b at x;
      set64 b (at + n - 8) y;
      Int64.equal (Int64.logand (Int64.logor x y) 0x8080808080808080L) 0L || valid s from n)
    else copy_long s from b at n
  else if n >= 4 then (
    let x = get32 s from and y = get32 s (from + n - 4) in
    set32 b at x;
    set32 b (at + n - 4) y;
    Int32.equal (Int32.logand (Int32.logor x y) 0x80808080l) 0l || valid s from n)
  else if n = 0 then true
  else
    let x = get s from and y = get s (from + (n lsr 1)) and z = get s (from + n - 1) in
    set8 b at x;
    set8 b (at + (n lsr 1)) y;
    set8 b (at + n - 1) z;
    Char.code x lor Char.code y lor Char.code z < 128 || valid s from n

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
