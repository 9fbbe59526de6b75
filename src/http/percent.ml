let decode s =
  let n = String.length s in
  let b = Buffer.create n in
  let rec from i =
    if i = n then Some (Buffer.contents b)
    else if s.[i] <> '%' then (
      Buffer.add_char b s.[i];
      from (i + 1))
    else if i + 2 >= n then None
    else
      let high = Chars.hex s.[i + 1] and low = Chars.hex s.[i + 2] in
      if high < 0 || low < 0 then None
      else (
        Buffer.add_char b (Char.chr ((high * 16) + low));
        from (i + 3))
  in
  if String.contains s '%' then from 0 else Some s

let unreserved = function
  | 'a' .. 'z' | 'A' .. 'Z' | '0' .. '9' | '-' | '.' | '_' | '~' -> true
  | _ -> false

let encode s =
  if String.for_all unreserved s then s
  else
    let b = Buffer.create (String.length s * 2) in
    let add c =
      if unreserved c then Buffer.add_char b c
      else Buffer.add_string b (Printf.sprintf "%%%02X" (Char.code c))
    in
    String.iter add s;
    Buffer.contents b
