external get8 : string -> int -> char = "%string_unsafe_get"
external get64 : string -> int -> int64 = "%caml_string_get64u"
external get32 : string -> int -> int32 = "%caml_string_get32u"
external set8 : Bytes.t -> int -> char -> unit = "%bytes_unsafe_set"
external set32 : Bytes.t -> int -> int32 -> unit = "%caml_bytes_set32u"
external set64 : Bytes.t -> int -> int64 -> unit = "%caml_bytes_set64u"

external copy_ascii :
  string -> (int[@untagged]) -> Bytes.t -> (int[@untagged]) -> (int[@untagged]) -> (int[@untagged])
  = "weir_protobuf_copy_ascii_byte" "weir_protobuf_copy_ascii"
[@@noalloc]

(* Numbers are read, written and tested as ints of 63 bits; JavaScript's have 32, and would be wrong
   without a word. (All readers and writers are linked with this.) *)
let () = if Sys.int_size < 63 then failwith "weir-protobuf: machines of 64 bits only"
let[@inline never] copy_long s from b at n = copy_ascii s from b at n <> 0 || Utf8.valid s from n

(* Two words or halves that may overlap; no call is made. What is left of the bytes is their
   top bits, moved so that an int holds them. *)
let[@inline] short s from b at n =
  if n >= 8 then (
    let x = get64 s from and y = get64 s (from + n - 8) in
    set64 b at x;
    set64 b (at + n - 8) y;
    let open Int64 in
    to_int (shift_right_logical (logand (logor x y) 0x8080808080808080L) 7))
  else if n >= 4 then (
    let x = get32 s from and y = get32 s (from + n - 4) in
    set32 b at x;
    set32 b (at + n - 4) y;
    Int32.to_int (Int32.logor x y) land 0x80808080)
  else if n = 0 then 0
  else
    let x = get8 s from and y = get8 s (from + (n lsr 1)) and z = get8 s (from + n - 1) in
    set8 b at x;
    set8 b (at + (n lsr 1)) y;
    set8 b (at + n - 1) z;
    Char.code x lor Char.code y lor Char.code z land 128

let[@inline] copy s from b at n =
  if n > 16 then copy_long s from b at n else short s from b at n = 0 || Utf8.valid s from n
