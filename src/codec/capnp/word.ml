external unsafe_int64 : Bytes.t -> int -> int64 = "%caml_bytes_get64u"
external unsafe_int32 : Bytes.t -> int -> int32 = "%caml_bytes_get32u"
external unsafe_int16 : Bytes.t -> int -> int = "%caml_bytes_get16u"
external unsafe_set_int64 : Bytes.t -> int -> int64 -> unit = "%caml_bytes_set64u"
external unsafe_set_int32 : Bytes.t -> int -> int32 -> unit = "%caml_bytes_set32u"
external unsafe_set_int16 : Bytes.t -> int -> int -> unit = "%caml_bytes_set16u"
external swap64 : int64 -> int64 = "%bswap_int64"
external swap32 : int32 -> int32 = "%bswap_int32"
external swap16 : int -> int = "%bswap16"

let[@inline] int64 b i =
  let v = unsafe_int64 b i in
  if Sys.big_endian then swap64 v else v

let[@inline] int32 b i =
  let v = unsafe_int32 b i in
  if Sys.big_endian then swap32 v else v

let[@inline] uint32 b i = Int32.to_int (int32 b i) land 0xffff_ffff

let[@inline] uint16 b i =
  let v = unsafe_int16 b i in
  if Sys.big_endian then swap16 v else v

let[@inline] uint8 b i = Char.code (Bytes.unsafe_get b i)
let[@inline] set_int64 b i v = unsafe_set_int64 b i (if Sys.big_endian then swap64 v else v)
let[@inline] set_int32 b i v = unsafe_set_int32 b i (if Sys.big_endian then swap32 v else v)
let[@inline] set_uint16 b i v = unsafe_set_int16 b i (if Sys.big_endian then swap16 v else v)
let[@inline] set_uint8 b i v = Bytes.unsafe_set b i (Char.unsafe_chr (v land 0xff))

(* [n] bytes from [src] at [i], short ones without a call: whole words, then the last eight bytes,
   which may overlap them. *)
let substring src i n =
  let dst = Bytes.create n in
  if n > 32 then Bytes.unsafe_blit src i dst 0 n
  else if n >= 8 then (
    let last = n - 8 in
    set_int64 dst 0 (int64 src i);
    if last > 8 then set_int64 dst 8 (int64 src (i + 8));
    if last > 16 then set_int64 dst 16 (int64 src (i + 16));
    set_int64 dst last (int64 src (i + last)))
  else
    for j = 0 to n - 1 do
      set_uint8 dst j (uint8 src (i + j))
    done;
  Bytes.unsafe_to_string dst
