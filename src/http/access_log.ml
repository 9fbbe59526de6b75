type entry = { request : Request.head option; status : int; body_bytes : int; cut : bool }

let add_escaped b s =
  let add = function
    | '"' -> Buffer.add_string b "\\\""
    | '\\' -> Buffer.add_string b "\\\\"
    | ' ' .. '~' as c -> Buffer.add_char b c
    | c -> Buffer.add_string b (Printf.sprintf "\\x%02x" (Char.code c))
  in
  String.iter add s

let add_quoted b s =
  Buffer.add_string b " \"";
  add_escaped b s;
  Buffer.add_char b '"'

let request_line : Request.head option -> string = function
  | None -> "-"
  | Some { meth; target; version; _ } ->
      String.concat " " [ Http.Method.to_string meth; target; Http.Version.to_string version ]

let header request name =
  match request with
  | None -> "-"
  | Some (h : Request.head) -> Option.value (Http.Header.get h.headers name) ~default:"-"

let line ~peer ~time { request; status; body_bytes; cut } =
  let b = Buffer.create 160 in
  add_escaped b peer;
  Buffer.add_string b " - - [";
  Buffer.add_string b (Date.to_log (int_of_float time));
  Buffer.add_char b ']';
  add_quoted b (request_line request);
  Buffer.add_string b (Printf.sprintf " %d %d" status body_bytes);
  add_quoted b (header request "referer");
  add_quoted b (header request "user-agent");
  if cut then Buffer.add_string b " cut";
  Buffer.contents b
