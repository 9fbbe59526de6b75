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
