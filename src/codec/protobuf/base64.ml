let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

let add b s first last =
  let put v shift = Buffer.add_char b alphabet.[(v lsr shift) land 63] in
  let byte i = if i < last then Char.code s.[i] else 0 in
  let rec go i =
    if i < last then (
      let v = (byte i lsl 16) lor (byte (i + 1) lsl 8) lor byte (i + 2) in
      put v 18;
      put v 12;
      if i + 1 < last then put v 6 else Buffer.add_char b '=';
      if i + 2 < last then put v 0 else Buffer.add_char b '=';
      go (i + 3))
  in
  go first

let digit = function
  | 'A' .. 'Z' as c -> Char.code c - 65
  | 'a' .. 'z' as c -> Char.code c - 71
  | '0' .. '9' as c -> Char.code c + 4
  | '+' | '-' -> 62
  | '/' | '_' -> 63
  | _ -> -1

let rec unpadded s n = if n > 0 && s.[n - 1] = '=' then unpadded s (n - 1) else n

(* Whether all is in the alphabet: the bits that are over, [count], are kept in [bits]. *)
let rec fill s n b i at bits count =
  if i = n then count < 6
  else
    let d = digit s.[i] in
    d >= 0
    &&
    let bits = (bits lsl 6) lor d land 0xffff and count = count + 6 in
    if count < 8 then fill s n b (i + 1) at bits count
    else (
      Bytes.set_uint8 b at ((bits lsr (count - 8)) land 255);
      fill s n b (i + 1) (at + 1) bits (count - 8))

let decode s =
  let n = unpadded s (String.length s) in
  if String.length s - n > 2 || n mod 4 = 1 then None
  else
    let b = if n = 0 then Bytes.empty else Bytes.create (n * 3 / 4) in
    if fill s n b 0 0 0 0 then Some (Bytes.unsafe_to_string b) else None
