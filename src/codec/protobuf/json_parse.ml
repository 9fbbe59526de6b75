module L = Json_lexer
open Json_cursor
open Json_values

(* What is made on the way is charged, roughly and high, beside what {!Json_values} charge. *)
let of_container = 12
let of_member = 25
let of_known_member = 5
let of_oneof = 8
let of_mask_path = 36

(* A buffer grows by doubling, and is copied. *)
let written t b before = spend t ((((Buffer.length b - before) * 5) + 7) / 8)

(* Each member of an object; [f key] must read its value. *)
let each_member t f =
  spend t of_container;
  L.expect t '{';
  if not (L.accept t '}') then
    let rec go () =
      let key = L.string t in
      L.expect t ':';
      f key;
      if L.accept t ',' then go () else L.expect t '}'
    in
    go ()

let each_element t f =
  spend t of_container;
  L.expect t '[';
  if not (L.accept t ']') then
    let rec go () =
      f ();
      if L.accept t ',' then go () else L.expect t ']'
    in
    go ()

let takes_null = Json_keys.takes_null

let find_field types (m : Descriptor.message) key =
  let n = String.length key in
  if n > 2 && key.[0] = '[' && key.[n - 1] = ']' then
    let name = String.sub key 1 (n - 2) in
    match Registry.extension_by_name types ~extendee:m.full_name name with
    | Some x -> Some x.field
    | None -> None
  else
    match List.find_opt (fun (f : Descriptor.field) -> String.equal f.json_name key) m.fields with
    | Some _ as found -> found
    | None -> List.find_opt (Json_keys.answers_to key) m.fields

(* An Any's type where writers put it, first. *)
let leading_type t =
  let start = L.position t in
  let found =
    L.accept t '{'
    && Char.equal (L.peek t) '"'
    && String.equal (L.string t) "@type"
    &&
    (L.expect t ':';
     true)
  in
  let url = if found then Some (L.string t) else None in
  L.seek t start;
  url

let rec tag_end b i = if Buffer.nth b i >= '\x80' then tag_end b (i + 1) else i + 1
let rec zeros b i = i >= Buffer.length b || (Buffer.nth b i = '\000' && zeros b (i + 1))

(* An implicit field of its default is not written: an Any keeps these bytes. *)
let drop_default b before =
  if Buffer.length b > before && zeros b (tag_end b before) then Buffer.truncate b before

let delimited t b f = spend t (L.text_words (Wire_buffer.delimited b f) + 2)

(* Types whose JSON is that of their only field. *)
let is_only_field = function
  | "google.protobuf.Struct" | "google.protobuf.ListValue" | "google.protobuf.DoubleValue"
  | "google.protobuf.FloatValue" | "google.protobuf.Int64Value" | "google.protobuf.UInt64Value"
  | "google.protobuf.Int32Value" | "google.protobuf.UInt32Value" | "google.protobuf.BoolValue"
  | "google.protobuf.StringValue" | "google.protobuf.BytesValue" ->
      true
  | _ -> false

(* The field of a [google.protobuf.Value] whose JSON begins so. *)
let value_number = function 'n' -> 1 | '"' -> 3 | 't' | 'f' -> 4 | '{' -> 5 | '[' -> 6 | _ -> 2

(* The field whose JSON name is in [s] at these places, and those behind it. *)
let rec named s from n = function
  | [] -> []
  | (f : Descriptor.field) :: rest as l ->
      if String.length f.json_name = n && Words.same s from f.json_name 0 n then l
      else named s from n rest

(* The same of the name that is next, which is passed over; [] if it is another, or written with an
   escape. [guess] is where to look first. *)
let known_next t (guess : Descriptor.field list) fields =
  let from = if Char.equal (L.peek t) '"' then t.pos + 1 else t.limit in
  let stop = Utf8.plain t.s from t.limit in
  if at t stop <> '"' then []
  else
    let n = stop - from in
    let found = match named t.s from n guess with [] -> named t.s from n fields | l -> l in
    (match found with [] -> () | _ -> t.pos <- stop + 1);
    found

let whole t b (k : Descriptor.kind) =
  ignore (L.peek t);
  let from = t.pos in
  let v = L.plain_integer t in
  if v <> L.not_plain && Wire_buffer.fits k v then Wire_buffer.whole b k v
  else (
    t.pos <- from;
    spend t made;
    Wire_buffer.integer b k (wide_number t k))

(* Without escapes it is copied at once. *)
let text t b =
  let from = if Char.equal (L.peek t) '"' then t.pos + 1 else t.limit in
  let stop = Utf8.text t.s from t.limit in
  if stop >= 0 && at t stop = '"' then (
    Wire_buffer.piece b t.s from (stop - from);
    t.pos <- stop + 1)
  else Wire_buffer.block b (L.string t)

let scalar t b (f : Descriptor.field) number =
  Wire_buffer.tag b number (Descriptor.wire_type f.kind);
  match f.kind with
  | Double ->
      spend t made;
      Wire_buffer.fixed64 b (Int64.bits_of_float (float_value t))
  | Float -> (
      spend t (2 * made);
      match Numbers.single (float_value t) with
      | Some x -> Wire_buffer.fixed32 b (Int32.bits_of_float x)
      | None -> L.fail t "number is too large for single precision")
  | Bool -> Wire_buffer.integer b Bool (if L.bool t then 1L else 0L)
  | Enum e ->
      ignore (L.peek t);
      let v = named_value t e in
      if v <> L.not_plain then Wire_buffer.whole b f.kind v
      else (
        spend t made;
        Wire_buffer.integer b f.kind (enum_name t e))
  | String | Raw_string -> text t b
  | Bytes ->
      spend t made;
      Wire_buffer.block b (bytes_value t)
  | Fixed32 | Sfixed32 | Fixed64 | Sfixed64 ->
      spend t made;
      whole t b f.kind
  | _ -> whole t b f.kind

let once t (m : Descriptor.message) (f : Descriptor.field) seen =
  if List.memq f.number !seen then L.fail t "field given twice";
  if f.oneof <> "" then (
    let comes_too (g : Descriptor.field) =
      String.equal g.oneof f.oneof && List.memq g.number !seen
    in
    spend t of_oneof;
    if List.exists comes_too m.fields then L.fail t "second field of a oneof");
  seen := f.number :: !seen

let rec value t b (f : Descriptor.field) number ~depth =
  match f.kind with
  | Message m ->
      let depth = Decode.deeper depth (L.position t) in
      spend t of_container;
      Wire_buffer.tag b number 2;
      delimited t b (fun b -> message t m ~depth b)
  | Delimited m ->
      Wire_buffer.tag b number 3;
      message t m ~depth:(Decode.deeper depth (L.position t)) b;
      Wire_buffer.tag b number 4
  | _ ->
      let before = Buffer.length b in
      scalar t b f number;
      written t b before

(* A map's key is always quoted. *)
and key t b (f : Descriptor.field) text =
  match f.kind with
  | String | Raw_string ->
      Wire_buffer.tag b 1 2;
      Wire_buffer.block b text
  | Bool ->
      Wire_buffer.tag b 1 0;
      Wire_buffer.varint b
        (match text with "true" -> 1L | "false" -> 0L | _ -> L.fail t "map key is not a bool")
  | kind ->
      let v = number_key t kind text in
      Wire_buffer.tag b 1 (Descriptor.wire_type kind);
      Wire_buffer.integer b kind v

and map t b (entry : Descriptor.message) number ~depth =
  match entry.fields with
  | [ key_field; value_field ] ->
      each_member t (fun text ->
          let before = Buffer.length b in
          spend t (of_member + String.length text);
          try
            Wire_buffer.tag b number 2;
            delimited t b (fun b ->
                key t b key_field text;
                if (not (takes_null value_field.kind)) && L.null t then L.fail t "null in a map";
                value t b value_field 2 ~depth)
          with Left_out -> Buffer.truncate b before)
  | _ -> L.fail t "map entry without key or value"

and list t b (f : Descriptor.field) ~depth =
  each_element t (fun () ->
      if (not (takes_null f.kind)) && L.null t then L.fail t "null in a list";
      let before = Buffer.length b in
      try value t b f f.number ~depth with Left_out -> Buffer.truncate b before)

and field t b (f : Descriptor.field) ~depth =
  if Descriptor.is_map f then
    match f.kind with Message entry -> map t b entry f.number ~depth | _ -> ()
  else if Descriptor.is_repeated f then list t b f ~depth
  else
    let before = Buffer.length b in
    (try value t b f f.number ~depth with Left_out -> Buffer.truncate b before);
    if f.label = Implicit then drop_default b before

and member t (m : Descriptor.message) seen ~depth b name =
  spend t of_member;
  match find_field t.types m name with
  | Some f -> known_member t m f seen ~depth b
  | None ->
      if t.ignore_unknown then L.skip t ~depth
      else L.fail t (Printf.sprintf "%s has no field %s" m.full_name (Error.excerpt name))

and known_member t (m : Descriptor.message) f seen ~depth b =
  spend t of_known_member;
  if (not (takes_null f.kind && not (Descriptor.is_repeated f))) && L.null t then ()
  else (
    once t m f seen;
    match f.kind with
    | Message inner when m.message_set ->
        let contents = Buffer.create 64 in
        message t inner ~depth:(Decode.deeper depth (L.position t)) contents;
        spend t (L.buffer + (2 * Buffer.length contents));
        Wire_buffer.set_item b f.number (Buffer.contents contents)
    | _ -> field t b f ~depth)

and message t m ~depth b =
  let m = Registry.resolve t.types m in
  match special m.full_name with
  | Some read -> read t m ~depth b
  | None ->
      L.expect t '{';
      if not (L.accept t '}') then members t m m.fields (ref []) ~depth b

(* [guess] are the fields behind the one that came last. *)
and members t m guess seen ~depth b =
  let guess =
    match known_next t guess m.fields with
    | f :: behind ->
        L.expect t ':';
        known_member t m f seen ~depth b;
        behind
    | [] ->
        let name = L.string t in
        L.expect t ':';
        member t m seen ~depth b name;
        guess
  in
  if L.accept t ',' then members t m guess seen ~depth b else L.expect t '}'

and special name =
  match name with
  | "google.protobuf.Any" -> Some any
  | "google.protobuf.Timestamp" -> Some (moment Well_known.read_timestamp "timestamp")
  | "google.protobuf.Duration" -> Some (moment Well_known.read_duration "duration")
  | "google.protobuf.FieldMask" -> Some mask
  | "google.protobuf.Value" -> Some value_
  | _ -> if is_only_field name then Some only_field else None

and only_field t m ~depth b = field t b (List.hd m.fields) ~depth

and moment read what t _ ~depth:_ b =
  let s = L.string t in
  spend t (2 * of_value);
  match read s with
  | None -> L.fail t (Printf.sprintf "%s is no %s" (Error.excerpt s) what)
  | Some (seconds, nanos) ->
      let part number v =
        if not (Int64.equal v 0L) then (
          Wire_buffer.tag b number 0;
          Wire_buffer.varint b v)
      in
      part 1 seconds;
      part 2 (Int64.of_int nanos)

and mask t _ ~depth:_ b =
  let s = L.string t in
  spend t of_value;
  let path from stop =
    spend t (of_mask_path + (2 * L.text_words (stop - from)) + stop - from);
    match Well_known.read_mask_path (String.sub s from (stop - from)) with
    | None -> L.fail t "field mask path with an underscore"
    | Some p ->
        Wire_buffer.tag b 1 2;
        Wire_buffer.block b p
  in
  let rec paths from =
    match String.index_from_opt s from ',' with
    | Some stop ->
        path from stop;
        paths (stop + 1)
    | None -> path from (String.length s)
  in
  if s <> "" then paths 0

and value_ t (m : Descriptor.message) ~depth b =
  spend t made;
  match Descriptor.by_number m (value_number (L.peek t)) with
  | Some f -> field t b f ~depth
  | None -> L.fail t "expected a value"

(* The type may stand behind what it is the type of: find it, then begin again. *)
and any t _ ~depth b =
  ignore (L.peek t);
  let start = L.position t in
  let url = ref None and empty = ref true in
  let first = leading_type t in
  if first <> None then url := first
  else
    each_member t (fun name ->
        empty := false;
        if String.equal name "@type" then (
          if !url <> None then L.fail t "two @type";
          url := Some (L.string t))
        else L.skip t ~depth);
  match !url with
  | None -> if not !empty then Error.fail start "Any without @type"
  | Some url ->
      spend t (of_slow_number + (2 * String.length url));
      let inner : Descriptor.message = Json_print.any_type t.types url in
      let length = L.position t - start in
      L.seek t start;
      let seen = ref [] in
      (* What was read to find the type is read again, at each level: see [Decode.joining]. *)
      let twice = first = None && length > Decode.largest_free in
      let depth = if twice then depth - Decode.joining + 1 else depth in
      let depth = Decode.deeper depth start in
      let types = ref 0 in
      Wire_buffer.tag b 1 2;
      Wire_buffer.block b url;
      Wire_buffer.tag b 2 2;
      delimited t b (fun b ->
          each_member t (fun name ->
              match (name, special inner.full_name) with
              | "@type", _ ->
                  incr types;
                  if !types > 1 then L.fail t "two @type";
                  ignore (L.string t)
              | "value", Some read -> read t inner ~depth b
              | _, Some _ -> if t.ignore_unknown then L.skip t ~depth else L.fail t "expected value"
              | _, None -> member t inner seen ~depth b name))

let is_special name = Option.is_some (special name)
