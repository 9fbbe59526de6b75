open Walk

let fail reason = Error.fail 0 reason
let hex = "0123456789abcdef"

let escape c =
  match c with
  | '"' -> "\\\""
  | '\\' -> "\\\\"
  | '\n' -> "\\n"
  | '\t' -> "\\t"
  | '\r' -> "\\r"
  | c -> Printf.sprintf "\\u00%c%c" hex.[Char.code c lsr 4] hex.[Char.code c land 15]

let string b s =
  let n = String.length s in
  let rec go from =
    let stop = Utf8.text s from n in
    if stop < 0 then fail "string is not UTF-8";
    Buffer.add_substring b s from (stop - from);
    if stop < n then (
      Buffer.add_string b (escape s.[stop]);
      go (stop + 1))
  in
  Buffer.add_char b '"';
  go 0;
  Buffer.add_char b '"'

(* U+FFFD for what is not UTF-8: a proto2 string may hold any bytes. *)
let lossy s =
  let b = Buffer.create (String.length s + 16) in
  let rec go at =
    if at < String.length s then (
      let d = String.get_utf_8_uchar s at in
      Buffer.add_utf_8_uchar b (Uchar.utf_decode_uchar d);
      go (at + Uchar.utf_decode_length d))
  in
  go 0;
  Buffer.contents b

let raw_string b s = string b (if Utf8.valid s 0 (String.length s) then s else lossy s)

let quoted b s =
  Buffer.add_char b '"';
  Buffer.add_string b s;
  Buffer.add_char b '"'

let real b show x =
  if Float.is_nan x then quoted b "NaN"
  else if x = infinity then quoted b "Infinity"
  else if x = neg_infinity then quoted b "-Infinity"
  else Buffer.add_string b (show x)

let enum b (e : Descriptor.enum) n =
  if String.equal e.enum_name "google.protobuf.NullValue" then Buffer.add_string b "null"
  else
    match List.find_opt (fun (_, m) -> m = n) e.values with
    | Some (name, _) -> quoted b name
    | None -> Buffer.add_string b (string_of_int n)

(* A number's digits, also as a map's key. *)
let number_text (k : Descriptor.kind) v =
  match k with
  | Int32 -> string_of_int (int32 v)
  | Uint32 -> string_of_int (uint32 v)
  | Sint32 -> string_of_int (sint32 v)
  | Fixed32 -> string_of_int (fixed32 v)
  | Sfixed32 -> string_of_int (sfixed32 v)
  | Int64 -> Int64.to_string (int64 v)
  | Uint64 -> Printf.sprintf "%Lu" (int64 v)
  | Sint64 -> Int64.to_string (sint64 v)
  | Fixed64 -> Printf.sprintf "%Lu" (fixed64 v)
  | Sfixed64 -> Int64.to_string (fixed64 v)
  | Bool -> string_of_bool (bool v)
  | Double | Float | String | Bytes | Raw_string | Enum _ | Message _ | Delimited _ ->
      invalid_arg "Json_print.number_text"

(* The contents of a field that is absent: a number reads as zero from eight
   zero bytes of whatever encoding, all else is empty. *)
let zeros = String.make 8 '\000'

let absent (k : Descriptor.kind) =
  match Descriptor.wire_type k with 2 | 3 -> whole "" | _ -> whole zeros

let separated b each = function
  | [] -> ()
  | first :: rest ->
      each first;
      List.iter
        (fun x ->
          Buffer.add_char b ',';
          each x)
        rest

let key_of number found =
  List.find_map (fun f -> if f.field.number = number then Some (List.hd f.values) else None) found

let rec value types b (k : Descriptor.kind) v ~depth =
  match k with
  | Double -> real b Numbers.double (double v)
  | Float -> real b Numbers.float (float v)
  | Int32 | Uint32 | Sint32 | Fixed32 | Sfixed32 | Bool -> Buffer.add_string b (number_text k v)
  | Int64 | Uint64 | Sint64 | Fixed64 | Sfixed64 -> quoted b (number_text k v)
  | String -> string b (contents v)
  | Raw_string -> raw_string b (contents v)
  | Bytes ->
      Buffer.add_char b '"';
      Base64.add b v.source v.first v.last;
      Buffer.add_char b '"'
  | Enum e -> enum b e (int32 v)
  | Message m | Delimited m -> message types b m v ~depth:(Decode.deeper depth 0)

and message types b m v ~depth =
  let m = Registry.resolve types m in
  match special m.full_name with
  | Some f -> f types b m v ~depth
  | None ->
      if Descriptor.is_endless m then fail ("the type of " ^ m.full_name ^ " has no JSON");
      Buffer.add_char b '{';
      members types b m v ~depth;
      Buffer.add_char b '}'

and members types b m v ~depth =
  let found, _ = Walk.message types m v ~depth in
  separated b (member types b ~depth) found

and member types b f ~depth =
  if f.extension = "" then quoted b f.field.json_name
  else quoted b (Printf.sprintf "[%s]" f.extension);
  Buffer.add_char b ':';
  match f.field.kind with
  | Message entry when Descriptor.is_map f.field -> map types b entry f.values ~depth
  | kind when Descriptor.is_repeated f.field ->
      Buffer.add_char b '[';
      separated b (fun v -> value types b kind v ~depth) f.values;
      Buffer.add_char b ']'
  | kind -> value types b kind (List.hd f.values) ~depth

and map types b entry values ~depth =
  let kind number =
    match Descriptor.by_number entry number with
    | Some f -> f.kind
    | None -> fail "map entry without key or value"
  in
  let key_kind = kind 1 and value_kind = kind 2 in
  let pair v =
    let found, _ = Walk.message types entry v ~depth in
    let part number kind = Option.value (key_of number found) ~default:(absent kind) in
    let key = part 1 key_kind in
    let text = match key_kind with String | Raw_string -> contents key | k -> number_text k key in
    (text, part 2 value_kind)
  in
  let pairs = Decode.last_wins [] (List.rev_map pair values) in
  Buffer.add_char b '{';
  separated b
    (fun (key, v) ->
      if key_kind = Raw_string then raw_string b key else string b key;
      Buffer.add_char b ':';
      value types b value_kind v ~depth)
    pairs;
  Buffer.add_char b '}'

and special name =
  match name with
  | "google.protobuf.Any" -> Some any
  | "google.protobuf.Timestamp" -> Some (moment Well_known.timestamp "timestamp")
  | "google.protobuf.Duration" -> Some (moment Well_known.duration "duration")
  | "google.protobuf.FieldMask" -> Some mask
  | "google.protobuf.Struct" -> Some struct_
  | "google.protobuf.Value" -> Some value_
  | "google.protobuf.ListValue" -> Some list
  | "google.protobuf.DoubleValue" | "google.protobuf.FloatValue" | "google.protobuf.Int64Value"
  | "google.protobuf.UInt64Value" | "google.protobuf.Int32Value" | "google.protobuf.UInt32Value"
  | "google.protobuf.BoolValue" | "google.protobuf.StringValue" | "google.protobuf.BytesValue" ->
      Some wrapper
  | _ -> None

and wrapper types b m v ~depth =
  let found, _ = Walk.message types m v ~depth in
  let kind = (List.hd m.fields).kind in
  value types b kind (Option.value (key_of 1 found) ~default:(absent kind)) ~depth

and moment show what types b m v ~depth =
  let found, _ = Walk.message types m v ~depth in
  let seconds = Option.fold ~none:0L ~some:int64 (key_of 1 found) in
  let nanos = Option.fold ~none:0 ~some:int32 (key_of 2 found) in
  match show ~seconds ~nanos with Some s -> quoted b s | None -> fail (what ^ " out of range")

and mask types b m v ~depth =
  let found, _ = Walk.message types m v ~depth in
  let paths = List.concat_map (fun f -> List.map contents f.values) found in
  let shown =
    List.map
      (fun p ->
        match Well_known.mask_path p with
        | Some s -> s
        | None -> fail ("field mask path " ^ p ^ " has no JSON form"))
      paths
  in
  string b (String.concat "," shown)

and struct_ types b m v ~depth =
  let found, _ = Walk.message types m v ~depth in
  match (found, m.fields) with
  | { field = { kind = Message entry; _ }; values; _ } :: _, _ -> map types b entry values ~depth
  | _ -> Buffer.add_string b "{}"

and list types b m v ~depth =
  let found, _ = Walk.message types m v ~depth in
  Buffer.add_char b '[';
  List.iter (fun f -> separated b (fun v -> value types b f.field.kind v ~depth) f.values) found;
  Buffer.add_char b ']'

and value_ types b m v ~depth =
  let found, _ = Walk.message types m v ~depth in
  match found with
  | { field = { kind = Double; _ }; values = x :: _; _ } :: _ ->
      if Float.is_finite (double x) then real b Numbers.double (double x)
      else fail "a Value cannot hold NaN or infinity in JSON"
  | { field; values = x :: _; _ } :: _ -> value types b field.kind x ~depth
  | _ -> Buffer.add_string b "null"

and any types b m v ~depth =
  let found, _ = Walk.message types m v ~depth in
  match key_of 1 found with
  | None -> Buffer.add_string b "{}"
  | Some url ->
      let url = contents url in
      let inner = any_type types url in
      let contents = Option.value (key_of 2 found) ~default:(whole "") in
      Buffer.add_string b "{\"@type\":";
      string b url;
      (match special inner.Descriptor.full_name with
      | Some f ->
          Buffer.add_string b ",\"value\":";
          f types b inner contents ~depth:(Decode.deeper depth 0)
      | None ->
          let rest = Buffer.create 64 in
          members types rest inner contents ~depth:(Decode.deeper depth 0);
          if Buffer.length rest > 0 then (
            Buffer.add_char b ',';
            Buffer.add_buffer b rest));
      Buffer.add_char b '}'

and any_type types url =
  let name =
    match String.rindex_opt url '/' with
    | Some i -> String.sub url (i + 1) (String.length url - i - 1)
    | None -> fail ("type URL " ^ Error.excerpt url ^ " has no slash")
  in
  match Registry.message types name with
  | Some m -> m
  | None -> fail ("type " ^ Error.excerpt name ^ " is not known")

let any_message types m s =
  let b = Buffer.create 256 in
  message types b m (whole s) ~depth:Decode.max_depth;
  Buffer.contents b
