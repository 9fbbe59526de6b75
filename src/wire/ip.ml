type t = string

let v4_length = 4
let v6_length = 16
let v4_header = 20
let v6_header = 40
let[@inline] word b at = Int32.to_int (Bytes.get_int32_be b at) land 0xffff_ffff

(* No [t] is shorter than 4 bytes. *)
external unsafe_get_int32_ne : t -> int -> int32 = "%caml_string_get32u"
external bswap32 : int32 -> int32 = "%bswap_int32"

let[@inline] first_word t = unsafe_get_int32_ne t 0

let[@inline] v4_word t =
  let w = first_word t in
  Int32.to_int (if Sys.big_endian then w else bswap32 w) land 0xffff_ffff

let of_int n =
  let b = Bytes.create v4_length in
  Bytes.set_int32_be b 0 (Int32.of_int n);
  Bytes.unsafe_to_string b

let get b off ~length =
  if length <> v4_length && length <> v6_length then invalid_arg "Ip.get: length";
  Bytes.sub_string b off length

let[@inline] set b off t =
  if String.length t = v4_length then Bytes.set_int32_ne b off (first_word t)
  else (
    Bytes.set_int64_ne b off (String.get_int64_ne t 0);
    Bytes.set_int64_ne b (off + 8) (String.get_int64_ne t 8))

let of_v4 = Ipaddr.V4.to_octets
let length = String.length
let is_v4 t = String.length t = v4_length

let to_v4 t =
  if not (is_v4 t) then invalid_arg "Ip.to_v4: an IPv6 address";
  Ipaddr.V4.of_octets_exn t

let of_ipaddr = Ipaddr.to_octets
let mapped_prefix = String.make 10 '\000' ^ "\xff\xff"
let to_ipaddr = Ipaddr.of_octets_exn
let is_mapped t = String.length t = v6_length && String.starts_with ~prefix:mapped_prefix t
let unmapped t = if is_mapped t then String.sub t 12 v4_length else t
let mapped t = if is_v4 t then mapped_prefix ^ t else t
let any = of_int 0
let loopback = of_int 0x7f000001
let broadcast = of_int 0xffff_ffff

(* Safe: the result is only read. *)
let bytes : t -> Bytes.t = Bytes.unsafe_of_string

(* -- comparing ----------------------------------------------------------- *)

(* [t] is of IPv6. *)
let same_v6 t b at =
  Int64.equal (String.get_int64_ne t 8) (Bytes.get_int64_ne b (at + 8))
  && Int64.equal (String.get_int64_ne t 0) (Bytes.get_int64_ne b at)

let[@inline] is_at t b at ~length =
  length = String.length t
  &&
  if length = v4_length then Int32.equal (first_word t) (Bytes.get_int32_ne b at)
  else same_v6 t b at

let[@inline] equal a b = a == b || is_at a (bytes b) 0 ~length:(String.length b)
let compare = String.compare

let rec same_bits a b at bits =
  bits <= 0
  || (word a at lxor word b at) lsr (32 - Int.min 32 bits) = 0
     && same_bits a b (at + 4) (bits - 32)

(* With 0 bits the shift is by 32, and the result is always 0. *)
let[@inline] shares_prefix a b ~bits =
  String.length a = String.length b
  &&
  if String.length a = v4_length then (v4_word a lxor v4_word b) lsr (32 - bits) = 0
  else same_bits (bytes a) (bytes b) 0 bits

let bits t = 8 * String.length t

let with_host_bits t ~prefix_length ~ones =
  let byte i c =
    let host = 0xff lsr Int.max 0 (Int.min 8 (prefix_length - (8 * i))) in
    let c = Char.code c in
    Char.unsafe_chr (if ones then c lor host else c land lnot host land 0xff)
  in
  String.mapi byte t

let network t ~prefix_length = with_host_bits t ~prefix_length ~ones:false
let last t ~prefix_length = with_host_bits t ~prefix_length ~ones:true

(* -- kinds --------------------------------------------------------------- *)

let rec zeros b at left = left = 0 || (word b at = 0 && zeros b (at + 4) (left - 4))
let[@inline] is_any_at b at ~length = zeros b at length

let[@inline] is_multicast_at b at ~length =
  if length = v4_length then Bytes.get_uint8 b at lsr 4 = 0xe else Bytes.get_uint8 b at = 0xff

let any_v6 = String.make v6_length '\000'
let loopback_v6 = String.make 15 '\000' ^ "\001"
let all_nodes = "\xff\x02" ^ String.make 13 '\000' ^ "\001"
let all_routers = "\xff\x02" ^ String.make 13 '\000' ^ "\002"

let is_mapped_at b at ~length =
  length = v6_length && word b at = 0 && word b (at + 4) = 0 && word b (at + 8) = 0xffff

let[@inline] is_loopback_at b at ~length =
  if length = v4_length then Bytes.get_uint8 b at = 127 else is_at loopback_v6 b at ~length

let[@inline] is_multicast t = is_multicast_at (bytes t) 0 ~length:(String.length t)
let[@inline] is_loopback t = is_loopback_at (bytes t) 0 ~length:(String.length t)

let is_link_local t =
  if is_v4 t then v4_word t lsr 16 = 0xa9fe else String.get_uint16_be t 0 land 0xffc0 = 0xfe80

let solicited_node t =
  "\xff\x02" ^ String.make 9 '\000' ^ "\x01\xff" ^ String.sub t (v6_length - 3) 3

let is_any t = is_any_at (bytes t) 0 ~length:(String.length t)
let[@inline] header_length t = if String.length t = v4_length then v4_header else v6_header
let longest_payload t = if String.length t = v4_length then 0xffff - v4_header else 0xffff
let any_like t = if is_v4 t then any else any_v6

let group_mac t =
  if is_v4 t then Mac.of_int (0x01005e000000 lor (word (bytes t) 0 land 0x7f_ffff))
  else Mac.of_int (0x333300000000 lor word (bytes t) 12)

(* -- hashing ------------------------------------------------------------- *)

(* The high bits, which choose the bucket, depend on every input bit. *)
let[@inline] mix h x = Weir_base.Mix.scramble (h lxor x)

let[@inline] mix_more h x =
  let h = mix h x in
  h lxor (h lsr 29)

let mix_v6 h b at ~port =
  let h = mix_more (mix_more (mix_more h (word b at)) (word b (at + 4))) (word b (at + 8)) in
  mix h (word b (at + 12) lor (port lsl 32))

let[@inline] hash_key h key ~port = mix h (key lor (port lsl 32))

let hash_at h b at ~length ~port =
  if length = v4_length then hash_key h (word b at) ~port else mix_v6 h b at ~port

let hash h t ~port =
  if String.length t = v4_length then hash_key h (v4_word t) ~port
  else hash_at h (bytes t) 0 ~length:v6_length ~port

let fold_v6 b at =
  (1 lsl 32) lxor word b at lxor word b (at + 4) lxor word b (at + 8) lxor word b (at + 12)

let key_at b at ~length = if length = v4_length then word b at else fold_v6 b at
let[@inline never] key_v6 t = key_at (bytes t) 0 ~length:v6_length
let[@inline] key t = if String.length t = v4_length then v4_word t else key_v6 t

(* -- sums, printing ------------------------------------------------------ *)

(* The folded sum of the 32-bit words: in one's complement it equals that of the 16-bit words. *)
let sum_v6 b at =
  let w = word b at + word b (at + 4) + word b (at + 8) + word b (at + 12) in
  (w lsr 16) + (w land 0xffff)

let[@inline] sum_at b at ~length =
  if length = v4_length then
    let w = word b at in
    (w lsr 16) + (w land 0xffff)
  else sum_v6 b at

let[@inline] fold sum =
  let sum = (sum land 0xffff) + (sum lsr 16) in
  (sum land 0xffff) + (sum lsr 16)

let[@inline] pseudo_sum_at b ~src ~dst ~address_length ~protocol ~length =
  fold
    (sum_at b src ~length:address_length + sum_at b dst ~length:address_length + protocol + length)

let[@inline] sum t = sum_at (bytes t) 0 ~length:(String.length t)
let pseudo_sum ~src ~dst ~protocol ~length = fold (sum src + sum dst + protocol + length)
let pp f t = Ipaddr.pp f (to_ipaddr t)
