type t = {
  message : Descriptor.message;
  count : int;
  pieces : string array;
  slots : string;
  lengths : int array;
  places : int array;
  marks : int array;
  takes_null : bool array;
  by_name : (string, int) Hashtbl.t Lazy.t;
}

let slot_size = 24
let index_bits = 14
let bits = 48

let takes_null (k : Descriptor.kind) =
  match k with
  | Message { full_name = "google.protobuf.Value"; _ }
  | Enum { enum_name = "google.protobuf.NullValue"; _ } ->
      true
  | _ -> false

(* As [other_names], of which none is made. *)
let answers_to key (f : Descriptor.field) =
  String.equal f.name key
  ||
  match f.kind with
  | Delimited _ ->
      String.length f.name = String.length key
      && String.for_all (fun c -> not (c >= 'A' && c <= 'Z')) key
      && String.equal (String.lowercase_ascii f.name) key
  | _ -> false

(* A group's own name is its type's in lower case; text format shows the type's. *)
let other_names (f : Descriptor.field) =
  match f.kind with Delimited _ -> [ f.name; String.lowercase_ascii f.name ] | _ -> [ f.name ]

let places (m : Descriptor.message) =
  let oneofs = Hashtbl.create 4 in
  let next = ref (-1) in
  let place (f : Descriptor.field) =
    match Hashtbl.find_opt oneofs f.oneof with
    | Some n -> n
    | None ->
        incr next;
        if f.oneof <> "" then Hashtbl.add oneofs f.oneof !next;
        !next
  in
  Array.of_list (List.map place m.fields)

let piece (f : Descriptor.field) =
  let b = Buffer.create 32 in
  Buffer.add_char b ',';
  Json_print.string b f.json_name;
  Buffer.add_char b ':';
  Buffer.contents b

let slots pieces =
  let b = Bytes.make (slot_size * Array.length pieces) '\000' in
  Array.iteri
    (fun i p ->
      let n = String.length p and at = i * slot_size in
      Bytes.blit_string p 0 b at (min n 16);
      Bytes.fill b (at + 16) (min 8 (n - 1)) '\255')
    pieces;
  Bytes.to_string b

let index (fields : Descriptor.field array) =
  let found = Hashtbl.create (2 * Array.length fields) in
  let add i name = if not (Hashtbl.mem found name) then Hashtbl.add found name i in
  Array.iteri (fun i (f : Descriptor.field) -> add i f.json_name) fields;
  Array.iteri (fun i f -> List.iter (add i) (other_names f)) fields;
  found

let make (m : Descriptor.message) =
  let fields = Array.of_list m.fields in
  let pieces = Array.map piece fields in
  let places = places m in
  let mark i place = i lor if place < bits then 1 lsl (index_bits + place) else 0 in
  {
    message = m;
    count = Array.length fields;
    pieces;
    slots = slots pieces;
    lengths = Array.map String.length pieces;
    places;
    marks = Array.mapi mark places;
    takes_null =
      Array.map
        (fun (f : Descriptor.field) -> (not (Descriptor.is_repeated f)) && takes_null f.kind)
        fields;
    by_name = lazy (index fields);
  }

let find t name = match Hashtbl.find_opt (Lazy.force t.by_name) name with Some i -> i | None -> -1
