type t = { mutable bytes : Bytes.t; mutable off : int; mutable len : int }

let make bytes ~off ~len =
  if off < 0 || len < 0 || off > Bytes.length bytes - len then invalid_arg "Slice.make";
  { bytes; off; len }

let of_string s = { bytes = Bytes.unsafe_of_string s; off = 0; len = String.length s }
let empty () = { bytes = Bytes.empty; off = 0; len = 0 }

let set t bytes ~off ~len =
  if t.bytes != bytes then t.bytes <- bytes;
  t.off <- off;
  t.len <- len

let to_string t = Bytes.sub_string t.bytes t.off t.len
let pp ppf t = Format.fprintf ppf "%S" (to_string t)

external get64 : Bytes.t -> int -> int64 = "%caml_bytes_get64u"
external set64 : Bytes.t -> int -> int64 -> unit = "%caml_bytes_set64u"

(* The C call of [Bytes.blit] costs more than copying a short range. One word from each end covers 8
   to 16 bytes, two from each end 16 to 32. All are read before any is written, so the ranges may
   overlap. *)
let inside src i dst j len =
  i >= 0 && j >= 0 && i <= Bytes.length src - len && j <= Bytes.length dst - len

let blit_longer src i dst j len =
  if len < 17 || len > 32 || not (inside src i dst j len) then Bytes.blit src i dst j len
  else begin
    let a = get64 src i and b = get64 src (i + 8) in
    let c = get64 src (i + len - 16) and d = get64 src (i + len - 8) in
    set64 dst j a;
    set64 dst (j + 8) b;
    set64 dst (j + len - 16) c;
    set64 dst (j + len - 8) d
  end

let[@inline] blit src i dst j len =
  if len >= 8 && len <= 16 && inside src i dst j len then begin
    let a = get64 src i and b = get64 src (i + len - 8) in
    set64 dst j a;
    set64 dst (j + len - 8) b
  end
  else blit_longer src i dst j len
