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

let decode s =
  let rec unpadded n = if n > 0 && s.[n - 1] = '=' then unpadded (n - 1) else n in
  let n = unpadded (String.length s) in
  let b = Buffer.create ((n * 3 / 4) + 3) in
  let rec go i bits count =
    if i = n then count < 6
    else
      let d = digit s.[i] in
      d >= 0
      &&
      let bits = (bits lsl 6) lor d land 0xffff and count = count + 6 in
      if count >= 8 then (
        Buffer.add_char b (Char.chr ((bits lsr (count - 8)) land 255));
        go (i + 1) bits (count - 8))
      else go (i + 1) bits count
  in
  if String.length s - n <= 2 && n mod 4 <> 1 && go 0 0 0 then Some (Buffer.contents b) else None
