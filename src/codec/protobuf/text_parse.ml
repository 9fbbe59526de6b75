module L = Text_lexer

type context = { types : Registry.t; lexer : L.t }

let within name f =
  try f () with Error.Error e -> raise (Error.Error { e with path = name :: e.path })

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

let real t ~negative text =
  let n = String.length text in
  let sign x = if negative then -.x else x in
  match String.lowercase_ascii text with
  | "inf" | "infinity" -> sign infinity
  | "nan" -> nan
  | _ -> (
      let body =
        if n > 1 && (text.[n - 1] = 'f' || text.[n - 1] = 'F') then String.sub text 0 (n - 1)
        else text
      in
      let decimal =
        String.for_all
          (fun c -> match c with '0' .. '9' | '.' | 'e' | 'E' | '+' | '-' -> true | _ -> false)
          body
        && String.exists (fun c -> c >= '0' && c <= '9') body
      in
      let octal =
        String.length body > 1
        && body.[0] = '0'
        && String.for_all (fun c -> c >= '0' && c <= '9') body
      in
      if (not decimal) || octal then L.fail t (Error.excerpt text ^ " is no number")
      else
        match float_of_string_opt body with
        | Some x -> sign x
        | None -> L.fail t (Error.excerpt text ^ " is no number"))

let bool t text =
  match text with
  | "true" | "True" | "t" -> 1L
  | "false" | "False" | "f" -> 0L
  | _ -> (
      match whole_number text with
      | Some (`Bits ((0L | 1L) as v)) -> v
      | Some _ | None -> L.fail t (Error.excerpt text ^ " is no bool"))

let enum t (e : Descriptor.enum) ~negative text =
  match List.assoc_opt text e.values with
  | Some n when not negative -> Int64.of_int n
  | Some _ | None ->
      let v = integer t (Enum e) ~negative text in
      if e.closed && not (List.exists (fun (_, n) -> Int64.equal (Int64.of_int n) v) e.values) then
        L.fail t (Printf.sprintf "%s has no value %s" e.enum_name (Error.excerpt text))
      else v

let utf8 t s = if Utf8.valid s 0 (String.length s) then s else L.fail t "string is not UTF-8"

let scalar c b (f : Descriptor.field) number =
  let t = c.lexer in
  let signed read =
    let negative = L.accept t '-' in
    read ~negative (L.literal t)
  in
  let tag wire = Wire_buffer.tag b number wire in
  match f.kind with
  | String | Bytes | Raw_string ->
      let s = L.strings t in
      let s = if f.kind = String then utf8 t s else s in
      tag 2;
      Wire_buffer.block b s
  | Double ->
      let x = signed (real t) in
      tag 1;
      Wire_buffer.fixed64 b (Int64.bits_of_float x)
  | Float ->
      let x = signed (real t) in
      tag 5;
      Wire_buffer.fixed32 b (Int32.bits_of_float x)
  | Bool ->
      let v = bool t (L.literal t) in
      tag 0;
      Wire_buffer.varint b v
  | Enum e ->
      let v = signed (enum t e) in
      tag 0;
      Wire_buffer.varint b v
  | k ->
      let v = signed (integer t k) in
      tag (Descriptor.wire_type k);
      Wire_buffer.integer b k v

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
    (* A group answers to its type's name and to the field's. *)
    let is (f : Descriptor.field) =
      String.equal f.name name
      ||
      match f.kind with
      | Delimited _ -> String.equal (String.lowercase_ascii f.name) name
      | _ -> false
    in
    match List.find_opt is m.fields with
    | Some f -> Known f
    | None when List.mem name m.reserved -> Reserved
    | None -> L.fail t (Printf.sprintf "%s has no field %s" m.full_name (Error.excerpt name))

let open_message t =
  if L.accept t '<' then '>'
  else (
    L.expect t '{';
    '}')

let rec fields c m ~depth ~stop b =
  let m = Registry.resolve c.types m in
  let seen = ref [] in
  let once key what = if List.mem key !seen then L.fail c.lexer what else seen := key :: !seen in
  let finished () =
    match stop with None -> L.at_end c.lexer | Some close -> L.accept c.lexer close
  in
  while not (finished ()) do
    if L.at_end c.lexer then L.fail c.lexer "unexpected end";
    (match lookup c m with
    | Reserved -> L.skip_value c.lexer ~depth
    | Any_of (url, inner) ->
        once (`Field 1) "field given twice";
        any c b url inner ~depth
    | Known f ->
        within f.name (fun () ->
            if not (Descriptor.is_repeated f) then (
              once (`Field f.number) "field given twice";
              if f.oneof <> "" then once (`Oneof f.oneof) "second field of a oneof");
            field c b m f ~depth));
    if not (L.accept c.lexer ',') then ignore (L.accept c.lexer ';')
  done

and any c b url inner ~depth =
  ignore (L.accept c.lexer ':');
  let close = open_message c.lexer in
  let contents = Buffer.create 64 in
  fields c inner ~depth:(Decode.deeper depth (L.position c.lexer)) ~stop:(Some close) contents;
  Wire_buffer.tag b 1 2;
  Wire_buffer.block b url;
  Wire_buffer.tag b 2 2;
  Wire_buffer.block b (Buffer.contents contents)

and field c b (m : Descriptor.message) (f : Descriptor.field) ~depth =
  let t = c.lexer in
  let colon = L.accept t ':' in
  let is_message = match f.kind with Message _ | Delimited _ -> true | _ -> false in
  if not (colon || is_message) then L.fail t "expected ':'";
  let one () = value c b m f ~depth in
  if Descriptor.is_repeated f && L.accept t '[' then (
    if not (L.accept t ']') then
      let rec go () =
        one ();
        if L.accept t ',' then go () else L.expect t ']'
      in
      go ())
  else one ()

and value c b (m : Descriptor.message) (f : Descriptor.field) ~depth =
  match f.kind with
  | Message inner -> (
      let contents = nested c inner ~depth in
      match m.message_set with
      | false ->
          Wire_buffer.tag b f.number 2;
          Wire_buffer.block b contents
      | true -> Wire_buffer.set_item b f.number contents)
  | Delimited inner ->
      Wire_buffer.tag b f.number 3;
      Buffer.add_string b (nested c inner ~depth);
      Wire_buffer.tag b f.number 4
  | _ -> scalar c b f f.number

and nested c inner ~depth =
  let close = open_message c.lexer in
  let b = Buffer.create 64 in
  fields c inner ~depth:(Decode.deeper depth (L.position c.lexer)) ~stop:(Some close) b;
  Buffer.contents b

let message types lexer m ~depth b = fields { types; lexer } m ~depth ~stop:None b
