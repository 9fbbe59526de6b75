type held = Plain | Option | Case of int
type field = { field : Descriptor.field; slot : int; held : held }
type message = { descriptor : Descriptor.message; fields : field list; keeps : bool }

let wrong what = invalid_arg ("Weir_protobuf.Unsafe.Layout: " ^ what)

let plain s =
  let b = Buffer.create (String.length s) in
  let rec go i =
    if i < String.length s then
      if s.[i] = '%' && i + 2 < String.length s then (
        Buffer.add_char b (Char.chr (int_of_string ("0x" ^ String.sub s (i + 1) 2)));
        go (i + 3))
      else (
        Buffer.add_char b s.[i];
        go (i + 1))
  in
  if String.contains s '%' then (
    go 0;
    Buffer.contents b)
  else s

let words s =
  String.map (fun c -> if c = '\n' then ' ' else c) s
  |> String.split_on_char ' '
  |> List.filter (fun w -> w <> "")

let after prefix s =
  let n = String.length prefix in
  if String.starts_with ~prefix s then Some (plain (String.sub s n (String.length s - n))) else None

(* What a field's JSON name is unless the schema chooses. *)
let json_name name =
  let b = Buffer.create (String.length name) in
  let add up c =
    if c = '_' then true
    else (
      Buffer.add_char b (if up then Char.uppercase_ascii c else c);
      false)
  in
  ignore (String.fold_left add false name);
  Buffer.contents b

type context = { message : string -> Descriptor.message; enums : Descriptor.enum array }

let scalars : (string, Descriptor.kind) Hashtbl.t =
  [
    ("double", Descriptor.Double); ("float", Float); ("int32", Int32); ("int64", Int64);
    ("uint32", Uint32); ("uint64", Uint64); ("sint32", Sint32); ("sint64", Sint64);
    ("fixed32", Fixed32); ("fixed64", Fixed64); ("sfixed32", Sfixed32); ("sfixed64", Sfixed64);
    ("bool", Bool); ("string", String); ("bytes", Bytes); ("raw_string", Raw_string);
  ] |> List.to_seq |> Hashtbl.of_seq [@@ocamlformat "disable"]

let kind c word : Descriptor.kind =
  match Hashtbl.find_opt scalars word with
  | Some k -> k
  | None -> (
      match String.split_on_char '=' word with
      | [ "message"; name ] -> Message (c.message name)
      | [ "group"; name ] -> Delimited (c.message name)
      | [ "enum"; i ] -> Enum c.enums.(int_of_string i)
      | _ -> wrong word)

let label word : Descriptor.label * held =
  match word with
  | "implicit" -> (Implicit, Plain)
  | "explicit" -> (Explicit, Option)
  | "required" -> (Required, Plain)
  | "optional" -> (Required, Option)
  | "repeated" -> (Repeated, Plain)
  | "packed" -> (Packed, Plain)
  | _ -> wrong word

let field c text =
  match words text with
  | number :: name :: kind_word :: label_word :: slot :: more ->
      let name = plain name and label, held = label label_word in
      let given prefix other = Option.value (List.find_map (after prefix) more) ~default:other in
      let slot, held =
        match String.split_on_char ':' slot with
        | [ slot; case ] -> (slot, Case (int_of_string case))
        | _ -> (slot, held)
      in
      {
        field =
          {
            number = int_of_string number;
            name;
            json_name = given "json=" (json_name name);
            kind = kind c kind_word;
            label;
            oneof = given "oneof=" "";
            form =
              (if List.mem "array" more then Array
               else if List.mem "slice" more then Slice
               else Usual);
          };
        slot = int_of_string slot;
        held;
      }
  | _ -> wrong text

let range word =
  match String.split_on_char '-' word with
  | [ a; z ] -> (int_of_string a, int_of_string z)
  | _ -> wrong word

(* A message without its fields, and their text. *)
let heading text =
  match String.index_opt text ':' with
  | None -> wrong text
  | Some i -> (
      let rest = String.sub text (i + 1) (String.length text - i - 1) in
      match words (String.sub text 0 i) with
      | [] -> wrong text
      | name :: more ->
          let given prefix = List.filter_map (after prefix) more in
          let descriptor : Descriptor.message =
            {
              full_name = name;
              fields = [];
              map_entry = List.mem "entry" more;
              message_set = List.mem "set" more;
              reserved = given "reserved=";
              extensible = List.map range (given "extensible=");
              sliced = false;
              unfolding = Descriptor.Unmeasured;
            }
          in
          (descriptor, not (List.mem "dropped" more), rest))

let parts c text = List.filter (fun s -> words s <> []) (String.split_on_char c text)

(* Who has a message with slices has slices. *)
let rec spread_slices messages =
  let is_new m =
    (not m.descriptor.sliced)
    && List.exists
         (fun f ->
           f.field.form = Slice
           || match f.field.kind with Message d | Delimited d -> d.sliced | _ -> false)
         m.fields
  in
  let found = List.filter is_new messages in
  List.iter (fun m -> m.descriptor.sliced <- true) found;
  if found <> [] then spread_slices messages

let read ~imports ~enums text =
  let headed = List.map heading (parts ';' text) in
  let own = Hashtbl.create 64 in
  List.iter (fun ((d : Descriptor.message), _, _) -> Hashtbl.replace own d.full_name d) headed;
  let message name =
    match Hashtbl.find_opt own name with
    | Some d -> d
    | None -> (
        match List.find_map (fun types -> Registry.message types name) imports with
        | Some d -> d
        | None -> wrong ("no message " ^ name))
  in
  let c = { message; enums = Array.of_list enums } in
  let complete ((descriptor : Descriptor.message), keeps, rest) =
    let fields = List.map (field c) (parts ',' rest) in
    descriptor.fields <- List.map (fun f -> f.field) fields;
    { descriptor; fields; keeps }
  in
  let messages = List.map complete headed in
  spread_slices messages;
  Array.of_list messages

let types ~imports ~extensions messages =
  let named =
    List.filter_map
      (fun m -> if m.descriptor.map_entry then None else Some m.descriptor)
      (Array.to_list messages)
  in
  Registry.make ~imports ~messages:named ~extensions
