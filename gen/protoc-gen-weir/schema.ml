include Model
open Loading

type t = {
  files : (string, file) Hashtbl.t;
  all_messages : (string, message) Hashtbl.t;
  all_enums : (string, enum) Hashtbl.t;
}

let load_oneof l features full path labels (d : P.Descriptor_proto.t) types index
    (o : P.Oneof_descriptor_proto.t) =
  let features =
    Features.refine features (Option.bind o.options (fun (o : P.Oneof_options.t) -> o.features))
  in
  let constructors = Hashtbl.create 8 in
  let case i (f : P.Field_descriptor_proto.t) =
    let c = Names.unique constructors (safe_constructor (Names.capital (text f.name))) in
    let field =
      load_field l features ~scope:full ~entry:false ~label:c ~case:(Some c) (path @ [ 2; i ]) f
    in
    { field with oneof_name = text o.name }
  in
  let cases =
    List.concat
      (List.mapi
         (fun i (f : P.Field_descriptor_proto.t) ->
           if f.oneof_index = Some index then [ case i f ] else [])
         d.field)
  in
  {
    oneof_label = Names.unique labels (Names.value (text o.name));
    type_name = Names.unique types (Names.value (text o.name));
    cases;
    oneof_comment = comment l (path @ [ 8; index ]);
  }

(* Types and modules that generated code itself names. *)
let built_in = [ "int"; "int64"; "string"; "bool"; "float"; "option"; "list"; "unit"; "ref" ]
let types_module = "Weir_types"

let used_modules =
  [
    "Array"; "C"; "D"; "Desc"; "E"; "I"; "Int64"; "J"; "List"; "Option"; "String"; "Weir_protobuf";
    types_module;
  ] [@ocamlformat "disable"]

let load_members l features full path (d : P.Descriptor_proto.t) ~entry =
  let labels = Hashtbl.create 16 and types = Hashtbl.create 4 in
  Hashtbl.replace labels "unknown_fields" ();
  List.iter (fun n -> Hashtbl.replace types n ()) ("t" :: built_in);
  let synthetic index =
    List.exists
      (fun (f : P.Field_descriptor_proto.t) ->
        f.oneof_index = Some index && f.proto3_optional = Some true)
      d.field
  in
  let oneof_seen = Hashtbl.create 4 in
  let member i (f : P.Field_descriptor_proto.t) =
    match f.oneof_index with
    | Some index when not (synthetic index) ->
        if Hashtbl.mem oneof_seen index then []
        else (
          Hashtbl.add oneof_seen index ();
          [
            Oneof
              (load_oneof l features full path labels d types index (List.nth d.oneof_decl index));
          ])
    | Some _ | None ->
        let label = Names.unique labels (Names.value (text f.name)) in
        [ Field (load_field l features ~scope:full ~entry ~label ~case:None (path @ [ 2; i ]) f) ]
  in
  List.concat (List.mapi member d.field)

(* Values of a message's module, and of an enum's. *)
let message_values =
  [ "make"; "default"; "codec"; "decode"; "encode"; "of_json"; "to_json"; "of_text"; "to_text" ]

let enum_values = [ "to_int"; "of_int"; "of_int_opt"; "descriptor" ]

(* What the code of extensions and services refers to. *)
let rec own_values modules (d : P.Descriptor_proto.t) =
  let modules = modules @ [ Names.capital (text d.name) ] in
  let flat = Names.value (String.concat "_" modules) in
  (flat ^ "_codec") :: (flat ^ "_descriptor") :: List.concat_map (own_values modules) d.nested_type

let load_extension l features scope values path (f : P.Field_descriptor_proto.t) =
  let label = Names.unique values (Names.value (text f.name)) in
  let field = load_field l features ~scope ~entry:false ~label ~case:None path f in
  let extension_full_name = if scope = "" then text f.name else scope ^ "." ^ text f.name in
  let is_set = undot (text f.extendee) in
  { extendee = is_set; extension_full_name; field }

(* COLOR_RED of enum Color is Red, if all values can lose their prefix. *)
let constructors name values =
  let prefix = String.uppercase_ascii (Names.snake name) ^ "_" in
  let n = String.length prefix in
  let strips v =
    let v = String.uppercase_ascii v in
    String.length v > n
    && String.sub v 0 n = prefix
    && match v.[n] with 'A' .. 'Z' -> true | _ -> false
  in
  let strip = List.for_all strips values in
  let taken = Hashtbl.create 8 in
  Hashtbl.add taken "Unrecognized" ();
  List.map
    (fun v ->
      let v = if strip then String.sub v n (String.length v - n) else v in
      Names.unique taken (safe_constructor (Names.capital v)))
    values

let settle taken name = Names.unique taken (Names.capital (text name))
let flat_of modules = String.concat "_" modules

let load_enum l features ~scope ~modules path module_name (e : P.Enum_descriptor_proto.t) =
  let name = text e.name in
  let features =
    Features.refine features (Option.bind e.options (fun (o : P.Enum_options.t) -> o.features))
  in
  let names = List.map (fun (v : P.Enum_value_descriptor_proto.t) -> text v.name) e.value in
  let by_number = Hashtbl.create 8 and taken = Hashtbl.create 8 in
  List.iter (fun n -> Hashtbl.replace taken n ()) enum_values;
  let values, aliases =
    List.fold_left2
      (fun (values, aliases) (i, (v : P.Enum_value_descriptor_proto.t)) constructor ->
        let number = Option.value v.number ~default:0 in
        match Hashtbl.find_opt by_number number with
        | Some first ->
            let alias = Names.unique taken (Names.value constructor) in
            (values, (text v.name, alias, first) :: aliases)
        | None ->
            Hashtbl.add by_number number constructor;
            ((text v.name, constructor, number, comment l (path @ [ 2; i ])) :: values, aliases))
      ([], [])
      (List.mapi (fun i v -> (i, v)) e.value)
      (constructors name names)
  in
  let enum_modules = modules @ [ module_name ] in
  let full = if scope = "" then name else scope ^ "." ^ name in
  l.out_enums <-
    {
      enum_full_name = full;
      enum_home = l.file_path;
      enum_modules;
      enum_flat = Names.unique l.flats (flat_of enum_modules);
      values = List.rev values;
      aliases = List.rev aliases;
      closed = features.closed_enums;
      enum_comment = comment l path;
    }
    :: l.out_enums;
  full

let is_entry (d : P.Descriptor_proto.t) =
  match d.options with Some o -> o.map_entry = Some true | None -> false

let rec note_entries l scope (d : P.Descriptor_proto.t) =
  let full = if scope = "" then text d.name else scope ^ "." ^ text d.name in
  if is_entry d then Hashtbl.replace l.entries full d;
  List.iter (note_entries l full) d.nested_type

let range (r : P.Descriptor_proto.Extension_range.t) =
  (Option.value r.start ~default:0, Option.value r.end_ ~default:0)

let rec load_message l features ~scope ~modules path module_name (d : P.Descriptor_proto.t) =
  let name = text d.name in
  let full = if scope = "" then name else scope ^ "." ^ name in
  let features =
    Features.refine features (Option.bind d.options (fun (o : P.Message_options.t) -> o.features))
  in
  let entry = is_entry d in
  let waived =
    match d.options with
    | Some o -> o.deprecated_legacy_json_field_conflicts = Some true
    | None -> false
  in
  Json_names.check ~file:l.file_path ~legacy:(waived || features.legacy_json) d;
  let modules = modules @ [ module_name ] in
  let flat = Names.unique l.flats (Names.value (flat_of modules)) in
  (* A nested module may not hide a top-level one that its neighbours name. *)
  let inner = if entry then Hashtbl.create 1 else Hashtbl.copy l.top_modules in
  let values = Hashtbl.create 4 in
  let getter (f : P.Field_descriptor_proto.t) = "get_" ^ Names.value (text f.name) in
  List.iter
    (fun n -> Hashtbl.replace values n ())
    (message_values @ List.map getter d.field @ l.own_values);
  let m =
    {
      full_name = full;
      home = l.file_path;
      modules;
      flat;
      members = load_members l features full path d ~entry;
      entry;
      message_set =
        (match d.options with Some o -> o.message_set_wire_format = Some true | None -> false);
      reserved = d.reserved_name;
      extensible = List.map range d.extension_range;
      message_comment = comment l path;
      nested = [];
      extensions =
        List.mapi (fun i -> load_extension l features full values (path @ [ 6; i ])) d.extension;
    }
  in
  let here = l.out_messages in
  l.out_messages <- [];
  let enums =
    List.mapi
      (fun i (e : P.Enum_descriptor_proto.t) ->
        load_enum l features ~scope:full ~modules (path @ [ 4; i ]) (settle inner e.name) e)
      d.enum_type
  in
  let subs =
    List.mapi
      (fun i (d : P.Descriptor_proto.t) ->
        load_message l features ~scope:full ~modules (path @ [ 3; i ]) (settle inner d.name) d)
      d.nested_type
  in
  let visible = List.filter (fun n -> not (Hashtbl.mem l.entries n)) subs in
  l.out_messages <- l.out_messages @ [ { m with nested = enums @ visible } ] @ here;
  full

let load_service l i (s : P.Service_descriptor_proto.t) =
  let taken = Hashtbl.create 8 in
  List.iter (fun n -> Hashtbl.replace taken n ()) ("handlers" :: l.own_values);
  let rpc j (m : P.Method_descriptor_proto.t) =
    {
      rpc_name = text m.name;
      rpc_value = Names.unique taken (Names.value (text m.name));
      request = undot (text m.input_type);
      response = undot (text m.output_type);
      client_streams = m.client_streaming = Some true;
      server_streams = m.server_streaming = Some true;
      rpc_comment = comment l [ 6; i; 2; j ];
    }
  in
  {
    service_name =
      (match l.proto.package with
      | Some p when p <> "" -> p ^ "." ^ text s.name
      | Some _ | None -> text s.name);
    service_module = Names.unique l.top_modules (Names.capital (text s.name));
    rpcs = List.mapi rpc s.method_;
    service_comment = comment l [ 6; i ];
  }

let load_file t (f : P.File_descriptor_proto.t) =
  let path = text f.name in
  let l =
    {
      proto = f;
      file_path = path;
      comments = read_comments f;
      entries = Hashtbl.create 8;
      flats = Hashtbl.create 64;
      top_modules = Hashtbl.create 64;
      own_values = List.concat_map (own_values []) f.message_type;
      out_messages = [];
      out_enums = [];
    }
  in
  let scope = text f.package in
  let features = Features.of_file f in
  List.iter (fun n -> Hashtbl.replace l.flats n ()) (built_in @ used_modules);
  List.iter (fun n -> Hashtbl.replace l.top_modules n ()) [ "Desc"; "Weir_protobuf"; types_module ];
  List.iter (note_entries l scope) f.message_type;
  (* Top-level names are settled first, so that nested ones give way. *)
  let message_modules =
    List.map (fun (d : P.Descriptor_proto.t) -> settle l.top_modules d.name) f.message_type
  in
  let enum_modules =
    List.map (fun (e : P.Enum_descriptor_proto.t) -> settle l.top_modules e.name) f.enum_type
  in
  let numbered load first names protos =
    List.mapi
      (fun i (d, m) -> load l features ~scope ~modules:[] [ first; i ] m d)
      (List.combine protos names)
  in
  let enums = numbered load_enum 5 enum_modules f.enum_type in
  let messages = numbered load_message 4 message_modules f.message_type in
  let values = Hashtbl.create 8 in
  List.iter (fun n -> Hashtbl.replace values n ()) ("types" :: l.own_values);
  let file =
    {
      path;
      file_comment = comment l [ 12 ];
      top = enums @ messages;
      messages = List.rev l.out_messages;
      enums = List.rev l.out_enums;
      file_extensions =
        List.mapi (fun i -> load_extension l features scope values [ 7; i ]) f.extension;
      services = List.mapi (load_service l) f.service;
      imports = f.dependency;
      public_imports = List.map (List.nth f.dependency) f.public_dependency;
    }
  in
  List.iter (fun m -> Hashtbl.replace t.all_messages m.full_name m) file.messages;
  List.iter (fun e -> Hashtbl.replace t.all_enums e.enum_full_name e) file.enums;
  Hashtbl.replace t.files path file

let load protos =
  let t =
    { files = Hashtbl.create 16; all_messages = Hashtbl.create 256; all_enums = Hashtbl.create 64 }
  in
  List.iter (load_file t) protos;
  t

let find what table name =
  match Hashtbl.find_opt table name with
  | Some x -> x
  | None -> failwith (Printf.sprintf "%s %s is not in the request" what name)

let file t path = find "file" t.files path
let message t name = find "message" t.all_messages name
let enum t name = find "enum" t.all_enums name

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
  match f.kind with Message n | Delimited n -> reaches n | Scalar _ | Enum _ -> false
