(* In a script element only [</] would end the data. *)
let embedded json =
  let s = Yojson.Safe.to_string json in
  let b = Buffer.create (String.length s) in
  String.iteri
    (fun i c ->
      if c = '/' && i > 0 && s.[i - 1] = '<' then Buffer.add_string b "\\/"
      else if c = '!' && i > 0 && s.[i - 1] = '<' then Buffer.add_string b "\\u0021"
      else Buffer.add_char b c)
    s;
  Buffer.contents b

let mark = "@DATA@"

let of_json json =
  let t = Run_page_template.text in
  let rec find i = if String.sub t i (String.length mark) = mark then i else find (i + 1) in
  let at = find 0 and n = String.length mark in
  String.sub t 0 at ^ embedded json ^ String.sub t (at + n) (String.length t - at - n)
