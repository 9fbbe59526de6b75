type error = { at : int; what : string }

exception Error of error

let[@inline never] fail at what = raise (Error { at; what })
let pp_error f e = Format.fprintf f "Cap'n Proto, word %d: %s" e.at e.what

(* Word [w] of the message is at byte [base + 8 w] of [buf]; segment [i] is words
   [starts.(i)] to [starts.(i + 1)]. The first segment, most often the only one, ends at byte
   [near] and needs no looking up; [lo] and [hi] bound the segment last entered. *)
type t = {
  buf : Bytes.t;
  base : int;
  limit : int;
  near : int;
  starts : int array;
  mutable lo : int;
  mutable hi : int;
  mutable budget : int;
  mutable memory : int;
  depth : int;
}

let max_words = (1 lsl 28) - 1
let max_segments = 512
let max_depth = 63
let default_budget = 8 * 1024 * 1024

(* Of values made: 16 times the message and 1 MB, less what opening it takes. *)
let default_memory words = (16 * words) + 120_000

let make ?memory ~traversal ~depth buf base starts =
  if depth < 1 || depth > max_depth then invalid_arg "Message: depth is 1 to 63";
  let last = Array.length starts - 1 in
  if last < 1 || starts.(0) <> 0 then invalid_arg "Message: no first segment";
  for i = 1 to last do
    if starts.(i) < starts.(i - 1) then invalid_arg "Message: segments do not ascend"
  done;
  if starts.(last) > max_words then fail 0 "message of 2 GiB or more";
  let limit = base + (8 * starts.(last)) in
  if base < 0 || base > Bytes.length buf - (8 * starts.(last)) then
    invalid_arg "Message: outside the bytes";
  let hi = starts.(1) in
  let memory =
    match memory with Some n -> n | None -> default_memory starts.(Array.length starts - 1)
  in
  {
    buf;
    base;
    limit;
    near = base + (8 * hi);
    starts;
    lo = 0;
    hi;
    budget = traversal;
    memory;
    depth;
  }

let[@inline never] stray () = invalid_arg "a handle of another message"
let u32 b i = Int32.to_int (Bytes.get_int32_le b i) land 0xffff_ffff

(* A table of n sizes is one count and n sizes of 4 bytes, padded to words. *)
let table_bytes n = ((n / 2) + 1) * 8

type extent = Need of int | Whole of int
type table = Short of int | Table of int array

let read_table b ~off ~len =
  if len < 4 then Short 8
  else
    let n = u32 b off + 1 in
    if n > max_segments then fail 0 "more than 512 segments"
    else if len < table_bytes n then Short (table_bytes n)
    else
      let starts = Array.make (n + 1) 0 in
      for i = 0 to n - 1 do
        starts.(i + 1) <- starts.(i) + u32 b (off + 4 + (4 * i));
        if starts.(i + 1) > max_words then fail 0 "message of 2 GiB or more"
      done;
      Table starts

let extent b ~off ~len =
  if off < 0 || len < 0 || off > Bytes.length b - len then invalid_arg "Message.extent";
  match read_table b ~off ~len with
  | Short n -> Need n
  | Table starts ->
      let n = Array.length starts - 1 in
      let total = table_bytes n + (8 * starts.(n)) in
      if total > len then Need total else Whole total

let[@inline never] of_segments_after_table memory traversal depth b off len =
  match read_table b ~off ~len with
  | Short _ -> fail 0 "the segment table is cut off"
  | Table starts ->
      let n = Array.length starts - 1 in
      if table_bytes n + (8 * starts.(n)) > len then fail 0 "the segments are cut off";
      make ?memory ~traversal ~depth b (off + table_bytes n) starts

(* The commonest table says one segment: its size is in one word with it. *)
let[@inline never] framed memory traversal depth b off len =
  if depth < 1 || depth > max_depth then invalid_arg "Message: depth is 1 to 63";
  let table = if len >= 8 then Word.int64 b off else -1L in
  if Int64.to_int table land 0xffff_ffff = 0 then (
    let words = Int64.to_int (Int64.shift_right_logical table 32) in
    if words > (len - 8) lsr 3 then fail 0 "the segments are cut off";
    if words > max_words then fail 0 "message of 2 GiB or more";
    let base = off + 8 and starts = [| 0; words |] in
    let limit = base + (8 * words) in
    let memory = match memory with Some n -> n | None -> default_memory words in
    let budget = traversal in
    { buf = b; base; limit; near = limit; starts; lo = 0; hi = words; budget; memory; depth })
  else of_segments_after_table memory traversal depth b off len

let of_frame ?memory ?(traversal = default_budget) ?(depth = max_depth) b ~off ~len =
  if off < 0 || len < 0 || off > Bytes.length b - len then invalid_arg "Message.of_frame";
  framed memory traversal depth b off len

let of_string ?memory ?(traversal = default_budget) ?(depth = max_depth) s =
  framed memory traversal depth (Bytes.unsafe_of_string s) 0 (String.length s)

let of_segment ?memory ?(traversal = default_budget) ?(depth = max_depth) b ~off ~len =
  if off < 0 || len < 0 || off > Bytes.length b - len then invalid_arg "Message.of_segment";
  if len land 7 <> 0 then fail 0 "a segment is whole words";
  if len / 8 > max_words then fail 0 "message of 2 GiB or more";
  make ?memory ~traversal ~depth b off [| 0; len / 8 |]

let of_segments ?memory ?(traversal = default_budget) ?(depth = max_depth) parts =
  let n = List.length parts in
  if n = 0 || n > max_segments then fail 0 "1 to 512 segments make a message";
  let starts = Array.make (n + 1) 0 in
  List.iteri
    (fun i b ->
      if Bytes.length b land 7 <> 0 then fail 0 "a segment is whole words";
      starts.(i + 1) <- starts.(i) + (Bytes.length b / 8))
    parts;
  if starts.(n) > max_words then fail 0 "message of 2 GiB or more";
  make ?memory ~traversal ~depth (Bytes.concat Bytes.empty parts) 0 starts

let words m = (m.limit - m.base) lsr 3
let segments m = Array.length m.starts - 1
let segment m i = (m.base + (8 * m.starts.(i)), 8 * (m.starts.(i + 1) - m.starts.(i)))
let[@inline] set_traversal m words = m.budget <- words
let[@inline] set_memory m words = m.memory <- words
let copy_with_memory m memory = { m with memory }

(* The last segment that starts at or before the word, among those not empty. *)
let[@inline never] enter m p =
  let n = Array.length m.starts - 1 in
  if p < 0 || p >= m.starts.(n) then fail p "position outside the message";
  let low = ref 0 and high = ref n in
  while !high - !low > 1 do
    let mid = (!low + !high) / 2 in
    if m.starts.(mid) <= p then low := mid else high := mid
  done;
  m.lo <- m.starts.(!low);
  m.hi <- m.starts.(!low + 1)

let charge m at words =
  m.budget <- m.budget - words;
  if m.budget < 0 then fail at "traversal limit reached"

let[@inline never] no_memory m at =
  m.memory <- 0;
  fail at "memory limit reached"

(* Left at nothing, so that later charges cannot wrap around. *)
let[@inline] spend m at words =
  let left = m.memory - words in
  if left < 0 then no_memory m at else m.memory <- left

module Unsafe = struct
  let[@inline] set_bounds m lo hi =
    m.lo <- lo;
    m.hi <- hi
end
