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

(* What a URL in brackets may hold; another's Any is shown as its fields. *)
let is_plain_url =
  String.for_all (function
    | 'a' .. 'z' | 'A' .. 'Z' | '0' .. '9' | '_' -> true
    | '.' | '/' | '-' | '~' | '%' | '!' | '$' | '&' | '(' | ')' | '*' | '+' | ',' | ';' | '=' ->
        true
    | _ -> false)

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
      | _ when not (is_plain_url url) -> None
      | inner -> Some (url, inner, content))

(* What decoding did not look into, an Any's contents and extensions, may be malformed or nest too
   deeply: then what was written of it is taken back. Within one that is not tried again, so that
   nothing is written more than twice. *)
type trust = Decoded | Tried

let attempt trust b write otherwise =
  match trust with
  | Tried -> write ()
  | Decoded -> (
      let before = Buffer.length b in
      try write ()
      with Error.Error _ ->
        Buffer.truncate b before;
        otherwise ())

(* With extensions that cannot be read among what is unknown. *)
let fields_of types m v ~depth trust =
  match Walk.message types m v ~depth with
  | found -> found
  | exception Error.Error _ when trust = Decoded -> Walk.message Registry.empty m v ~depth

let rec message types ~unknown:keep b ~indent m v ~depth trust =
  let m = Registry.resolve types m in
  if Descriptor.is_endless m then Error.fail 0 ("the type of " ^ m.full_name ^ " has no text");
  let found, rest = fields_of types m v ~depth trust in
  let plain () = List.iter (field types ~unknown:keep b ~indent ~depth trust) found in
  (match if m.full_name = "google.protobuf.Any" then known_any types found else None with
  | None -> plain ()
  | Some (url, inner, content) ->
      let opened () =
        line b ~indent "[%s] {\n" url;
        message types ~unknown:keep b ~indent:(indent + 2) inner content
          ~depth:(Decode.deeper depth 0) Tried;
        line b ~indent "}\n"
      in
      attempt trust b opened plain);
  if keep then List.iter (unknown b ~indent ~depth:10) rest

and field types ~unknown:keep b ~indent ~depth trust f =
  let one name v trust =
    match f.field.kind with
    | Message m | Delimited m ->
        line b ~indent "%s {\n" name;
        message types ~unknown:keep b ~indent:(indent + 2) m v ~depth:(Decode.deeper depth 0) trust;
        line b ~indent "}\n"
    | kind ->
        line b ~indent "%s: " name;
        scalar b kind v;
        Buffer.add_char b '\n'
  in
  let extended v =
    let wire = Descriptor.wire_type f.field.kind in
    attempt trust b
      (fun () -> one (Printf.sprintf "[%s]" f.extension) v Tried)
      (fun () ->
        if keep then unknown b ~indent ~depth:10 { number = f.field.number; wire; value = v })
  in
  List.iter (if f.extension = "" then fun v -> one f.field.name v trust else extended) f.values

let message types ~unknown b ~indent m v ~depth =
  message types ~unknown b ~indent m v ~depth Decoded
