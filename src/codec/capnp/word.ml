external int64 : Bytes.t -> int -> int64 = "%caml_bytes_get64u"
external int32 : Bytes.t -> int -> int32 = "%caml_bytes_get32u"
external uint16 : Bytes.t -> int -> int = "%caml_bytes_get16u"
external uint8 : Bytes.t -> int -> int = "%bytes_unsafe_get"
external set_int64 : Bytes.t -> int -> int64 -> unit = "%caml_bytes_set64u"
external set_int32 : Bytes.t -> int -> int32 -> unit = "%caml_bytes_set32u"
external set_uint16 : Bytes.t -> int -> int -> unit = "%caml_bytes_set16u"
external set_uint8 : Bytes.t -> int -> int -> unit = "%bytes_unsafe_set"

(* A handle takes 63 bits; JavaScript's ints have 32, and would be wrong without a word. *)
let () =
  if Sys.big_endian then failwith "weir-capnp: little-endian machines only";
  if Sys.int_size < 63 then failwith "weir-capnp: machines of 64 bits only"

let[@inline] zero buf at words =
  if words > 4 then Bytes.unsafe_fill buf at (words lsl 3) '\000'
  else
    let i = ref at and stop = at + (words lsl 3) in
    while !i < stop do
      set_int64 buf !i 0L;
      i := !i + 8
    done
