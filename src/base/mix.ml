(* The golden ratio's odd constant of 61 bits, 0x1e3779b97f4a7c15, as a sum and as three limbs of 21
   bits: JavaScript has no integer literals of more than 53 bits. *)
let bits = 21
let mask = (1 lsl bits) - 1
let r0 = 0xa_7c15
let r1 = 0xd_cbfa
let r2 = 0x7_8dde

let by_limbs n =
  let n0 = n land mask and n1 = (n lsr bits) land mask and n2 = n lsr (2 * bits) in
  let low = n0 * r0 in
  let middle = (n0 * r1) + (n1 * r0) + (low lsr bits) in
  let high = (n0 * r2) + (n1 * r1) + (n2 * r0) + (middle lsr bits) in
  ((high land mask) lsl 31) + ((middle land mask) lsl 10) + ((low land mask) lsr 11)

let long = max_int lsr 53 > 0

let[@inline] scramble n =
  if long then (n * ((0x1e37_79b9 lsl 32) lor 0x7f4a_7c15)) lsr 11 else by_limbs n
