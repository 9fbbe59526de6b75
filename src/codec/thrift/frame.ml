let default_limit = 16_384_000

type extent = Need of int | Whole of int

let extent ?(limit = default_limit) b ~off ~len =
  if off < 0 || len < 0 || off > Bytes.length b - len then invalid_arg "Frame.extent";
  if len < 4 then Need 4
  else
    let n = Int32.to_int (Bytes.get_int32_be b off) in
    if n < 0 || n > limit then Error.fail 0 "a frame past the limit"
    else if len < 4 + n then Need (4 + n)
    else Whole n

let of_string s =
  ignore (Writer.size (String.length s));
  let b = Bytes.create (4 + String.length s) in
  Bytes.set_int32_be b 0 (Int32.of_int (String.length s));
  Bytes.blit_string s 0 b 4 (String.length s);
  Bytes.unsafe_to_string b
