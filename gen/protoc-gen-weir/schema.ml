include Model
open Loading

type t = {
  files : (string, file) Hashtbl.t;
  all_messages : (string, message) Hashtbl.t;
  all_enums : (string, enum) Hashtbl.t;
  by_path : (string * string list, message) Hashtbl.t;
}

let types_module = "Weir'types"

let refined_oneof features (o : P.Oneof_descriptor_proto.t) =
  Features.refine features (Option.bind o.options (fun (o : P.Oneof_options.t) -> o.features))

let load_oneof l features ~full ~flat path (d : P.Descriptor_proto.t) index
    (o : P.Oneof_descriptor_proto.t) =
  let features = refined_oneof features o in
  let claim = Names.claim l.names in
  let oneof_label = claim ~within:full Label (Names.value (text o.name)) in
  let type_name = claim ~within:full Type (Names.value (text o.name)) in
  let within = full ^ "." ^ text o.name in
  let case (i, (f : P.Field_descriptor_proto.t)) =
    let c = claim ~within Constructor (Names.capital (text f.name)) in
    let path = path @ [ 2; i ] in
    let field = load_field l features ~scope:full ~entry:false ~label:c ~case:(Some c) path f in
    { field with oneof_name = text o.name }
  in
  let cases =
    List.mapi (fun i f -> (i, f)) d.field
    |> List.filter (fun (_, (f : P.Field_descriptor_proto.t)) -> f.oneof_index = Some index)
  in
  let number (_, (f : P.Field_descriptor_proto.t)) = Option.value f.number ~default:0 in
  let by_number = List.stable_sort (fun a b -> Int.compare (number a) (number b)) cases in
  let named = List.map (fun c -> (fst c, case c)) by_number in
  {
    oneof_label;
    type_name;
    oneof_flat = flat ^ "''" ^ type_name;
    cases = List.map (fun (i, _) -> List.assoc i named) cases;
    oneof_comment = comment l (path @ [ 8; index ]);
  }

(* A variant may have 244 constructors with an argument. The cases of a larger oneof are fields
   with presence. *)
let most_cases = 240

(* Members in the order of the file; their names are claimed in that of numbers. *)
let load_members l features ~full ~flat path (d : P.Descriptor_proto.t) ~entry =
  let synthetic index =
    List.exists
      (fun (f : P.Field_descriptor_proto.t) ->
        f.oneof_index = Some index && f.proto3_optional = Some true)
      d.field
  in
  let too_many index =
    List.length (List.filter (fun f -> f.P.Field_descriptor_proto.oneof_index = Some index) d.field)
    > most_cases
  in
  let place (f : P.Field_descriptor_proto.t) =
    match f.oneof_index with
    | Some index when not (synthetic index || too_many index) -> `Oneof index
    | Some _ | None -> `Field f.number
  in
  let member (i, (f : P.Field_descriptor_proto.t)) =
    match place f with
    | `Oneof index ->
        Oneof (load_oneof l features ~full ~flat path d index (List.nth d.oneof_decl index))
    | `Field _ ->
        let label = Names.claim l.names ~within:full Label (Names.value (text f.name)) in
        let f = if f.oneof_index = None then f else { f with proto3_optional = Some true } in
        Field (load_field l features ~scope:full ~entry ~label ~case:None (path @ [ 2; i ]) f)
  in
  let loaded = Hashtbl.create 16 in
  let fields = List.mapi (fun i f -> (i, f)) d.field in
  let number (_, (f : P.Field_descriptor_proto.t)) = Option.value f.number ~default:0 in
  List.iter
    (fun (i, f) ->
      if not (Hashtbl.mem loaded (place f)) then Hashtbl.add loaded (place f) (member (i, f)))
    (List.stable_sort (fun a b -> Int.compare (number a) (number b)) fields);
  List.filter_map
    (fun f ->
      let found = Hashtbl.find_opt loaded (place f) in
      Hashtbl.remove loaded (place f);
      found)
    d.field

(* Values of a message's module, and of an enum's. *)
let message_values =
  [ "make"; "default"; "codec"; "decode"; "encode"; "of_json"; "to_json"; "of_text"; "to_text" ]

let enum_values = [ "to_int"; "of_int"; "of_int_opt"; "descriptor" ]
let reserve_values l within = List.iter (Names.reserve l.names ~within Value)

(* Getters are called get_ and their fields, which may come later. *)
let load_extension l features scope ~within path (f : P.Field_descriptor_proto.t) =
  let wanted = Names.value (text f.name) in
  let wanted = if String.starts_with ~prefix:"get_" wanted then wanted ^ "_" else wanted in
  let label = Names.claim l.names ~within Value wanted in
  let field = load_field l features ~scope ~entry:false ~label ~case:None path f in
  let extension_full_name = if scope = "" then text f.name else scope ^ "." ^ text f.name in
  let is_set = undot (text f.extendee) in
  { extendee = is_set; extension_full_name; field }

(* COLOR_RED of enum Color is Red, whatever the others are called. *)
let plain_value name =
  let prefix = String.uppercase_ascii (Names.snake name) ^ "_" in
  let n = String.length prefix in
  fun v ->
    let strips =
      String.length v > n
      && String.uppercase_ascii (String.sub v 0 n) = prefix
      && match v.[n] with 'A' .. 'Z' | 'a' .. 'z' -> true | _ -> false
    in
    if strips then String.sub v n (String.length v - n) else v

let in_scope scope name = if scope = "" then name else scope ^ "." ^ name

let load_enum l features ~scope ~modules path module_name (e : P.Enum_descriptor_proto.t) =
  let name = text e.name in
  let features =
    Features.refine features (Option.bind e.options (fun (o : P.Enum_options.t) -> o.features))
  in
  let full = in_scope scope name in
  let closed = features.closed_enums in
  Names.reserve l.names ~within:full Constructor "Unrecognized";
  reserve_values l full enum_values;
  let by_number = Hashtbl.create 8 in
  let add (values, aliases) (i, (v : P.Enum_value_descriptor_proto.t)) =
    let wanted = Names.capital (plain_value name (text v.name)) in
    let number = Option.value v.number ~default:0 in
    match Hashtbl.find_opt by_number number with
    | Some first ->
        let alias = Names.claim l.names ~within:full Value (Names.value wanted) in
        (values, (text v.name, alias, first) :: aliases)
    | None ->
        let constructor = Names.claim l.names ~within:full Constructor wanted in
        Hashtbl.add by_number number constructor;
        ((text v.name, constructor, number, comment l (path @ [ 2; i ])) :: values, aliases)
  in
  let values, aliases = List.fold_left add ([], []) (List.mapi (fun i v -> (i, v)) e.value) in
  let enum_modules = modules @ [ module_name ] in
  l.out_enums <-
    {
      enum_full_name = full;
      enum_home = l.file_path;
      enum_modules;
      enum_flat = Names.flat_module enum_modules;
      values = List.rev values;
      aliases = List.rev aliases;
      closed;
      enum_comment = comment l path;
    }
    :: l.out_enums;
  full

let is_entry (d : P.Descriptor_proto.t) =
  match d.options with Some o -> o.map_entry = Some true | None -> false

let rec note_entries l scope (d : P.Descriptor_proto.t) =
  let full = in_scope scope (text d.name) in
  if is_entry d then Hashtbl.replace l.entries full d;
  List.iter (note_entries l full) d.nested_type

let reserved_ranges (d : P.Descriptor_proto.t) =
  List.map
    (fun (r : P.Descriptor_proto.Extension_range.t) ->
      (Option.value r.start ~default:0, Option.value r.end_ ~default:0))
    d.extension_range

(* Where a file's, or a message's, messages and enums stand, as descriptors number them. *)
type numbers = { messages : int; enums : int }

let in_file = { messages = 4; enums = 5 }
let in_message = { messages = 3; enums = 4 }

(* The names of the modules that stand beside each other, by their things' paths; an entry's is
   never seen. *)
let claim_modules l ~scope path numbers messages enums ~services =
  let all number name things =
    List.mapi (fun i x -> (path @ [ number; i ], text (name x))) things
  in
  let seen (_, name) = not (Hashtbl.mem l.entries (in_scope scope name)) in
  let things =
    List.filter seen (all numbers.messages (fun (d : P.Descriptor_proto.t) -> d.name) messages)
    @ all numbers.enums (fun (e : P.Enum_descriptor_proto.t) -> e.name) enums
    @ services
  in
  let claimed = Hashtbl.create 16 in
  let claim (path, name) =
    let name = Names.claim l.names ~within:scope Module (Names.capital name) in
    Hashtbl.replace claimed path name
  in
  List.iter claim (by_place l (List.map (fun ((path, _) as thing) -> (path, thing)) things));
  fun path name ->
    match Hashtbl.find_opt claimed path with Some m -> m | None -> Names.capital name ^ "'"

let rec load_message l features ~scope ~modules path module_name (d : P.Descriptor_proto.t) =
  let name = text d.name in
  let full = in_scope scope name in
  let features =
    Features.refine features (Option.bind d.options (fun (o : P.Message_options.t) -> o.features))
  in
  let waived =
    match d.options with
    | Some o -> o.deprecated_legacy_json_field_conflicts = Some true
    | None -> false
  in
  Json_names.check ~file:l.file_path ~legacy:(waived || features.legacy_json) d;
  let modules = modules @ [ module_name ] in
  let flat = Names.flat modules and entry = is_entry d in
  reserve_values l full message_values;
  let m =
    {
      full_name = full;
      home = l.file_path;
      modules;
      flat;
      members = load_members l features ~full ~flat path d ~entry;
      entry;
      message_set =
        (match d.options with Some o -> o.message_set_wire_format = Some true | None -> false);
      reserved = d.reserved_name;
      extensible = reserved_ranges d;
      message_comment = comment l path;
      nested = [];
      extensions =
        List.mapi
          (fun i -> load_extension l features full ~within:full (path @ [ 6; i ]))
          d.extension;
    }
  in
  let here = l.out_messages in
  l.out_messages <- [];
  let module_name =
    claim_modules l ~scope:full path in_message d.nested_type d.enum_type ~services:[]
  in
  let nested =
    load_within l features ~scope:full ~modules path in_message module_name d.nested_type
      d.enum_type
  in
  l.out_messages <- l.out_messages @ [ { m with nested } ] @ here;
  full

(* The messages and enums within a message or a file. *)
and load_within l features ~scope ~modules path numbers module_name messages enums =
  let enum i (e : P.Enum_descriptor_proto.t) =
    let path = path @ [ numbers.enums; i ] in
    load_enum l features ~scope ~modules path (module_name path (text e.name)) e
  in
  let message i (d : P.Descriptor_proto.t) =
    let path = path @ [ numbers.messages; i ] in
    load_message l features ~scope ~modules path (module_name path (text d.name)) d
  in
  let enums = List.mapi enum enums in
  let messages = List.mapi message messages in
  enums @ List.filter (fun n -> not (Hashtbl.mem l.entries n)) messages

let load_service l i module_name (s : P.Service_descriptor_proto.t) =
  let full = in_scope (text l.proto.package) (text s.name) in
  reserve_values l full [ "handlers" ];
  let rpc j (m : P.Method_descriptor_proto.t) =
    {
      rpc_name = text m.name;
      rpc_value = Names.claim l.names ~within:full Value (Names.value (text m.name));
      request = undot (text m.input_type);
      response = undot (text m.output_type);
      client_streams = m.client_streaming = Some true;
      server_streams = m.server_streaming = Some true;
      rpc_comment = comment l [ 6; i; 2; j ];
    }
  in
  {
    service_name = full;
    service_module = module_name;
    rpcs = List.mapi rpc s.method_;
    service_comment = comment l [ 6; i ];
  }

let load_file t forms (f : P.File_descriptor_proto.t) =
  let path = text f.name in
  let l =
    {
      proto = f;
      file_path = path;
      forms;
      comments = read_comments f;
      entries = Hashtbl.create 8;
      names = Names.table ();
      spans = read_spans f;
      out_messages = [];
      out_enums = [];
    }
  in
  let scope = text f.package in
  let features = Features.of_file f in
  List.iter (note_entries l scope) f.message_type;
  let service i (s : P.Service_descriptor_proto.t) = ([ 6; i ], text s.name) in
  let module_name =
    claim_modules l ~scope [] in_file f.message_type f.enum_type
      ~services:(List.mapi service f.service)
  in
  let top =
    load_within l features ~scope ~modules:[] [] in_file module_name f.message_type f.enum_type
  in
  reserve_values l scope [ "types" ];
  let file =
    {
      path;
      package = scope;
      file_comment = comment l [ 12 ];
      top;
      names = l.names;
      messages = List.rev l.out_messages;
      enums = List.rev l.out_enums;
      file_extensions =
        List.mapi (fun i -> load_extension l features scope ~within:scope [ 7; i ]) f.extension;
      services =
        List.mapi
          (fun i s ->
            load_service l i (module_name [ 6; i ] (text s.P.Service_descriptor_proto.name)) s)
          f.service;
      imports = f.dependency;
      public_imports = List.map (List.nth f.dependency) f.public_dependency;
    }
  in
  List.iter
    (fun m ->
      Hashtbl.replace t.all_messages m.full_name m;
      Hashtbl.replace t.by_path (path, m.modules) m)
    file.messages;
  List.iter (fun e -> Hashtbl.replace t.all_enums e.enum_full_name e) file.enums;
  Hashtbl.replace t.files path file

let load forms protos =
  let t =
    {
      files = Hashtbl.create 16;
      all_messages = Hashtbl.create 256;
      all_enums = Hashtbl.create 64;
      by_path = Hashtbl.create 256;
    }
  in
  List.iter (load_file t forms) protos;
  t

let find what table name =
  match Hashtbl.find_opt table name with
  | Some x -> x
  | None -> failwith (Printf.sprintf "%s %s is not in the request" what name)

let file t path = find "file" t.files path
let message t name = find "message" t.all_messages name
let enum t name = find "enum" t.all_enums name
let exists_file t f = Hashtbl.fold (fun path _ found -> found || f path) t.files false

let has_module t path name =
  let f = file t path in
  let rec public seen path =
    if List.mem path seen then seen
    else List.fold_left public (path :: seen) (file t path).public_imports
  in
  let head n =
    match Hashtbl.find_opt t.all_messages n with
    | Some m -> List.hd m.modules
    | None -> List.hd (enum t n).enum_modules
  in
  Names.has_module f.names name
  || List.exists
       (fun path -> List.exists (fun n -> head n = name) (file t path).top)
       (List.fold_left public [] f.public_imports)

let within t path modules =
  let last l = List.nth l (List.length l - 1) in
  let name n =
    match Hashtbl.find_opt t.all_messages n with
    | Some m -> last m.modules
    | None -> last (enum t n).enum_modules
  in
  match Hashtbl.find_opt t.by_path (path, modules) with
  | Some m -> List.map name m.nested
  | None -> []

let fields m =
  List.concat_map (function Field f -> [ f ] | Oneof o -> o.cases) m.members
  |> List.sort (fun a b -> Int.compare a.number b.number)

let required_loops t f m =
  let seen = Hashtbl.create 8 in
  let rec reaches name =
    name = m.full_name
    || (not (Hashtbl.mem seen name))
       &&
       (Hashtbl.add seen name ();
        List.exists
          (fun f ->
            match (f.shape, f.kind) with
            | Required, (Message n | Delimited n) -> reaches n
            | _ -> false)
          (fields (message t name)))
  in
  match f.kind with Message n | Delimited n -> reaches n | Scalar _ | Slice _ | Enum _ -> false
