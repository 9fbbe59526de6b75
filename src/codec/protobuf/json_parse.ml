module L = Json_lexer

(* What does not change on the way down. *)
type context = { types : Registry.t; ignore_unknown : bool; lexer : L.t }

(* A value that is to be left out: an enum's name that is not known. *)
exception Left_out

let within name f =
  try f ()
  with Error.Error e -> raise (Error.Error { e with path = Error.excerpt name :: e.path })

(* Each member of an object; [f key] must read its value. *)
let each_member t f =
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
  L.expect t '[';
  if not (L.accept t ']') then
    let rec go () =
      f ();
      if L.accept t ',' then go () else L.expect t ']'
    in
    go ()

(* Quoted or not, a number's text; [check] reads it as JSON would. *)
let number_text t =
  if Char.equal (L.peek t) '"' then (
    let at = L.position t in
    let s = L.string t in
    let inner = L.of_string s in
    let text = match L.number inner with n -> n | exception Error.Error _ -> "" in
    if s = "" || String.length text <> String.length s then Error.fail at "expected a number";
    text)
  else L.number t

(* The whole of a map's key, which stands before [position]. *)
let key_digits position text =
  match L.number (L.of_string text) with
  | digits when String.length digits = String.length text -> digits
  | _ | (exception Error.Error _) -> Error.fail position "map key is not a number"

let integer t (k : Descriptor.kind) text =
  let v = if Wire_buffer.is_unsigned k then Numbers.unsigned text else Numbers.integer text in
  match v with
  | Some v when Wire_buffer.in_range k v -> v
  | Some _ | None -> L.fail t ("number " ^ Error.excerpt text ^ " does not fit its field")

let real t text =
  let x = float_of_string text in
  if Float.is_finite x then x else L.fail t ("number " ^ Error.excerpt text ^ " is too large")

let float_value t =
  if Char.equal (L.peek t) '"' then (
    let at = L.position t in
    match L.string t with
    | "NaN" -> nan
    | "Infinity" -> infinity
    | "-Infinity" -> neg_infinity
    | _ ->
        L.seek t at;
        real t (number_text t))
  else real t (L.number t)

let enum_name t ~ignore_unknown (e : Descriptor.enum) =
  match L.peek t with
  | '"' -> (
      let name = L.string t in
      match List.assoc_opt name e.values with
      | Some n -> Int64.of_int n
      | None ->
          if ignore_unknown then raise_notrace Left_out
          else L.fail t (Printf.sprintf "%s has no value %s" e.enum_name (Error.excerpt name)))
  | 'n' when String.equal e.enum_name "google.protobuf.NullValue" && L.null t -> 0L
  | _ -> integer t Int32 (L.number t)

let enum_value c e = enum_name c.lexer ~ignore_unknown:c.ignore_unknown e

let bytes_value t =
  let s = L.string t in
  match Base64.decode s with Some bytes -> bytes | None -> L.fail t "bytes are not base64"

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
    | None -> List.find_opt (fun f -> List.mem key (Json_keys.other_names f)) m.fields

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

(* An implicit field of its default is not written: an Any keeps these bytes. *)
let drop_default b before =
  let stop = Buffer.length b in
  let rec tag_end i = if Buffer.nth b i >= '\x80' then tag_end (i + 1) else i + 1 in
  let rec zeros i = i >= stop || (Buffer.nth b i = '\000' && zeros (i + 1)) in
  if stop > before && zeros (tag_end before) then Buffer.truncate b before

let rec value c b (f : Descriptor.field) number ~depth =
  let t = c.lexer in
  let tag wire = Wire_buffer.tag b number wire in
  match f.kind with
  | Double ->
      let x = float_value t in
      tag 1;
      Wire_buffer.fixed64 b (Int64.bits_of_float x)
  | Float -> (
      match Numbers.single (float_value t) with
      | Some x ->
          tag 5;
          Wire_buffer.fixed32 b (Int32.bits_of_float x)
      | None -> L.fail t "number is too large for single precision")
  | Int32 | Int64 | Uint32 | Uint64 | Sint32 | Sint64 | Fixed32 | Fixed64 | Sfixed32 | Sfixed64 ->
      let v = integer t f.kind (number_text t) in
      tag (Descriptor.wire_type f.kind);
      Wire_buffer.integer b f.kind v
  | Bool ->
      let v = L.bool t in
      tag 0;
      Wire_buffer.integer b Bool (if v then 1L else 0L)
  | Enum e ->
      let v = enum_value c e in
      tag 0;
      Wire_buffer.integer b f.kind v
  | String | Raw_string ->
      let s = L.string t in
      tag 2;
      Wire_buffer.block b s
  | Bytes ->
      let s = bytes_value t in
      tag 2;
      Wire_buffer.block b s
  | Message m ->
      let inner = Buffer.create 64 in
      message c m ~depth:(Decode.deeper depth (L.position t)) inner;
      tag 2;
      Wire_buffer.block b (Buffer.contents inner)
  | Delimited m ->
      tag 3;
      message c m ~depth:(Decode.deeper depth (L.position t)) b;
      tag 4

(* A map's key is always quoted. *)
and key c b (f : Descriptor.field) text =
  let t = c.lexer in
  match f.kind with
  | String | Raw_string ->
      Wire_buffer.tag b 1 2;
      Wire_buffer.block b text
  | Bool ->
      Wire_buffer.tag b 1 0;
      Wire_buffer.varint b
        (match text with "true" -> 1L | "false" -> 0L | _ -> L.fail t "map key is not a bool")
  | kind ->
      let v = integer t kind (key_digits (L.position t) text) in
      Wire_buffer.tag b 1 (Descriptor.wire_type kind);
      Wire_buffer.integer b kind v

and map c b (entry : Descriptor.message) number ~depth =
  match entry.fields with
  | [ key_field; value_field ] ->
      each_member c.lexer (fun text ->
          within text (fun () ->
              let inner = Buffer.create 32 in
              key c inner key_field text;
              if (not (takes_null value_field.kind)) && L.null c.lexer then
                L.fail c.lexer "null in a map";
              match value c inner value_field 2 ~depth with
              | () ->
                  Wire_buffer.tag b number 2;
                  Wire_buffer.block b (Buffer.contents inner)
              | exception Left_out -> ()))
  | _ -> L.fail c.lexer "map entry without key or value"

and list c b (f : Descriptor.field) ~depth =
  let i = ref 0 in
  each_element c.lexer (fun () ->
      within (string_of_int !i) (fun () ->
          incr i;
          if (not (takes_null f.kind)) && L.null c.lexer then L.fail c.lexer "null in a list";
          try value c b f f.number ~depth with Left_out -> ()))

and field c b (f : Descriptor.field) ~depth =
  if Descriptor.is_map f then
    match f.kind with Message entry -> map c b entry f.number ~depth | _ -> ()
  else if Descriptor.is_repeated f then list c b f ~depth
  else
    let before = Buffer.length b in
    (try value c b f f.number ~depth with Left_out -> ());
    if f.label = Implicit then drop_default b before

and members c b (m : Descriptor.message) seen ~depth name =
  let t = c.lexer in
  match find_field c.types m name with
  | None ->
      if c.ignore_unknown then L.skip t ~depth
      else L.fail t (Printf.sprintf "%s has no field %s" m.full_name (Error.excerpt name))
  | Some f ->
      within f.name (fun () ->
          if (not (takes_null f.kind && not (Descriptor.is_repeated f))) && L.null t then ()
          else (
            if List.mem (`Field f.number) !seen then L.fail t "field given twice";
            seen := `Field f.number :: !seen;
            if f.oneof <> "" then (
              if List.mem (`Oneof f.oneof) !seen then L.fail t "second field of a oneof";
              seen := `Oneof f.oneof :: !seen);
            match f.kind with
            | Message inner when m.message_set ->
                let contents = Buffer.create 64 in
                message c inner ~depth:(Decode.deeper depth (L.position t)) contents;
                Wire_buffer.set_item b f.number (Buffer.contents contents)
            | _ -> field c b f ~depth))

and message c m ~depth b =
  let m = Registry.resolve c.types m in
  match special m.full_name with
  | Some read -> read c m ~depth b
  | None ->
      let seen = ref [] in
      each_member c.lexer (members c b m seen ~depth)

and special name =
  match name with
  | "google.protobuf.Any" -> Some any
  | "google.protobuf.Timestamp" -> Some (moment Well_known.read_timestamp "timestamp")
  | "google.protobuf.Duration" -> Some (moment Well_known.read_duration "duration")
  | "google.protobuf.FieldMask" -> Some mask
  | "google.protobuf.Struct" | "google.protobuf.ListValue" -> Some only_field
  | "google.protobuf.Value" -> Some value_
  | "google.protobuf.DoubleValue" | "google.protobuf.FloatValue" | "google.protobuf.Int64Value"
  | "google.protobuf.UInt64Value" | "google.protobuf.Int32Value" | "google.protobuf.UInt32Value"
  | "google.protobuf.BoolValue" | "google.protobuf.StringValue" | "google.protobuf.BytesValue" ->
      Some only_field
  | _ -> None

(* Types whose JSON is that of their only field. *)
and only_field c m ~depth b = field c b (List.hd m.fields) ~depth

and moment read what c _ ~depth:_ b =
  let s = L.string c.lexer in
  match read s with
  | None -> L.fail c.lexer (Printf.sprintf "%s is no %s" (Error.excerpt s) what)
  | Some (seconds, nanos) ->
      let part number v =
        if not (Int64.equal v 0L) then (
          Wire_buffer.tag b number 0;
          Wire_buffer.varint b v)
      in
      part 1 seconds;
      part 2 (Int64.of_int nanos)

and mask c _ ~depth:_ b =
  let s = L.string c.lexer in
  if s <> "" then
    List.iter
      (fun p ->
        match Well_known.read_mask_path p with
        | None -> L.fail c.lexer "field mask path with an underscore"
        | Some p ->
            Wire_buffer.tag b 1 2;
            Wire_buffer.block b p)
      (String.split_on_char ',' s)

and value_ c (m : Descriptor.message) ~depth b =
  let number =
    match L.peek c.lexer with 'n' -> 1 | '"' -> 3 | 't' | 'f' -> 4 | '{' -> 5 | '[' -> 6 | _ -> 2
  in
  match Descriptor.by_number m number with
  | Some f -> field c b f ~depth
  | None -> L.fail c.lexer "expected a value"

(* The type may stand behind what it is the type of: find it, then begin again. *)
and any c _ ~depth b =
  let t = c.lexer in
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
      let inner : Descriptor.message = Json_print.any_type c.types url in
      let length = L.position t - start in
      L.seek t start;
      let contents = Buffer.create 64 in
      let seen = ref [] in
      (* What was read to find the type is read again, at each level: see [Decode.joining]. *)
      let twice = first = None && length > Decode.largest_free in
      let depth = if twice then depth - Decode.joining + 1 else depth in
      let depth = Decode.deeper depth start in
      let types = ref 0 in
      each_member t (fun name ->
          match (name, special inner.full_name) with
          | "@type", _ ->
              incr types;
              if !types > 1 then L.fail t "two @type";
              ignore (L.string t)
          | "value", Some read -> read c inner ~depth contents
          | _, Some _ -> if c.ignore_unknown then L.skip t ~depth else L.fail t "expected value"
          | _, None -> members c contents inner seen ~depth name);
      Wire_buffer.tag b 1 2;
      Wire_buffer.block b url;
      Wire_buffer.tag b 2 2;
      Wire_buffer.block b (Buffer.contents contents)

let member types ~ignore_unknown lexer m seen ~depth b name =
  members { types; ignore_unknown; lexer } b m seen ~depth name

let message types ~ignore_unknown lexer m ~depth b =
  message { types; ignore_unknown; lexer } m ~depth b
