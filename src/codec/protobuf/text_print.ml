open Walk

(* Text stays readable where it is UTF-8; any other byte is an octal escape. *)
let quoted b ~utf8 s =
  Buffer.add_char b '"';
  String.iter
    (fun c ->
      match c with
      | '"' -> Buffer.add_string b "\\\""
      | '\\' -> Buffer.add_string b "\\\\"
      | '\n' -> Buffer.add_string b "\\n"
      | '\r' -> Buffer.add_string b "\\r"
      | '\t' -> Buffer.add_string b "\\t"
      | ' ' .. '~' -> Buffer.add_char b c
      | '\128' .. '\255' when utf8 -> Buffer.add_char b c
      | c -> Printf.bprintf b "\\%03o" (Char.code c))
    s;
  Buffer.add_char b '"'

let real show x =
  if Float.is_nan x then "nan"
  else if x = infinity then "inf"
  else if x = neg_infinity then "-inf"
  else show x

let line b ~indent fmt =
  Buffer.add_string b (String.make indent ' ');
  Printf.bprintf b fmt

let scalar b (k : Descriptor.kind) v =
  match k with
  | Double -> Buffer.add_string b (real Numbers.double (double v))
  | Float -> Buffer.add_string b (real Numbers.float (float v))
  | String | Raw_string | Bytes ->
      let s = contents v in
      quoted b ~utf8:(k <> Bytes && Utf8.valid s 0 (String.length s)) s
  | Enum e -> (
      let n = int32 v in
      match List.find_opt (fun (_, m) -> m = n) e.values with
      | Some (name, _) -> Buffer.add_string b name
      | None -> Buffer.add_string b (string_of_int n))
  | k -> Buffer.add_string b (Json_print.number_text k v)

let looks_like_message v =
  v.first < v.last && match unknown_fields v with _ -> true | exception Error.Error _ -> false

let rec unknown b ~indent u ~depth =
  let nested () =
    line b ~indent "%d {\n" u.number;
    List.iter (unknown b ~indent:(indent + 2) ~depth:(depth - 1)) (unknown_fields u.value);
    line b ~indent "}\n"
  in
  match u.wire with
  | 0 -> line b ~indent "%d: %Lu\n" u.number (int64 u.value)
  | 1 -> line b ~indent "%d: 0x%016Lx\n" u.number (fixed64 u.value)
  | 5 -> line b ~indent "%d: 0x%08x\n" u.number (fixed32 u.value)
  | 3 -> nested ()
  | _ ->
      if depth > 0 && looks_like_message u.value then nested ()
      else (
        line b ~indent "%d: " u.number;
        quoted b ~utf8:false (contents u.value);
        Buffer.add_char b '\n')

let known_any types found =
  let value n =
    List.find_map (fun f -> if f.field.number = n then Some (List.hd f.values) else None) found
  in
  match value 1 with
  | None -> None
  | Some url -> (
      let url = contents url in
      let content = Option.value (value 2) ~default:(whole "") in
      match Json_print.any_type types url with
      | exception Error.Error _ -> None
      | inner -> Some (url, inner, content))

let rec message types ~unknown:keep b ~indent m v ~depth =
  let m = Registry.resolve types m in
  if Descriptor.is_endless m then Error.fail 0 ("the type of " ^ m.full_name ^ " has no text");
  let found, rest = Walk.message types m v ~depth in
  let known = if m.full_name = "google.protobuf.Any" then known_any types found else None in
  (match known with
  | Some (url, inner, content)
    when match Walk.message types inner content ~depth with
         | _ -> true
         | exception Error.Error _ -> false ->
      line b ~indent "[%s] {\n" url;
      message types ~unknown:keep b ~indent:(indent + 2) inner content
        ~depth:(Decode.deeper depth 0);
      line b ~indent "}\n"
  | Some _ | None -> List.iter (field types ~unknown:keep b ~indent ~depth) found);
  if keep then List.iter (unknown b ~indent ~depth:10) rest

and field types ~unknown b ~indent ~depth f =
  let name = if f.extension = "" then f.field.name else Printf.sprintf "[%s]" f.extension in
  List.iter
    (fun v ->
      match f.field.kind with
      | Message m | Delimited m ->
          line b ~indent "%s {\n" name;
          message types ~unknown b ~indent:(indent + 2) m v ~depth:(Decode.deeper depth 0);
          line b ~indent "}\n"
      | kind ->
          line b ~indent "%s: " name;
          scalar b kind v;
          Buffer.add_char b '\n')
    f.values
