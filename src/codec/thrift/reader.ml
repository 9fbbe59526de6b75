type t = {
  buf : Bytes.t;
  mutable pos : int;
  stop : int;
  compact : bool;
  mutable depth : int;
  mutable flag : bool;  (** the boolean that the last field header held *)
  mutable memory : int;  (** words that values may still take *)
}

let[@inline never] fail r what = Error.fail r.pos what
let default_depth = 64

(* 16 times the input and 1 MB, in words, less the bytes of strings, which are not counted: their
   headers are. *)
let default_memory len = (15 * len / 8) + 124_000

let of_bytes ?(depth = default_depth) ?memory protocol buf ~off ~len =
  if off < 0 || len < 0 || off > Bytes.length buf - len then invalid_arg "Reader.of_bytes";
  let memory = match memory with Some n -> n | None -> default_memory len in
  let compact = protocol = Kind.Compact in
  { buf; pos = off; stop = off + len; compact; depth; flag = false; memory }

let of_string ?depth ?memory protocol s =
  of_bytes ?depth ?memory protocol (Bytes.unsafe_of_string s) ~off:0 ~len:(String.length s)

let position r = r.pos
let remaining r = r.stop - r.pos

let[@inline never] no_memory r =
  r.memory <- 0;
  fail r "memory limit reached"

(* Left at nothing, so that later charges cannot wrap around. *)
let[@inline] spend r words =
  let left = r.memory - words in
  if left < 0 then no_memory r else r.memory <- left

let[@inline never] cut_off r = fail r "the input is cut off"
let[@inline] need r n = if n > r.stop - r.pos then cut_off r

(* Between [pos] and [stop] there is nothing to check: [of_bytes] saw that [stop] is within. *)
let[@inline] u8 r =
  let pos = r.pos in
  if pos >= r.stop then cut_off r
  else (
    r.pos <- pos + 1;
    Char.code (Bytes.unsafe_get r.buf pos))

let rec varint_more r shift acc =
  let b = u8 r in
  let acc = acc lor ((b land 0x7f) lsl shift) in
  if b < 0x80 then acc
  else if shift >= 28 then fail r "varint of more than 32 bits"
  else varint_more r (shift + 7) acc

(* At most 5 bytes, 35 bits. *)
let[@inline] varint r =
  let b = u8 r in
  if b < 0x80 then b else varint_more r 7 (b land 0x7f)

let[@inline] unzigzag n = (n lsr 1) lxor -(n land 1)
let[@inline] sign n v = (v lsl (Sys.int_size - n)) asr (Sys.int_size - n)
let i8 r = sign 8 (u8 r)

let[@inline never] i16 r =
  if r.compact then sign 16 (unzigzag (varint r))
  else (
    need r 2;
    let v = Bytes.get_int16_be r.buf r.pos in
    r.pos <- r.pos + 2;
    v)

let[@inline never] i32 r =
  if r.compact then sign 32 (unzigzag (varint r land 0xffff_ffff))
  else (
    need r 4;
    let v = Int32.to_int (Bytes.get_int32_be r.buf r.pos) in
    r.pos <- r.pos + 4;
    v)

let[@inline never] long_varint r first =
  let n = ref (Int64.of_int first) and shift = ref 56 and more = ref true in
  while !more do
    let b = u8 r in
    if !shift > 63 then fail r "varint of more than 64 bits";
    n := Int64.logor !n (Int64.shift_left (Int64.of_int (b land 0x7f)) !shift);
    shift := !shift + 7;
    more := b >= 0x80
  done;
  Int64.logxor (Int64.shift_right_logical !n 1) (Int64.neg (Int64.logand !n 1L))

(* The last bytes of the input, which may end in the number. *)
let[@inline never] i64_at_end r =
  let n = ref 0 and shift = ref 0 and b = ref (u8 r) in
  while !b >= 0x80 && !shift < 49 do
    n := !n lor ((!b land 0x7f) lsl !shift);
    shift := !shift + 7;
    b := u8 r
  done;
  let n = !n lor ((!b land 0x7f) lsl !shift) in
  if !b < 0x80 then Int64.of_int (unzigzag n) else long_varint r n

(* [n] is what came before, 7 bits a byte; the position stays in a register meanwhile. *)
let rec i64_inside r buf pos shift n =
  let b = Char.code (Bytes.unsafe_get buf pos) in
  let n = n lor ((b land 0x7f) lsl shift) in
  if b < 0x80 then (
    r.pos <- pos + 1;
    Int64.of_int (unzigzag n))
  else if shift < 49 then i64_inside r buf (pos + 1) (shift + 7) n
  else (
    r.pos <- pos + 1;
    long_varint r n)

let longest_varint = 10

let[@inline] i64_compact r =
  let pos = r.pos in
  if r.stop - pos >= longest_varint then i64_inside r r.buf pos 0 0 else i64_at_end r

let[@inline never] i64 r =
  if r.compact then i64_compact r
  else (
    need r 8;
    let v = Bytes.get_int64_be r.buf r.pos in
    r.pos <- r.pos + 8;
    v)

let[@inline never] double r =
  need r 8;
  let pos = r.pos in
  r.pos <- pos + 8;
  Int64.float_of_bits
    (if r.compact then Bytes.get_int64_le r.buf pos else Bytes.get_int64_be r.buf pos)

let bool r = u8 r = 1

let[@inline] size r =
  let n = if r.compact then varint r else i32 r in
  if n < 0 || n > r.stop - r.pos then fail r "a size past the end of the input" else n

let[@inline never] string r =
  let n = size r in
  if n = 0 then ""
  else
    (* Looked at again: another domain that reads too may have moved it. *)
    let pos = r.pos in
    if n > r.stop - pos then cut_off r;
    r.pos <- pos + n;
    Weir_base.Unsafe.Short.sub r.buf pos n

let[@inline never] uuid r =
  need r 16;
  let s = Bytes.sub_string r.buf r.pos 16 in
  r.pos <- r.pos + 16;
  s

let enter r = if r.depth <= 0 then fail r "nested too deep" else r.depth <- r.depth - 1

let[@inline never] start r words =
  enter r;
  spend r words

let leave r = r.depth <- r.depth + 1

(* What a compact type nibble or a binary type byte is as a kind; containers hold booleans as 1. *)
let kind_of_compact r k =
  if k = 2 then Kind.bool else if k = 0 || k > Kind.uuid then fail r "no such type" else k

let kind_of_binary r k =
  let k = if k > 16 then 0 else Char.code (String.unsafe_get Kind.of_binary k) in
  if k = 0 then fail r "no such type" else k

let[@inline never] field r last =
  let b = u8 r in
  if b = 0 then 0
  else if r.compact then
    let k = b land 15 in
    let id = if b < 16 then sign 16 (unzigzag (varint r)) else sign 16 (last + (b lsr 4)) in
    if k <= 2 then (
      if k = 0 then fail r "no such type";
      r.flag <- k = 1;
      (id lsl 4) lor 1)
    else if k > Kind.uuid then fail r "no such type"
    else (id lsl 4) lor k
  else
    let k = kind_of_binary r b in
    need r 2;
    let id = Bytes.get_int16_be r.buf r.pos in
    r.pos <- r.pos + 2;
    (id lsl 4) lor k

let bool_field r = if r.compact then r.flag else bool r

(* The fewest bytes that an element takes: what keeps a count from promising more than is there. *)
let fewest compact k =
  if k = Kind.double then 8
  else if k = Kind.uuid then 16
  else if compact then 1
  else match k with 4 -> 2 | 5 | 8 -> 4 | 6 -> 8 | 9 | 10 -> 5 | 11 -> 6 | _ -> 1

(* The kind and number of elements of a list or set. *)
let[@inline never] list_header r =
  if r.compact then
    let b = u8 r in
    let k = b land 15 in
    let n = if b lsr 4 = 15 then varint r else b lsr 4 in
    if n = 0 && k = 0 then (k, 0) else (kind_of_compact r k, n)
  else
    let k = u8 r in
    let n = i32 r in
    if n = 0 then (0, 0) else (kind_of_binary r k, n)

(* What an element takes beside its cell and what its own reader counts: a boxed number, a short
   string. *)
let boxed k =
  if k = Kind.i64 then 3
  else if k = Kind.double || k = Kind.string then 2
  else if k = Kind.uuid then 4
  else 0

let check_count r n width =
  if n < 0 || n * width > r.stop - r.pos then fail r "more elements than the input holds"

let[@inline never] map_header r =
  if r.compact then
    let n = varint r in
    if n = 0 then (0, 0, 0)
    else
      let b = u8 r in
      (kind_of_compact r (b lsr 4), kind_of_compact r (b land 15), n)
  else
    let k = u8 r in
    let v = u8 r in
    let n = i32 r in
    if n = 0 then (0, 0, 0) else (kind_of_binary r k, kind_of_binary r v, n)

(* Both in order: short lists on the stack, long ones cell by cell, which costs a store that the
   collector must see. *)
let rec elements read r n =
  if n = 0 then []
  else
    let v = read r in
    v :: elements read r (n - 1)

let[@tail_mod_cons] rec many read r n =
  if n = 0 then []
  else
    let v = read r in
    v :: many read r (n - 1)

let[@inline] all read r n = if n <= 100 then elements read r n else many read r n

let[@inline never] list r kind read =
  let k, n = list_header r in
  if n = 0 then []
  else (
    if k <> kind then fail r "a list of another element type";
    check_count r n (fewest r.compact k);
    start r ((3 + boxed k) * n);
    let l = all read r n in
    leave r;
    l)

let[@inline never] map r kind value read_key read_value =
  let k, v, n = map_header r in
  if n = 0 then []
  else (
    if k <> kind || v <> value then fail r "a map of other types";
    check_count r n (fewest r.compact k + fewest r.compact v);
    let pair r =
      let key = read_key r in
      (key, read_value r)
    in
    start r ((6 + boxed k + boxed v) * n);
    let l = all pair r n in
    leave r;
    l)

(* Without making a number of it. *)
let rec skip_varint r left =
  if u8 r >= 0x80 then
    if left = 1 then fail r "varint of more than 64 bits" else skip_varint r (left - 1)

let skip_bytes r n =
  need r n;
  r.pos <- r.pos + n

let rec skip r kind =
  match kind with
  | 1 | 3 -> ignore (u8 r)
  | 4 -> ignore (i16 r)
  | 5 -> ignore (i32 r)
  | 6 -> if r.compact then skip_varint r longest_varint else skip_bytes r 8
  | 7 -> skip_bytes r 8
  | 8 ->
      let n = size r in
      r.pos <- r.pos + n
  | 13 -> skip_bytes r 16
  | 9 | 10 ->
      enter r;
      let k, n = list_header r in
      if n > 0 then (
        check_count r n (fewest r.compact k);
        for _ = 1 to n do
          skip r k
        done);
      leave r
  | 11 ->
      enter r;
      let k, v, n = map_header r in
      if n > 0 then (
        check_count r n (fewest r.compact k + fewest r.compact v);
        for _ = 1 to n do
          skip r k;
          skip r v
        done);
      leave r
  | _ ->
      enter r;
      let last = ref 0 and h = ref (field r 0) in
      while !h <> 0 do
        skip_field r !h;
        last := !h asr 4;
        h := field r !last
      done;
      leave r

and skip_field r h =
  let k = h land 15 in
  if k = Kind.bool then ignore (bool_field r) else skip r k

let[@inline] some r words v =
  spend r words;
  Some v

let missing r name = fail r ("required field " ^ name ^ " is missing")

let[@inline never] decode read protocol s =
  match
    let r = of_string protocol s in
    let v = read r in
    if remaining r > 0 then fail r "bytes after the value";
    v
  with
  | v -> Ok v
  | exception Error.Error e -> Result.Error e

let[@inline never] required r name = function Some v -> v | None -> missing r name
