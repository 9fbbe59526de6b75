let rec varint b v =
  if Int64.equal (Int64.logand v (Int64.lognot 127L)) 0L then
    Buffer.add_char b (Char.chr (Int64.to_int v))
  else (
    Buffer.add_char b (Char.chr (Int64.to_int (Int64.logand v 127L) lor 128));
    varint b (Int64.shift_right_logical v 7))

let tag b number wire = varint b (Int64.of_int ((number lsl 3) lor wire))

let block b s =
  varint b (Int64.of_int (String.length s));
  Buffer.add_string b s

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

let between v low high = Int64.compare v low >= 0 && Int64.compare v high <= 0

let in_range (k : Descriptor.kind) v =
  match k with
  | Int32 | Sint32 | Sfixed32 | Enum _ -> between v (-0x80000000L) 0x7fffffffL
  | Uint32 | Fixed32 -> between v 0L 0xffffffffL
  | Double | Float | Int64 | Uint64 | Sint64 | Fixed64 | Sfixed64 | Bool | String | Bytes
  | Raw_string | Message _ | Delimited _ ->
      true

let is_unsigned (k : Descriptor.kind) = match k with Uint64 | Fixed64 -> true | _ -> false

let set_item b id contents =
  tag b 1 3;
  tag b 2 0;
  varint b (Int64.of_int id);
  tag b 3 2;
  block b contents;
  tag b 1 4
