(* On a block that is being written, or was not yet. *)
external advise : 'a -> unit = "weir_protobuf_advise" [@@noalloc]
external filled : int -> int array = "weir_protobuf_large_ints"

(* Two pages of 2 MB, of which one at least is whole. *)
let least = 1 lsl 22

let bytes n =
  let b = Bytes.create n in
  if n >= least then advise b;
  b

let floats n =
  let a = Float.Array.create n in
  if n >= least / 8 then advise a;
  a

let ints n = if n >= least / 8 && n <= Sys.max_array_length then filled n else Array.make n 0
