type t = int

let of_int n = n land 0xffff_ffff_ffff

let[@inline] get b off =
  (Bytes.get_uint16_be b off lsl 32)
  lor (Int32.to_int (Bytes.get_int32_be b (off + 2)) land 0xffff_ffff)

let[@inline] set b off t =
  Bytes.set_uint16_be b off (t lsr 32);
  Bytes.set_int32_be b (off + 2) (Int32.of_int t)

let of_macaddr m = get (Bytes.unsafe_of_string (Macaddr.to_octets m)) 0

let to_macaddr t =
  let b = Bytes.create 6 in
  set b 0 t;
  Macaddr.of_octets_exn (Bytes.unsafe_to_string b)

let broadcast = 0xffff_ffff_ffff
let equal = Int.equal
let is_group t = (t lsr 40) land 1 = 1

let pp f t =
  for i = 5 downto 0 do
    Fmt.pf f "%02x" ((t lsr (8 * i)) land 255);
    if i > 0 then Fmt.char f ':'
  done
