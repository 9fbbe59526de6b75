external int64 : Bytes.t -> int -> int64 = "%caml_bytes_get64u"
external int32 : Bytes.t -> int -> int32 = "%caml_bytes_get32u"
external uint16 : Bytes.t -> int -> int = "%caml_bytes_get16u"
external uint8 : Bytes.t -> int -> int = "%bytes_unsafe_get"
external set_int64 : Bytes.t -> int -> int64 -> unit = "%caml_bytes_set64u"
external set_int32 : Bytes.t -> int -> int32 -> unit = "%caml_bytes_set32u"
external set_uint16 : Bytes.t -> int -> int -> unit = "%caml_bytes_set16u"
external set_uint8 : Bytes.t -> int -> int -> unit = "%bytes_unsafe_set"

let () = if Sys.big_endian then failwith "weir.capnp: little-endian machines only"

(* [n] bytes from [src] at [i], short ones without a call: whole words, then the last eight bytes,
   which may overlap them. *)
let[@inline never] substring src i n =
  let dst = Bytes.create n in
  if n > 32 then Bytes.unsafe_blit src i dst 0 n
  else if n >= 8 then (
    let last = n - 8 in
    set_int64 dst 0 (int64 src i);
    if last > 8 then set_int64 dst 8 (int64 src (i + 8));
    if last > 16 then set_int64 dst 16 (int64 src (i + 16));
    set_int64 dst last (int64 src (i + last)))
  else if n >= 4 then (
    set_int32 dst 0 (int32 src i);
    set_int32 dst (n - 4) (int32 src (i + n - 4)))
  else
    for j = 0 to n - 1 do
      set_uint8 dst j (uint8 src (i + j))
    done;
  Bytes.unsafe_to_string dst

let[@inline] zero buf at words =
  for w = 0 to words - 1 do
    set_int64 buf (at + (w lsl 3)) 0L
  done

(* As [substring], the other way; the last word is zeroed first, since the bytes may end in it. *)
let[@inline] put_string dst at s n room =
  set_int64 dst (at + room - 8) 0L;
  let src = Bytes.unsafe_of_string s in
  if n > 32 then Bytes.unsafe_blit_string s 0 dst at n
  else if n >= 8 then (
    let last = n - 8 in
    set_int64 dst at (int64 src 0);
    if last > 8 then set_int64 dst (at + 8) (int64 src 8);
    if last > 16 then set_int64 dst (at + 16) (int64 src 16);
    set_int64 dst (at + last) (int64 src last))
  else if n >= 4 then (
    set_int32 dst at (int32 src 0);
    set_int32 dst (at + n - 4) (int32 src (n - 4)))
  else
    for j = 0 to n - 1 do
      set_uint8 dst (at + j) (uint8 src j)
    done
