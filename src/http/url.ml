type t = { host : string; port : int; target : string }

let authority { host; port; _ } =
  let host = if String.contains host ':' then "[" ^ host ^ "]" else host in
  if port = 80 then host else host ^ ":" ^ string_of_int port

let to_string t = "http://" ^ authority t ^ t.target
let error fmt = Printf.ksprintf (fun s -> Error s) fmt
let from s i = String.sub s i (String.length s - i)
let without_fragment s = match String.index_opt s '#' with Some i -> String.sub s 0 i | None -> s

let has_prefix prefix s =
  String.length s >= String.length prefix
  && Chars.equal_caseless (String.sub s 0 (String.length prefix)) prefix

let is_control c = c < ' ' || c = '\127'

let carried s =
  let b = Buffer.create (String.length s) in
  let add c =
    if Chars.mem Chars.target c then Buffer.add_char b c
    else Buffer.add_string b (Printf.sprintf "%%%02X" (Char.code c))
  in
  String.iter add s;
  Buffer.contents b

let target = function "" -> "/" | s when s.[0] = '?' -> "/" ^ carried s | s -> carried s

let of_parts ~url authority rest =
  match Authority.split authority with
  | None | Some ("", _) -> error "%S: %S is not HOST or HOST:PORT" url authority
  | Some (_, Some 0) -> error "%S: the port must be 1 to 65535" url
  | Some (host, port) -> Ok { host; port = Option.value port ~default:80; target = target rest }

let parse url =
  if String.exists is_control url then error "%S has control characters" url
  else if has_prefix "https://" url then
    error "%S: https is not supported; use http:// if the server has it" url
  else if not (has_prefix "http://" url) then error "%S: a URL begins with http://" url
  else
    let s = without_fragment (from url 7) in
    let rec stop i =
      if i = String.length s || s.[i] = '/' || s.[i] = '?' then i else stop (i + 1)
    in
    let i = stop 0 in
    of_parts ~url (String.sub s 0 i) (from s i)
