open Message

type t = int

let empty = 0
let[@inline] of_handle (h : int) : t = h
let[@inline] length (t : t) = Pointer.blob_length t
let[@inline] offset m (t : t) = m.base + (Pointer.position t lsl 3)

let get m t i =
  if i < 0 || i >= length t then invalid_arg "Blob.get";
  Bytes.get m.buf (offset m t + i)

let to_string m t =
  let n = length t in
  if n = 0 then "" else Bytes.sub_string m.buf (offset m t) n

let blit m t b ~off = Bytes.blit m.buf (offset m t) b off (length t)

let equal m t s =
  let n = length t in
  n = String.length s
  &&
  let at = offset m t in
  let rec same i = i = n || (Bytes.get m.buf (at + i) = String.unsafe_get s i && same (i + 1)) in
  same 0
