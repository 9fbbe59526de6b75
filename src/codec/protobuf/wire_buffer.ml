(* A number's low 63 bits, without a boxed one on the way. *)
let rec int b v =
  if v land lnot 127 = 0 then Buffer.add_char b (Char.unsafe_chr v)
  else (
    Buffer.add_char b (Char.unsafe_chr (v land 127 lor 128));
    int b (v lsr 7))

let varint b v =
  let low = Int64.to_int v in
  if Int64.compare v 0L >= 0 then int b low
  else (
    for i = 0 to 8 do
      Buffer.add_char b (Char.unsafe_chr ((low lsr (7 * i)) land 127 lor 128))
    done;
    Buffer.add_char b '\001')

(* A negative number takes ten bytes, the last of them its sign. *)
let small b v =
  if v >= 0 then int b v
  else (
    for i = 0 to 8 do
      Buffer.add_char b (Char.unsafe_chr ((v asr (7 * i)) land 127 lor 128))
    done;
    Buffer.add_char b '\001')

let tag b number wire = int b ((number lsl 3) lor wire)

let block b s =
  int b (String.length s);
  Buffer.add_string b s

let piece b s from n =
  int b n;
  Buffer.add_substring b s from n

let delimited b f =
  let start = Buffer.length b in
  f b;
  let n = Buffer.length b - start in
  let s = Buffer.sub b start n in
  Buffer.truncate b start;
  block b s;
  n

let fixed32 = Buffer.add_int32_le
let fixed64 = Buffer.add_int64_le

let integer b (k : Descriptor.kind) v =
  match k with
  | Sint32 | Sint64 -> varint b (Int64.logxor (Int64.shift_left v 1) (Int64.shift_right v 63))
  | Fixed32 | Sfixed32 -> fixed32 b (Int64.to_int32 v)
  | Fixed64 | Sfixed64 -> fixed64 b v
  | Int32 | Int64 | Uint32 | Uint64 | Bool | Enum _ -> varint b v
  | Double | Float | String | Bytes | Raw_string | Message _ | Delimited _ ->
      invalid_arg "Wire_buffer.integer"

let whole b (k : Descriptor.kind) v =
  match k with
  | Sint32 | Sint64 -> int b ((v lsl 1) lxor (v asr 62))
  | Fixed32 | Sfixed32 -> fixed32 b (Int32.of_int v)
  | Fixed64 | Sfixed64 -> fixed64 b (Int64.of_int v)
  | _ -> small b v

let between v low high = Int64.compare v low >= 0 && Int64.compare v high <= 0

let in_range (k : Descriptor.kind) v =
  match k with
  | Int32 | Sint32 | Sfixed32 | Enum _ -> between v (-0x80000000L) 0x7fffffffL
  | Uint32 | Fixed32 -> between v 0L 0xffffffffL
  | Double | Float | Int64 | Uint64 | Sint64 | Fixed64 | Sfixed64 | Bool | String | Bytes
  | Raw_string | Message _ | Delimited _ ->
      true

let fits (k : Descriptor.kind) v =
  match k with
  | Int32 | Sint32 | Sfixed32 | Enum _ -> v >= -0x80000000 && v <= 0x7fffffff
  | Uint32 | Fixed32 -> v >= 0 && v <= 0xffffffff
  | Uint64 | Fixed64 -> v >= 0
  | _ -> true

let is_unsigned (k : Descriptor.kind) = match k with Uint64 | Fixed64 -> true | _ -> false

let set_item b id contents =
  tag b 1 3;
  tag b 2 0;
  varint b (Int64.of_int id);
  tag b 3 2;
  block b contents;
  tag b 1 4
