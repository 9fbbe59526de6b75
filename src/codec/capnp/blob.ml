open Message

type t = int

let empty = 0
let[@inline] of_handle (h : int) : t = h
let[@inline] length (t : t) = Pointer.blob_length t
let[@inline] offset m (t : t) = m.base + Pointer.blob_byte t

let get m t i =
  if i < 0 || i >= length t then invalid_arg "Blob.get";
  let at = offset m t + i in
  if at >= m.limit then stray () else Bytes.unsafe_get m.buf at

(* Where the [n] bytes of it begin. *)
let[@inline] inside m t n =
  let at = offset m t in
  if at + n > m.limit then stray () else at

let[@inline never] to_string m t =
  let n = length t in
  if n = 0 then "" else Weir_base.Unsafe.Short.sub m.buf (inside m t n) n

let[@inline never] copy m t =
  let n = length t in
  if n = 0 then ""
  else
    let from = inside m t n in
    spend m (Pointer.blob_byte t lsr 3) (Pointer.string_words n);
    Weir_base.Unsafe.Short.sub m.buf from n

let[@inline never] blit m t b ~off =
  let n = length t in
  Bytes.blit m.buf (inside m t n) b off n

let[@inline never] equal m t s =
  let n = length t in
  n = String.length s
  &&
  let at = inside m t n in
  let rec same i = i = n || (Bytes.get m.buf (at + i) = String.unsafe_get s i && same (i + 1)) in
  same 0
