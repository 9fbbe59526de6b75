external set : Bytes.t -> int -> char -> unit = "%bytes_unsafe_set"
external set16_ne : Bytes.t -> int -> int -> unit = "%caml_bytes_set16u"
external set32_ne : Bytes.t -> int -> int32 -> unit = "%caml_bytes_set32u"
external set64_ne : Bytes.t -> int -> int64 -> unit = "%caml_bytes_set64u"
external swap16 : int -> int = "%bswap16"
external swap32 : int32 -> int32 = "%bswap_int32"
external swap64 : int64 -> int64 = "%bswap_int64"

let[@inline] put b i v = set b i (Char.unsafe_chr v)
let[@inline] set16 b i v = set16_ne b i (if Sys.big_endian then swap16 v else v)
let[@inline] set32 b i v = set32_ne b i (if Sys.big_endian then swap32 v else v)
let[@inline] set64 b i v = set64_ne b i (if Sys.big_endian then swap64 v else v)
let out_of_range kind v = invalid_arg (Printf.sprintf "protobuf: %d does not fit %s" v kind)

let[@inline never] size_long v =
  if v < 0x4000 then 2
  else if v < 0x200000 then 3
  else if v < 0x10000000 then 4
  else if v < 0x800000000 then 5
  else
    let rec go v n = if v < 128 then n else go (v lsr 7) (n + 1) in
    go (v lsr 35) 6

let[@inline] size_varint v = if v < 128 then 1 else size_long v

let[@inline never] size_int32_long v =
  if v < 0 then if v < -0x80000000 then out_of_range "int32" v else 10
  else if v > 0x7fffffff then out_of_range "int32" v
  else size_long v

let[@inline] size_int32 v = if v land lnot 127 = 0 then 1 else size_int32_long v

let[@inline never] size_uint32_long v =
  if v < 0 || v > 0xffffffff then out_of_range "uint32" v else size_long v

let[@inline] size_uint32 v = if v land lnot 127 = 0 then 1 else size_uint32_long v
let[@inline] zigzag v = (v lsl 1) lxor (v asr 62)

let[@inline never] size_sint32 v =
  if v < -0x80000000 || v > 0x7fffffff then out_of_range "sint32" v else size_varint (zigzag v)

let[@inline] size_int64_in v =
  if Int64.compare v 0L < 0 then 10
  else if Int64.compare v 0x3fffffffffffffffL <= 0 then size_varint (Int64.to_int v)
  else 9

let zigzag64 v = Int64.logxor (Int64.shift_left v 1) (Int64.shift_right v 63)

(* Within, so that what zigzag makes is not boxed. *)
let[@inline never] size_int64 v = size_int64_in v
let[@inline never] size_sint64 v = size_int64_in (zigzag64 v)

(* No call, so that nothing is saved for after one; a length over 31 bits is refused later. *)
let[@inline] size_block n =
  if n < 128 then n + 1
  else if n < 0x4000 then n + 2
  else n + 3 + Bool.to_int (n >= 0x200000) + Bool.to_int (n >= 0x10000000)

let[@inline] size_text s = size_block (String.length s)
let[@inline] size_slice t = size_block (Slice.length t)

let[@inline never] rec sum_from size acc = function
  | [] -> acc
  | x :: rest -> sum_from size (acc + size x) rest

let[@inline] sum size l = sum_from size 0 l

let[@inline never] rec sum_texts n tag = function
  | [] -> n
  | s :: rest -> sum_texts (n + tag + size_text s) tag rest

(* Where there is no room, positions go on below 0 and nothing is written: what the whole takes is
   known at the end. *)
let changed () = invalid_arg "protobuf: an array changed while it was written"

(* Of that the bytes of long blocks, which are soon counted. A hint: other domains count too. *)
let bulk = ref 0
let[@inline never] no_room n = if n >= 512 then bulk := !bulk + n

let[@inline] byte b stop v =
  if stop > 0 then put b (stop - 1) v;
  stop - 1

(* [v] is taken as unsigned and not negative; from the lowest byte up. *)
let rec varint_up b i v =
  if v < 128 then put b i v
  else (
    put b i (v land 127 lor 128);
    varint_up b (i + 1) (v lsr 7))

(* Fourteen bits as a number of two bytes: the upper seven move up by one. *)
let[@inline] two b stop v =
  if stop >= 2 then set16 b (stop - 2) (v + (v land 0x3f80) + 128);
  stop - 2

let[@inline never] varint_long b stop v =
  if v < 0x4000 then two b stop v
  else
    let start = stop - size_long v in
    if start >= 0 then varint_up b start v;
    start

let[@inline] varint b stop v = if v < 128 then byte b stop v else varint_long b stop v

(* All ten bytes of a number whose top bit is set; an int is sign-extended. *)
let ten_bytes b stop v =
  let start = stop - 10 in
  if start >= 0 then begin
    for i = 0 to 8 do
      let bits = Int64.to_int (Int64.shift_right_logical v (7 * i)) land 127 in
      put b (start + i) (bits lor 128)
    done;
    put b (start + 9) 1
  end;
  start

let[@inline never] int_long b stop v =
  if v < 0 then ten_bytes b stop (Int64.of_int v) else varint_long b stop v

let[@inline] int b stop v = if v land lnot 127 = 0 then byte b stop v else int_long b stop v

let[@inline never] int32_long b stop v =
  if v < 0 then
    if v < -0x80000000 then out_of_range "int32" v else ten_bytes b stop (Int64.of_int v)
  else if v > 0x7fffffff then out_of_range "int32" v
  else varint_long b stop v

let[@inline] int32 b stop v = if v land lnot 127 = 0 then byte b stop v else int32_long b stop v

let[@inline never] uint32_long b stop v =
  if v < 0 || v > 0xffffffff then out_of_range "uint32" v else varint_long b stop v

let[@inline] uint32 b stop v = if v land lnot 127 = 0 then byte b stop v else uint32_long b stop v

let[@inline never] sint32 b stop v =
  if v < -0x80000000 || v > 0x7fffffff then out_of_range "sint32" v else varint b stop (zigzag v)

let[@inline] int64_in b stop v =
  if Int64.compare v 0L < 0 then ten_bytes b stop v
  else if Int64.compare v 0x3fffffffffffffffL <= 0 then varint b stop (Int64.to_int v)
  else
    (* 63 bits: nine bytes, the last without continuation. *)
    let start = stop - 9 in
    if start >= 0 then
      for i = 0 to 8 do
        let bits = Int64.to_int (Int64.shift_right_logical v (7 * i)) land 127 in
        put b (start + i) (if i = 8 then bits else bits lor 128)
      done;
    start

let[@inline never] int64 b stop v = int64_in b stop v
let[@inline never] sint64 b stop v = int64_in b stop (zigzag64 v)
let[@inline] bool b stop v = byte b stop (if v then 1 else 0)

let[@inline] bits32 b stop v =
  if stop >= 4 then set32 b (stop - 4) v;
  stop - 4

let[@inline] fixed64 b stop v =
  if stop >= 8 then set64 b (stop - 8) v;
  stop - 8

let[@inline never] fixed32 b stop v =
  if v < 0 || v > 0xffffffff then out_of_range "fixed32" v;
  bits32 b stop (Int32.of_int v)

let[@inline never] sfixed32 b stop v =
  if v < -0x80000000 || v > 0x7fffffff then out_of_range "sfixed32" v;
  bits32 b stop (Int32.of_int v)

let[@inline] float b stop v = bits32 b stop (Int32.bits_of_float v)
let[@inline] double b stop v = fixed64 b stop (Int64.bits_of_float v)

external blit : string -> int -> Bytes.t -> int -> int -> unit = "caml_blit_string" [@@noalloc]

let[@inline never] raw_bytes b stop s =
  let n = String.length s in
  if stop >= n then blit s 0 b (stop - n) n else no_room n;
  stop - n

let[@inline] raw b stop s = if String.length s = 0 then stop else raw_bytes b stop s
let not_utf8 () = invalid_arg "protobuf: string is not UTF-8"

(* A tag, or a length behind which [start] is. *)
let[@inline] prefix b start v =
  if v < 128 then byte b start v else if v < 0x4000 then two b start v else varint_long b start v

let[@inline never] any_block b stop start tag = prefix b (prefix b start (stop - start)) tag

(* The shortest length and tag are stored as one. *)
let[@inline] short_block b start n tag =
  if start >= 2 then set16 b (start - 2) ((n lsl 8) lor tag);
  start - 2

let[@inline never] block b stop start tag =
  let n = stop - start in
  if n < 128 && tag < 128 then short_block b start n tag
  else if n < 0x4000 && tag < 128 then byte b (two b start n) tag
  else any_block b stop start tag

(* A tag and a number of a byte each are one number of 16 bits. *)
let[@inline] short_field put b stop tag v =
  if v land lnot 127 = 0 && tag < 128 then short_block b stop v tag else prefix b (put b stop v) tag

let[@inline never] int32_field b stop tag v = short_field int32 b stop tag v
let[@inline never] uint32_field b stop tag v = short_field uint32 b stop tag v
let[@inline never] sint32_field b stop tag v = prefix b (sint32 b stop v) tag
let[@inline never] int64_field b stop tag v = prefix b (int64_in b stop v) tag
let[@inline never] sint64_field b stop tag v = prefix b (int64_in b stop (zigzag64 v)) tag
let[@inline never] bool_field b stop tag v = prefix b (bool b stop v) tag
let[@inline never] fixed32_field b stop tag v = prefix b (fixed32 b stop v) tag
let[@inline never] sfixed32_field b stop tag v = prefix b (sfixed32 b stop v) tag
let[@inline never] fixed64_field b stop tag v = prefix b (fixed64 b stop v) tag
let[@inline never] float_field b stop tag v = prefix b (float b stop v) tag
let[@inline never] double_field b stop tag v = prefix b (double b stop v) tag
let[@inline never] text b stop s = prefix b (raw b stop s) (String.length s)

let[@inline never] any_string b stop tag s =
  let n = String.length s in
  let start = stop - n in
  if start < 0 then no_room n else if not (Utf8_copy.copy s 0 b start n) then not_utf8 ();
  block b stop start tag

(* Nothing is called on the way of a short one, so nothing is saved for after. *)
let[@inline] string_of_length b stop tag s n =
  if n <= 16 && tag < 128 && stop - n >= 2 && Utf8_copy.short s 0 b (stop - n) n = 0 then (
    set16 b (stop - n - 2) ((n lsl 8) lor tag);
    stop - n - 2)
  else any_string b stop tag s

let[@inline never] string b stop tag s = string_of_length b stop tag s (String.length s)

let[@inline never] filled_string b stop tag s =
  let n = String.length s in
  if n = 0 then stop else string_of_length b stop tag s n

let[@inline never] checked b stop s =
  let n = String.length s in
  if stop < n then no_room n else if not (Utf8_copy.copy s 0 b (stop - n) n) then not_utf8 ();
  stop - n

let[@inline never] bytes b stop tag s = block b stop (raw b stop s) tag

(* Lists are written from their end, by recursion. Of a long one the stack would take more memory
   than the list: it is written by pieces of so many, from the last. *)
let piece = 256

let rec pieces n acc = function
  | [] -> acc
  | _ :: rest as l -> if n = 0 then pieces (piece - 1) (l :: acc) rest else pieces (n - 1) acc rest

let[@inline never] by_pieces go b stop tag l =
  let rec from stop until = function
    | [] -> stop
    | l :: before -> from (go b stop tag max_int until l) l before
  in
  from stop [] (pieces 0 [] l)

(* [l] up to [until]; by pieces if that is longer than [n]. *)
let rec strings b stop tag n until l =
  if l == until then stop
  else
    match l with
    | s :: rest when n > 0 ->
        let stop = strings b stop tag (n - 1) until rest in
        string_of_length b stop tag s (String.length s)
    | l -> by_pieces strings b stop tag l

let rec blocks b stop tag n until l =
  if l == until then stop
  else
    match l with
    | s :: rest when n > 0 -> bytes b (blocks b stop tag (n - 1) until rest) tag s
    | l -> by_pieces blocks b stop tag l

(* Those that are only counted need no stack. *)
let sum_blocks stop tag l = stop - sum_texts 0 (size_varint tag) l

let[@inline never] all_strings b stop tag l =
  if stop <= 0 then sum_blocks stop tag l else strings b stop tag piece [] l

let[@inline never] all_bytes b stop tag l =
  if stop <= 0 then sum_blocks stop tag l else blocks b stop tag piece [] l

let slice_bytes b stop tag t =
  let n = Slice.length t in
  let start = stop - n in
  if start >= 0 then blit (Slice.base t) (Slice.first t) b start n else no_room n;
  block b stop start tag

let[@inline never] slice b stop tag t = slice_bytes b stop tag t

let[@inline never] slice_text b stop tag t =
  if Utf8.valid (Slice.base t) (Slice.first t) (Slice.length t) then slice_bytes b stop tag t
  else not_utf8 ()

let rec each write b stop = function [] -> stop | x :: rest -> write b (each write b stop rest) x

let rec count write b stop = function
  | [] -> stop
  | x :: rest -> count write b (write b stop x) rest

let[@inline never] all write b stop l =
  if stop <= 0 then count write b stop l else each write b stop l

let[@inline] short_or long b stop x =
  if x land lnot 127 = 0 then byte b stop x
  else if x land lnot 0x3fff = 0 then two b stop x
  else long b stop x

(* From the last, two a step. *)
let rec all_int32 b stop = function
  | [] -> stop
  | [ x ] -> short_or int32_long b stop x
  | x :: y :: rest ->
      let stop = short_or int32_long b (all_int32 b stop rest) y in
      short_or int32_long b stop x

let rec all_int b stop = function
  | [] -> stop
  | [ x ] -> short_or int_long b stop x
  | x :: y :: rest ->
      let stop = short_or int_long b (all_int b stop rest) y in
      short_or int_long b stop x

(* The bits of a negative zero are not zero. *)
let[@inline] is_zero x = x = 0. && Int64.equal (Int64.bits_of_float x) 0L
let largest = 0x7fffffff
let[@inline never] too_large () = invalid_arg "protobuf: message of more than 2,147,483,647 bytes"
let size write v = -write Bytes.empty 0 v

let to_string size write =
  if size > largest then too_large ();
  let b = Bytes.create size in
  if write b size <> 0 then changed ();
  Bytes.unsafe_to_string b
