module L = Text_lexer

(* What is made on the way is charged, roughly and high, beside the texts of tokens: [made] of a value
   is a boxed number or two. *)
let of_field = 18
let of_known_field = 4
let of_oneof = 8
let of_message = 14
let of_item = 14
let made = 6
let of_real = 12
let of_slow_number = 30

type context = { types : Registry.t; lexer : L.t }

(* A whole number: decimal, hexadecimal or octal. *)
let whole_number text =
  let n = String.length text in
  let all from p =
    let rec go i = i >= n || (p text.[i] && go (i + 1)) in
    from < n && go from
  in
  let hex c = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') in
  if n > 2 && text.[0] = '0' && (text.[1] = 'x' || text.[1] = 'X') then
    if all 2 hex && n <= 18 then Some (`Bits (Int64.of_string text)) else None
  else if n > 1 && text.[0] = '0' then
    if all 1 (fun c -> c >= '0' && c <= '7') then
      Option.map (fun v -> `Bits v) (Int64.of_string_opt ("0o" ^ text))
    else None
  else if all 0 (fun c -> c >= '0' && c <= '9') then
    Option.map (fun v -> `Bits v) (Int64.of_string_opt ("0u" ^ text))
  else None

(* [bits] is the magnitude, without sign, of a number that may be negated. *)
let integer t (k : Descriptor.kind) ~negative text =
  let bad () = L.fail t ("number " ^ Error.excerpt text ^ " does not fit its field") in
  match whole_number text with
  | None -> bad ()
  | Some (`Bits v) ->
      let v =
        if Wire_buffer.is_unsigned k then if negative && v <> 0L then bad () else v
        else if Int64.compare v 0L >= 0 then if negative then Int64.neg v else v
        else if negative && v = Int64.min_int then v
        else bad ()
      in
      if Wire_buffer.in_range k v then v else bad ()

let rec decimal body i any =
  if i = String.length body then any
  else
    match body.[i] with
    | '0' .. '9' -> decimal body (i + 1) true
    | '.' | 'e' | 'E' | '+' | '-' -> decimal body (i + 1) any
    | _ -> false

let rec digits_only body i =
  i = String.length body || (L.is_digit body.[i] && digits_only body (i + 1))

let octal body = String.length body > 1 && body.[0] = '0' && digits_only body 0

let number t text =
  let n = String.length text in
  let suffixed = n > 1 && (text.[n - 1] = 'f' || text.[n - 1] = 'F') in
  if suffixed then L.spend t (n / 8);
  let body = if suffixed then String.sub text 0 (n - 1) else text in
  if decimal body 0 false && not (octal body) then
    match float_of_string_opt body with
    | Some x -> x
    | None -> L.fail t (Error.excerpt text ^ " is no number")
  else L.fail t (Error.excerpt text ^ " is no number")

let named_real t text =
  L.spend t (String.length text / 8);
  match String.lowercase_ascii text with
  | "inf" | "infinity" -> infinity
  | "nan" -> nan
  | _ -> L.fail t (Error.excerpt text ^ " is no number")

let real t =
  L.spend t of_real;
  let negative = L.accept t '-' in
  let named = L.is_letter (L.peek t) in
  let text = L.literal t in
  let x = if named then named_real t text else number t text in
  if negative && not (Float.is_nan x) then -.x else x

(* One of at most 20 digits and in range is read without its text. *)
let whole t (k : Descriptor.kind) =
  let negative = L.accept t '-' in
  ignore (L.peek t);
  let from = L.position t in
  let v = L.plain_number t in
  let signed = if negative then -v else v in
  if v >= 0 && Wire_buffer.fits k signed then Int64.of_int signed
  else (
    L.seek t from;
    let v = L.wide_number t ~negative ~unsigned:(Wire_buffer.is_unsigned k) in
    if L.position t > from && Wire_buffer.in_range k v then v
    else (
      L.seek t from;
      L.spend t of_slow_number;
      integer t k ~negative (L.literal t)))

let put_whole t b k =
  ignore (L.peek t);
  let from = L.position t in
  let negative = L.accept t '-' in
  let v = L.plain_number t in
  let signed = if negative then -v else v in
  if v >= 0 && Wire_buffer.fits k signed then Wire_buffer.whole b k signed
  else (
    L.seek t from;
    L.spend t made;
    Wire_buffer.integer b k (whole t k))

let bool t =
  if L.is_letter (L.peek t) then
    match L.literal t with
    | "true" | "True" | "t" -> 1
    | "false" | "False" | "f" -> 0
    | text -> L.fail t (Error.excerpt text ^ " is no bool")
  else
    match L.plain_number t with
    | (0 | 1) as v -> v
    | _ -> (
        let text = L.literal t in
        L.spend t of_slow_number;
        match whole_number text with
        | Some (`Bits 0L) -> 0
        | Some (`Bits 1L) -> 1
        | Some _ | None -> L.fail t (Error.excerpt text ^ " is no bool"))

let enum t (e : Descriptor.enum) =
  L.spend t made;
  if L.is_letter (L.peek t) then
    let name = L.literal t in
    match List.assoc_opt name e.values with
    | Some n -> Int64.of_int n
    | None -> L.fail t (Printf.sprintf "%s has no value %s" e.enum_name (Error.excerpt name))
  else
    let v = whole t (Enum e) in
    if e.closed && not (List.exists (fun (_, n) -> Int64.equal (Int64.of_int n) v) e.values) then
      L.fail t (Printf.sprintf "%s has no value %Ld" e.enum_name v)
    else v

let utf8 t s = if Utf8.valid s 0 (String.length s) then s else L.fail t "string is not UTF-8"

let scalar c b (f : Descriptor.field) number =
  let t = c.lexer and before = Buffer.length b in
  Wire_buffer.tag b number (Descriptor.wire_type f.kind);
  (match f.kind with
  | String -> Wire_buffer.block b (utf8 t (L.strings t))
  | Bytes | Raw_string -> Wire_buffer.block b (L.strings t)
  | Double -> Wire_buffer.fixed64 b (Int64.bits_of_float (real t))
  | Float -> Wire_buffer.fixed32 b (Int32.bits_of_float (real t))
  | Bool -> Wire_buffer.whole b Bool (bool t)
  | Enum e -> Wire_buffer.varint b (enum t e)
  | Fixed32 | Sfixed32 | Fixed64 | Sfixed64 ->
      L.spend t made;
      put_whole t b f.kind
  | k -> put_whole t b k);
  (* The buffer grows by doubling, and is copied. *)
  L.spend t ((((Buffer.length b - before) * 5) + 7) / 8)

let delimited c b f =
  let n = Wire_buffer.delimited b f in
  L.spend c.lexer (if n = 0 then 2 else 3 + (n / 8))

(* What a name in brackets stands for besides an extension: an Any's contents. *)
type named =
  | Known of Descriptor.field
  | Any_of of string * Descriptor.message
  | Reserved  (** a name that the schema once had: its value is passed over *)

let lookup c (m : Descriptor.message) =
  let t = c.lexer in
  if Char.equal (L.peek t) '[' then
    let name = L.bracketed t in
    if String.contains name '/' then
      if m.full_name = "google.protobuf.Any" then Any_of (name, Json_print.any_type c.types name)
      else L.fail t (m.full_name ^ " is no Any")
    else
      let by_type () =
        if m.message_set then Registry.message_in_set c.types ~extendee:m.full_name name else None
      in
      let by_name = Registry.extension_by_name c.types ~extendee:m.full_name name in
      match if Option.is_none by_name then by_type () else by_name with
      | Some x -> Known x.field
      | None -> L.fail t (Printf.sprintf "%s has no extension %s" m.full_name (Error.excerpt name))
  else
    let name = L.name t in
    match List.find_opt (Json_keys.answers_to name) m.fields with
    | Some f -> Known f
    | None when List.mem name m.reserved -> Reserved
    | None -> L.fail t (Printf.sprintf "%s has no field %s" m.full_name (Error.excerpt name))

let open_message t =
  if L.accept t '<' then '>'
  else (
    L.expect t '{';
    '}')

let once t (m : Descriptor.message) (f : Descriptor.field) seen =
  if List.memq f.number !seen then L.fail t "field given twice";
  if f.oneof <> "" then (
    let comes_too (g : Descriptor.field) =
      String.equal g.oneof f.oneof && List.memq g.number !seen
    in
    L.spend t of_oneof;
    if List.exists comes_too m.fields then L.fail t "second field of a oneof");
  seen := f.number :: !seen

(* Where the whole text is the message. *)
let no_close = '\000'
let finished t close = if close = no_close then L.at_end t else L.accept t close

let rec fields c m ~depth ~close b =
  let m = Registry.resolve c.types m in
  next_field c m m.fields (ref []) ~depth ~close b

(* [guess] are the fields behind the one that came last, and that one. *)
and next_field c (m : Descriptor.message) guess seen ~depth ~close b =
  let t = c.lexer in
  if not (finished t close) then (
    if L.at_end t then L.fail t "unexpected end";
    let guess =
      match L.known_next t guess m.fields with
      | f :: _ as found ->
          known_field c b m f seen ~depth;
          found
      | [] ->
          L.spend t of_field;
          (match lookup c m with
          | Reserved -> L.skip_value t ~depth
          | Any_of (url, inner) ->
              if List.memq 1 !seen then L.fail t "field given twice";
              seen := 1 :: !seen;
              any c b url inner ~depth
          | Known f -> known_field c b m f seen ~depth);
          guess
    in
    if not (L.accept t ',') then ignore (L.accept t ';');
    next_field c m guess seen ~depth ~close b)

and known_field c b m f seen ~depth =
  try
    if not (Descriptor.is_repeated f) then (
      L.spend c.lexer of_known_field;
      once c.lexer m f seen);
    field c b m f ~depth
  with Error.Error e -> raise (Error.Error { e with path = f.name :: e.path })

and any c b url inner ~depth =
  ignore (L.accept c.lexer ':');
  let close = open_message c.lexer in
  let depth = Decode.deeper depth (L.position c.lexer) in
  L.spend c.lexer (2 * String.length url);
  Wire_buffer.tag b 1 2;
  Wire_buffer.block b url;
  Wire_buffer.tag b 2 2;
  delimited c b (fun b -> fields c inner ~depth ~close b)

and field c b (m : Descriptor.message) (f : Descriptor.field) ~depth =
  let t = c.lexer in
  let colon = L.accept t ':' in
  let is_message = match f.kind with Message _ | Delimited _ -> true | _ -> false in
  if not (colon || is_message) then L.fail t "expected ':'";
  if Descriptor.is_repeated f && L.accept t '[' then (
    if not (L.accept t ']') then elements c b m f ~depth)
  else value c b m f ~depth

and elements c b m f ~depth =
  value c b m f ~depth;
  if L.accept c.lexer ',' then elements c b m f ~depth else L.expect c.lexer ']'

and value c b (m : Descriptor.message) (f : Descriptor.field) ~depth =
  match f.kind with
  | Message inner when m.message_set ->
      let contents = Buffer.create 64 in
      nested c inner ~depth contents;
      L.spend c.lexer (of_item + Buffer.length contents);
      Wire_buffer.set_item b f.number (Buffer.contents contents)
  | Message inner ->
      Wire_buffer.tag b f.number 2;
      L.spend c.lexer of_message;
      delimited c b (fun b -> nested c inner ~depth b)
  | Delimited inner ->
      Wire_buffer.tag b f.number 3;
      nested c inner ~depth b;
      Wire_buffer.tag b f.number 4
  | _ -> scalar c b f f.number

and nested c inner ~depth b =
  let close = open_message c.lexer in
  fields c inner ~depth:(Decode.deeper depth (L.position c.lexer)) ~close b

let message types lexer m ~depth b = fields { types; lexer } m ~depth ~close:no_close b
