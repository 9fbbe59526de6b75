external get : string -> int -> char = "%string_unsafe_get"
external get32 : string -> int -> int32 = "%caml_string_get32u"
external get64 : string -> int -> int64 = "%caml_string_get64u"
external swap64 : int64 -> int64 = "%bswap_int64"
external set : Bytes.t -> int -> char -> unit = "%bytes_unsafe_set"
external set32 : Bytes.t -> int -> int32 -> unit = "%caml_bytes_set32u"
external set64 : Bytes.t -> int -> int64 -> unit = "%caml_bytes_set64u"
external create : int -> Bytes.t = "caml_create_bytes"
external blit : string -> int -> Bytes.t -> int -> int -> unit = "caml_blit_string" [@@noalloc]

let[@inline] word s i = if Sys.big_endian then swap64 (get64 s i) else get64 s i
let high = 0x8080808080808080L

let[@inline] ones bits =
  Int64.to_int
    (Int64.shift_right_logical
       (Int64.mul (Int64.shift_right_logical bits 7) 0x0101010101010101L)
       56)

(* Of 0 it is 0. *)
let[@inline] lowest m =
  let open Int64 in
  let bit = shift_right_logical (logand m (neg m)) 7 in
  to_int (shift_right_logical (mul bit 0x0001020304050607L) 56)

let[@inline] not_digits w =
  let open Int64 in
  let t = logxor w 0x3030303030303030L in
  logand (logor t (add t 0x7676767676767676L)) 0x8080808080808080L

(* The digits go to the end of the word, zeros before them; then pairs of
   digits, pairs of those and the last pair are joined by multiplying. *)
let[@inline] digits w n =
  let open Int64 in
  let t = shift_left (logxor w 0x3030303030303030L) (64 - (8 * n)) in
  let t = add (mul t 10L) (shift_right_logical t 8) in
  let low = mul (logand t 0x000000ff000000ffL) 0x000f424000000064L in
  let high = mul (logand (shift_right_logical t 16) 0x000000ff000000ffL) 0x0000271000000001L in
  to_int (shift_right_logical (add low high) 32)

(* The last word overlaps the one before it. *)
let[@inline never] copy s from b at n =
  if n >= 8 then
    if n <= 64 then (
      let last = n - 8 in
      let i = ref 0 in
      while !i < last do
        set64 b (at + !i) (get64 s (from + !i));
        i := !i + 8
      done;
      set64 b (at + last) (get64 s (from + last)))
    else blit s from b at n
  else if n >= 4 then (
    set32 b at (get32 s from);
    set32 b (at + n - 4) (get32 s (from + n - 4)))
  else
    for i = 0 to n - 1 do
      set b (at + i) (get s (from + i))
    done

let[@inline never] sub s from n =
  if n = 0 then ""
  else
    let b = create n in
    copy s from b 0 n;
    Bytes.unsafe_to_string b

let[@inline] equal (a : int64) b = a = b

let rec same_bytes a i b j n =
  n = 0 || (Char.equal (get a i) (get b j) && same_bytes a (i + 1) b (j + 1) (n - 1))

let[@inline never] same a i b j n =
  if n < 8 then same_bytes a i b j n
  else
    let last = n - 8 in
    let at = ref 0 in
    while !at < last && equal (get64 a (i + !at)) (get64 b (j + !at)) do
      at := !at + 8
    done;
    !at >= last && equal (get64 a (i + last)) (get64 b (j + last))
