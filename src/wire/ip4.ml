type t = int

let of_int n = n land 0xffff_ffff
let get b off = (Bytes.get_uint16_be b off lsl 16) lor Bytes.get_uint16_be b (off + 2)

let set b off t =
  Bytes.set_uint16_be b off (t lsr 16);
  Bytes.set_uint16_be b (off + 2) (t land 0xffff)

let of_ipaddr a = Int32.to_int (Ipaddr.V4.to_int32 a) land 0xffff_ffff
let to_ipaddr t = Ipaddr.V4.of_int32 (Int32.of_int t)
let any = 0
let broadcast = 0xffff_ffff
let equal = Int.equal
let is_multicast t = t lsr 28 = 0xe
let is_loopback t = t lsr 24 = 127

let pp f t =
  Fmt.pf f "%d.%d.%d.%d" (t lsr 24) ((t lsr 16) land 255) ((t lsr 8) land 255) (t land 255)

let pseudo_sum ~src ~dst ~protocol ~length =
  let s = (src lsr 16) + (src land 0xffff) + (dst lsr 16) + (dst land 0xffff) + protocol + length in
  let s = (s land 0xffff) + (s lsr 16) in
  (s land 0xffff) + (s lsr 16)
