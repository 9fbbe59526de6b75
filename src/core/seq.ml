type t = int

let[@inline] add s n = (s + n) land 0xffff_ffff

(* Shifting bit 31 into the sign bit and back extends it. *)
let[@inline] diff a b = ((a - b) lsl (Sys.int_size - 32)) asr (Sys.int_size - 32)
let[@inline] lt a b = diff a b < 0
let[@inline] leq a b = diff a b <= 0
let[@inline] max a b = if lt a b then b else a
