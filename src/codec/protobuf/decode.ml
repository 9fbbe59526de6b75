external get : string -> int -> char = "%string_unsafe_get"
external get32_ne : string -> int -> int32 = "%caml_string_get32u"
external get64_ne : string -> int -> int64 = "%caml_string_get64u"
external swap32 : int32 -> int32 = "%bswap_int32"
external swap64 : int64 -> int64 = "%bswap_int64"
external get16_ne : string -> int -> int = "%caml_string_get16u"
external swap16 : int -> int = "%bswap16"

let[@inline] byte s i = Char.code (get s i)
let[@inline] get16 s i = if Sys.big_endian then swap16 (get16_ne s i) else get16_ne s i
let[@inline] get32 s i = if Sys.big_endian then swap32 (get32_ne s i) else get32_ne s i
let[@inline] get64 s i = if Sys.big_endian then swap64 (get64_ne s i) else get64_ne s i

(* Only fast paths are expanded in place: what is slow or fails is called. *)
let[@inline never] cut pos = Error.at pos "truncated"
let[@inline never] truncated pos = raise (cut pos)

(* The low four bits are the width, the rest the value. *)
type read = int

let rec varint_loop s start p limit shift acc =
  if p >= limit then truncated start
  else
    let b = byte s p in
    let low = b land 127 in
    let acc =
      if shift <= 49 then acc lor (low lsl shift) else if low <> 0 then acc lor (1 lsl 56) else acc
    in
    if b < 128 then (acc lsl 4) lor (p + 1 - start)
    else if shift >= 63 then Error.fail start "number longer than ten bytes"
    else varint_loop s start (p + 1) limit (shift + 7) acc

let[@inline never] varint_long s p limit =
  if p + 1 < limit && byte s (p + 1) < 128 then
    ((byte s p land 127 lor (byte s (p + 1) lsl 7)) lsl 4) lor 2
  else if p + 2 < limit && byte s (p + 2) < 128 then
    let low = byte s p land 127 lor ((byte s (p + 1) land 127) lsl 7) in
    ((low lor (byte s (p + 2) lsl 14)) lsl 4) lor 3
  else varint_loop s p p limit 0 0

let[@inline] varint s p limit =
  if p < limit then
    let b = byte s p in
    if b < 128 then (b lsl 4) lor 1 else varint_long s p limit
  else truncated p

let[@inline] tag s p limit =
  let b = byte s p in
  if b < 128 then (b lsl 4) lor 1 else varint_long s p limit

let long = varint_long
let[@inline] next s p last = if p < last then get16 s p else 0
let[@inline] value r = r lsr 4
let[@inline] behind p r = p + (r land 15)

(* A branch, so that the processor may go on to the next byte before it has
   seen this one. *)
let[@inline] width r = if r land 15 = 1 then 1 else r land 15
let[@inline] int32 r = (r lsl 27) asr 31
let[@inline] uint32 r = (r lsr 4) land 0xffffffff

let[@inline] sint32 r =
  let v = uint32 r in
  (v lsr 1) lxor -(v land 1)

let[@inline] bool r = r lsr 4 <> 0
let[@inline never] too_long pos = Error.fail pos "length beyond the end"

let[@inline] length s p limit =
  let r = varint s p limit in
  if r lsr 4 <= limit - p - width r then r else too_long p

let rec width_loop s start p limit =
  if p >= limit then truncated start
  else if byte s p < 128 then p + 1 - start
  else if p - start >= 9 then Error.fail start "number longer than ten bytes"
  else width_loop s start (p + 1) limit

let[@inline] varint_width s p limit =
  if p < limit && byte s p < 128 then 1 else width_loop s p p limit

let low_bits s p n =
  let v = ref 0 in
  for i = n - 1 downto 0 do
    v := (!v lsl 7) lor (byte s (p + i) land 127)
  done;
  !v

(* Boxed once for all: a number of one byte would take three words. *)
let smallest = -64
let largest_small = 127
let small = Array.init (largest_small - smallest + 1) (fun i -> Int64.of_int (i + smallest))
let[@inline] is_small v = v >= smallest && v <= largest_small
let[@inline] boxed v = if is_small v then Array.unsafe_get small (v - smallest) else Int64.of_int v

let[@inline never] int64 s p width =
  if width <= 8 then boxed (low_bits s p width)
  else
    let high = low_bits s (p + 8) (width - 8) in
    Int64.logor (Int64.of_int (low_bits s p 8)) (Int64.shift_left (Int64.of_int high) 56)

let[@inline] signed v = (v lsl 31) asr 31
let[@inline] unsigned v = v land 0xffffffff

let[@inline] zigzag v =
  let v = v land 0xffffffff in
  (v lsr 1) lxor -(v land 1)

let unzigzag64 v = Int64.logxor (Int64.shift_right_logical v 1) (Int64.neg (Int64.logand v 1L))

(* Of at most 56 bits. *)
let[@inline] narrow_zigzag v = boxed ((v lsr 1) lxor -(v land 1))

let sint64 s p width =
  if width <= 8 then narrow_zigzag (low_bits s p width) else unzigzag64 (int64 s p width)

let[@inline never] wide v s from p = if p - from <= 8 then boxed v else int64 s from (p - from)

let[@inline never] wide_zigzag v s from p =
  if p - from <= 8 then narrow_zigzag v else unzigzag64 (int64 s from (p - from))

let[@inline] need n p limit = if limit - p < n then raise (cut p)
let[@inline] sfixed32 s p = Int32.to_int (get32 s p)
let[@inline] fixed32 s p = Int32.to_int (get32 s p) land 0xffffffff
let[@inline] fixed64 s p = get64 s p
let[@inline] float s p = Int32.float_of_bits (get32 s p)
let[@inline] double s p = Int64.float_of_bits (get64 s p)

external create : int -> Bytes.t = "caml_create_bytes"
external blit : string -> int -> Bytes.t -> int -> int -> unit = "caml_blit_string" [@@noalloc]

(* [String.sub] where the range is known to be good. *)
let[@inline] sub s from len =
  let b = create len in
  blit s from b 0 len;
  Bytes.unsafe_to_string b

let[@inline never] bytes s from len = if len = 0 then "" else sub s from len
let[@inline never] not_utf8 pos = Error.fail pos "string is not UTF-8"

let[@inline never] text s from len =
  if len = 0 then "" else if Utf8.valid s from len then sub s from len else not_utf8 from

(* The byte before a number is one without the continuation bit. *)
let rec number_start s first p =
  if p > first && byte s (p - 1) >= 128 then number_start s first (p - 1) else p

let[@inline never] beyond s from = Error.at (number_start s 0 (from - 1)) "length beyond the end"

let[@inline never] stop s from len limit =
  if len <= limit - from then from + len else raise (beyond s from)

let[@inline] string_in s from len limit =
  if len > limit - from then raise (beyond s from)
  else if len = 0 then ""
  else
    let b = create len in
    if Utf8_copy.copy s from b 0 len then Bytes.unsafe_to_string b else not_utf8 from

let[@inline] raw_in s from len limit =
  if len > limit - from then raise (beyond s from)
  else if len = 0 then ""
  else
    let b = create len in
    if len <= 16 then ignore (Utf8_copy.short s from b 0 len) else blit s from b 0 len;
    Bytes.unsafe_to_string b

let[@inline never] string s from len limit = string_in s from len limit
let[@inline never] some_string s from len limit = Some (string_in s from len limit)
let[@inline never] add_string s from len limit l = string_in s from len limit :: l
let[@inline never] raw s from len limit = raw_in s from len limit
let[@inline never] some_raw s from len limit = Some (raw_in s from len limit)
let[@inline never] add_raw s from len limit l = raw_in s from len limit :: l

let[@inline never] slice s from len limit =
  if len > limit - from then raise (beyond s from)
  else if len = 0 then Slice.empty
  else Slice.part s from len

let[@inline never] slice_text s from len limit =
  if len > limit - from then raise (beyond s from)
  else if len = 0 then Slice.empty
  else if Utf8.valid s from len then Slice.part s from len
  else not_utf8 from

let max_depth = 100
let[@inline never] too_deep pos = Error.at pos "nested too deeply"

let[@inline never] deeper depth pos =
  if Budget.levels depth = 0 then raise (too_deep pos);
  Budget.charge_message depth pos;
  depth - 1

let[@inline never] enter_charged s from len limit depth =
  if Budget.levels depth = 0 then raise (too_deep from)
  else if len > limit - from then raise (beyond s from)
  else begin
    Budget.charge_message depth from;
    from + len
  end

let[@inline never] enter s from len limit depth =
  if Budget.is_free depth && len <= limit - from then from + len
  else enter_charged s from len limit depth

let[@inline never] block s from len limit depth =
  let stop = stop s from len limit in
  Budget.charge_block depth len from;
  stop

let[@inline] inside s from len limit depth =
  if depth > 0 && len <= limit - from then from + len else enter s from len limit depth

let illegal_number = "illegal field number"
let stray_end = "end of a group that did not begin"

let[@inline never] no_value tag pos =
  Error.at pos
    (if tag lsr 3 = 0 then illegal_number else if tag land 7 = 4 then stray_end else "truncated")

let[@inline never] fail_no_value tag pos = raise (no_value tag pos)

(* What stands behind other tags is not a number: one byte, to be looked at again. *)
let[@inline never] number s from limit tag =
  if tag land 5 = 0 then if from < limit then varint_long s from limit else fail_no_value tag from
  else if from < limit then 1
  else fail_no_value tag from

let rec skip_field s tag p limit depth =
  let number = tag lsr 3 in
  if number = 0 || tag > 0xffffffff then Error.fail p illegal_number;
  match tag land 7 with
  | 0 -> p + varint_width s p limit
  | 1 ->
      need 8 p limit;
      p + 8
  | 2 ->
      let r = length s p limit in
      p + width r + value r
  | 3 ->
      let stop = group_end s number p limit (deeper depth p) in
      stop + width (varint s stop limit)
  | 4 -> Error.fail p stray_end
  | 5 ->
      need 4 p limit;
      p + 4
  | _ -> Error.fail p "unknown wire type"

and group_end s number p limit depth =
  let tag = varint s p limit in
  let after = p + width tag in
  if value tag = (number lsl 3) lor 4 then p
  else group_end s number (skip_field s (value tag) after limit depth) limit depth

(* What is not on the fast path stays out of generated code. *)
let[@inline never] skip s tag p limit depth = skip_field s tag p limit depth
let[@inline never] group_end s number p limit depth = group_end s number p limit depth
let[@inline never] after_tag s p limit = p + width (varint s p limit)

type kept = Nothing | Run of kept * int * int | Made of kept * string

let nothing = Nothing

let[@inline never] keep k start stop =
  match k with
  | Run (before, from, until) when until = start -> Run (before, from, stop)
  | Nothing | Run _ | Made _ -> Run (k, start, stop)

let[@inline never] unknown k s tag start from limit depth =
  keep k start (skip s tag from limit depth)

let[@inline] until k = match k with Run (_, _, stop) -> stop | Nothing | Made _ -> 0

let rec add_varint b v =
  if v land lnot 127 = 0 then Buffer.add_char b (Char.unsafe_chr v)
  else (
    Buffer.add_char b (Char.unsafe_chr (v land 127 lor 128));
    add_varint b (v lsr 7))

(* A negative enum value is written as 64 bits. *)
let keep_varint k number v =
  let b = Buffer.create 16 in
  add_varint b (number lsl 3);
  (if v >= 0 then add_varint b v
   else
     let v64 = Int64.of_int v in
     for i = 0 to 8 do
       let bits = Int64.to_int (Int64.shift_right_logical v64 (7 * i)) land 127 in
       Buffer.add_char b (Char.unsafe_chr (bits lor 128))
     done;
     Buffer.add_char b '\001');
  Made (k, Buffer.contents b)

(* Each piece must end where its fields do, or in the joined bytes one would
   run into the next. *)
let[@inline never] again k s from stop depth =
  let rec check pos =
    if pos < stop then
      let tag = varint s pos stop in
      check (skip s (value tag) (pos + width tag) stop depth)
  in
  check from;
  Run (k, from, stop)

let rec length_of n = function
  | Run (before, from, until) -> length_of (n + until - from) before
  | Nothing | Made _ -> n

let rec copy_pieces s k b stop =
  match k with
  | Nothing | Made _ -> ()
  | Run (before, from, until) ->
      let start = stop - (until - from) in
      blit s from b start (until - from);
      copy_pieces s before b start

(* Where the first piece begins. *)
let rec first_of = function
  | Run (Nothing, from, _) -> from
  | Run (before, _, _) | Made (before, _) -> first_of before
  | Nothing -> 0

(* Where a position of the joined pieces, which end at [stop], is in the input. *)
let rec origin k stop position =
  match k with
  | Nothing | Made _ -> position
  | Run (before, from, until) ->
      let start = stop - (until - from) in
      if position >= start then from + position - start else origin before start position

(* Joining copies: pieces within pieces, each more than half of what they are in, would be copied
   once a level. A large one counts as ten levels, so that the depth bounds that work as well. *)
let largest_free = 4096
let joining = 10

let below_joined n whole depth =
  let levels = if n > largest_free && 2 * n > whole then joining else 1 in
  if Budget.levels depth < levels then -1 else depth - levels

let merge_pieces read m s k depth =
  let n = length_of 0 k in
  let below = below_joined n (String.length s) depth in
  if below < 0 then raise (too_deep (first_of k));
  let b = create n in
  copy_pieces s k b n;
  try read m (Bytes.unsafe_to_string b) 0 n below
  with Error.Error e -> raise (Error.Error { e with position = origin k n e.position })

let[@inline never] merge_more read m s k depth =
  match k with
  | Nothing | Made _ -> m
  | Run (Nothing, from, until) -> read m s from until (depth - 1)
  | Run _ -> merge_pieces read m s k depth

let[@inline] merged read m s k depth = if k == Nothing then m else merge_more read m s k depth

let[@inline never] merge_option read m s k depth =
  match m with None -> None | Some m -> Some (merge_more read m s k depth)

let[@inline] merged_option read m s k depth =
  if k == Nothing then m else merge_option read m s k depth

let[@inline] none k = k == Nothing

let rec pieces s k acc =
  match k with
  | Nothing -> acc
  | Run (k, from, until) -> pieces s k (String.sub s from (until - from) :: acc)
  | Made (k, bytes) -> pieces s k (bytes :: acc)

let[@inline never] joined_bytes before s k = String.concat "" (before :: pieces s k [])

let[@inline never] kept before s k =
  match k with Nothing -> before | Run _ | Made _ -> joined_bytes before s k

let[@inline never] in_order before newest_first =
  match (before, newest_first) with
  | _, [] -> before
  | [], [ _ ] -> newest_first
  | [], _ -> List.rev newest_first
  | _ -> before @ List.rev newest_first

let[@inline never] joined before newest_first block =
  match (before, newest_first) with
  | [], [] -> block
  | [], _ -> List.rev_append newest_first block
  | _ -> before @ List.rev_append newest_first block

let[@inline never] last_wins before newest_first = Map_entries.last_wins before newest_first

let missing pos names seen =
  let rec first i = function
    | name :: rest ->
        if seen land (1 lsl i) = 0 then Error.fail pos ("required field " ^ name ^ " is missing")
        else first (i + 1) rest
    | [] -> Error.fail pos "required field is missing"
  in
  first 0 names
