type t = Varint | Length32 | Capnp
type extent = Need of int | Whole of { header : int; length : int } | Bad of string

let longest = 5
let header_room = function Varint -> longest | Length32 -> 4 | Capnp -> 0

let rec put_varint b at n =
  if n < 128 then Bytes.set_uint8 b at n
  else begin
    Bytes.set_uint8 b at (n land 127 lor 128);
    put_varint b (at + 1) (n lsr 7)
  end

let rec varint_size n = if n < 128 then 1 else 1 + varint_size (n lsr 7)

let put_header t b at n =
  match t with
  | Capnp -> at
  | Length32 ->
      Bytes.set_int32_be b (at - 4) (Int32.of_int n);
      at - 4
  | Varint ->
      let start = at - varint_size n in
      put_varint b start n;
      start

let rec varint b off len i value =
  if i = len then Need (len + 1)
  else
    let byte = Bytes.get_uint8 b (off + i) in
    let value = value lor ((byte land 127) lsl (7 * i)) in
    if byte < 128 then Whole { header = i + 1; length = value }
    else if i + 1 = longest then Bad "a length of more than 5 bytes"
    else varint b off len (i + 1) value

let extent t b ~off ~len =
  match t with
  | Varint -> varint b off len 0 0
  | Length32 when len < 4 -> Need 4
  | Length32 ->
      Whole { header = 4; length = Int32.to_int (Bytes.get_int32_be b off) land 0xffff_ffff }
  | Capnp -> (
      match Weir_capnp.Message.extent b ~off ~len with
      | Need n -> Need n
      | Whole length -> Whole { header = 0; length }
      | exception Weir_capnp.Message.Error e -> Bad e.what)
