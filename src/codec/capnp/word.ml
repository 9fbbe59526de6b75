external int64 : Bytes.t -> int -> int64 = "%caml_bytes_get64u"
external int32 : Bytes.t -> int -> int32 = "%caml_bytes_get32u"
external uint16 : Bytes.t -> int -> int = "%caml_bytes_get16u"
external uint8 : Bytes.t -> int -> int = "%bytes_unsafe_get"
external set_int64 : Bytes.t -> int -> int64 -> unit = "%caml_bytes_set64u"
external set_int32 : Bytes.t -> int -> int32 -> unit = "%caml_bytes_set32u"
external set_uint16 : Bytes.t -> int -> int -> unit = "%caml_bytes_set16u"
external set_uint8 : Bytes.t -> int -> int -> unit = "%bytes_unsafe_set"

let () = if Sys.big_endian then failwith "weir.capnp: little-endian machines only"

let short = 32

(* At most [short] bytes, with neither a loop nor a call: first words, then the last eight bytes,
   which may overlap them. *)
let[@inline] copy_short src i dst at n =
  if n >= 8 then (
    let last = n - 8 in
    set_int64 dst at (int64 src i);
    if last > 8 then (
      set_int64 dst (at + 8) (int64 src (i + 8));
      if last > 16 then set_int64 dst (at + 16) (int64 src (i + 16)));
    set_int64 dst (at + last) (int64 src (i + last)))
  else if n >= 4 then (
    set_int32 dst at (int32 src i);
    set_int32 dst (at + n - 4) (int32 src (i + n - 4)))
  else if n >= 2 then (
    set_uint16 dst at (uint16 src i);
    set_uint16 dst (at + n - 2) (uint16 src (i + n - 2)))
  else if n = 1 then set_uint8 dst at (uint8 src i)

let[@inline never] substring src i n =
  let dst = Bytes.create n in
  if n > short then Bytes.unsafe_blit src i dst 0 n else copy_short src i dst 0 n;
  Bytes.unsafe_to_string dst

let[@inline] put_short dst at s n = copy_short (Bytes.unsafe_of_string s) 0 dst at n

let[@inline] put_string dst at s n =
  if n > short then Bytes.unsafe_blit_string s 0 dst at n else put_short dst at s n

let[@inline] zero buf at words =
  if words > 4 then Bytes.unsafe_fill buf at (words lsl 3) '\000'
  else
    let i = ref at and stop = at + (words lsl 3) in
    while !i < stop do
      set_int64 buf !i 0L;
      i := !i + 8
    done
