external get64 : Bytes.t -> int -> int64 = "%caml_bytes_get64u"
external get32 : Bytes.t -> int -> int32 = "%caml_bytes_get32u"
external get16 : Bytes.t -> int -> int = "%caml_bytes_get16u"
external set64 : Bytes.t -> int -> int64 -> unit = "%caml_bytes_set64u"
external set32 : Bytes.t -> int -> int32 -> unit = "%caml_bytes_set32u"
external set16 : Bytes.t -> int -> int -> unit = "%caml_bytes_set16u"

let limit = 32

(* Copies words, then the last eight bytes, which may overlap the words. Without a loop or a
   call, the function it is inlined into needs no stack frame. *)
let[@inline] blit src i dst j n =
  if n >= 8 then (
    let last = n - 8 in
    set64 dst j (get64 src i);
    if last > 8 then (
      set64 dst (j + 8) (get64 src (i + 8));
      if last > 16 then set64 dst (j + 16) (get64 src (i + 16)));
    set64 dst (j + last) (get64 src (i + last)))
  else if n >= 4 then (
    set32 dst j (get32 src i);
    set32 dst (j + n - 4) (get32 src (i + n - 4)))
  else if n >= 2 then (
    set16 dst j (get16 src i);
    set16 dst (j + n - 2) (get16 src (i + n - 2)))
  else if n = 1 then Bytes.unsafe_set dst j (Bytes.unsafe_get src i)

let[@inline] blit_string s dst j n =
  if n > limit then Bytes.unsafe_blit_string s 0 dst j n
  else blit (Bytes.unsafe_of_string s) 0 dst j n

let[@inline] copy src i dst j n =
  if n > limit then Bytes.unsafe_blit src i dst j n else blit src i dst j n

let[@inline never] sub src i n =
  let dst = Bytes.create n in
  if n > limit then Bytes.unsafe_blit src i dst 0 n else blit src i dst 0 n;
  Bytes.unsafe_to_string dst
