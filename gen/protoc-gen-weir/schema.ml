module P = Weir_protobuf_types.Descriptor_pb
module Desc = Weir_protobuf.Descriptor

type kind = Scalar of Desc.kind | Enum of string | Message of string | Delimited of string

type shape =
  | Implicit
  | Explicit
  | Required
  | Repeated
  | Packed
  | Map of kind * kind
  | Case of string

type field = {
  number : int;
  name : string;
  proto_name : string;
  json_name : string;
  label : string;
  kind : kind;
  shape : shape;
  default : string option;
  comment : string;
  oneof_name : string;
}

type oneof = {
  oneof_label : string;
  type_name : string;
  cases : field list;
  oneof_comment : string;
}

type member = Field of field | Oneof of oneof

type message = {
  full_name : string;
  home : string;
  modules : string list;
  flat : string;
  members : member list;
  entry : bool;
  message_set : bool;
  reserved : string list;
  extensible : (int * int) list;
  message_comment : string;
  nested : string list;
  extensions : extension list;
}

and extension = { extendee : string; extension_full_name : string; field : field }

type enum = {
  enum_full_name : string;
  enum_home : string;
  enum_modules : string list;
  enum_flat : string;
  values : (string * string * int * string) list;
  aliases : (string * string * string) list;
  closed : bool;
  enum_comment : string;
}

type rpc = {
  rpc_name : string;
  rpc_value : string;
  request : string;
  response : string;
  client_streams : bool;
  server_streams : bool;
  rpc_comment : string;
}

type service = {
  service_name : string;
  service_module : string;
  rpcs : rpc list;
  service_comment : string;
}

type file = {
  path : string;
  file_comment : string;
  top : string list;
  messages : message list;
  enums : enum list;
  file_extensions : extension list;
  services : service list;
  imports : string list;
  public_imports : string list;
}

type t = {
  files : (string, file) Hashtbl.t;
  all_messages : (string, message) Hashtbl.t;
  all_enums : (string, enum) Hashtbl.t;
}

let text o = Option.value o ~default:""
let undot s = if s <> "" && s.[0] = '.' then String.sub s 1 (String.length s - 1) else s

let last_part s =
  match String.rindex_opt s '.' with
  | Some i -> String.sub s (i + 1) (String.length s - i - 1)
  | None -> s

let scope_of s = match String.rindex_opt s '.' with Some i -> String.sub s 0 i | None -> ""

(* While one file is being resolved. *)
type loading = {
  proto : P.File_descriptor_proto.t;
  file_path : string;
  comments : (int list, string) Hashtbl.t;
  entries : (string, P.Descriptor_proto.t) Hashtbl.t; (* map entries by full name *)
  flats : (string, unit) Hashtbl.t; (* names taken in the implementation *)
  top_modules : (string, unit) Hashtbl.t;
  mutable out_messages : message list;
  mutable out_enums : enum list;
}

let comment l path = Option.value (Hashtbl.find_opt l.comments path) ~default:""

let read_comments (f : P.File_descriptor_proto.t) =
  let table = Hashtbl.create 64 in
  let add (loc : P.Source_code_info.Location.t) =
    let all =
      List.filter
        (fun s -> String.trim s <> "")
        [ text loc.leading_comments; text loc.trailing_comments ]
    in
    if all <> [] then Hashtbl.replace table loc.path (String.concat "\n" all)
  in
  Option.iter (fun (info : P.Source_code_info.t) -> List.iter add info.location) f.source_code_info;
  table

let scalar (t : P.Field_descriptor_proto.Type.t) check_utf8 : Desc.kind option =
  match t with
  | Double -> Some Double
  | Float -> Some Float
  | Int64 -> Some Int64
  | Uint64 -> Some Uint64
  | Int32 -> Some Int32
  | Fixed64 -> Some Fixed64
  | Fixed32 -> Some Fixed32
  | Bool -> Some Bool
  | String -> Some (if check_utf8 then String else Raw_string)
  | Bytes -> Some Bytes
  | Uint32 -> Some Uint32
  | Sfixed32 -> Some Sfixed32
  | Sfixed64 -> Some Sfixed64
  | Sint32 -> Some Sint32
  | Sint64 -> Some Sint64
  | Group | Message | Enum -> None

let field_features base (f : P.Field_descriptor_proto.t) =
  Features.refine base (Option.bind f.options (fun (o : P.Field_options.t) -> o.features))

let kind_of l (features : Features.t) ~is_map (f : P.Field_descriptor_proto.t) =
  let name = undot (text f.type_name) in
  match f.type_ with
  | None -> failwith (l.file_path ^ ": field " ^ text f.name ^ " has no type")
  | Some Enum -> Enum name
  | Some Group -> Delimited name
  | Some Message -> if features.delimited && not is_map then Delimited name else Message name
  | Some t -> (
      match scalar t features.check_utf8 with
      | Some k -> Scalar k
      | None -> failwith (l.file_path ^ ": unknown field type"))

let packs (features : Features.t) (f : P.Field_descriptor_proto.t) kind =
  let packable =
    match kind with
    | Scalar k -> Desc.packable k
    | Enum _ -> true
    | Message _ | Delimited _ -> false
  in
  let wanted =
    match Option.bind f.options (fun (o : P.Field_options.t) -> o.packed) with
    | Some p -> p
    | None -> features.packed
  in
  packable && wanted

let shape_of l (features : Features.t) (f : P.Field_descriptor_proto.t) kind ~entry =
  match (f.label, kind) with
  | Some Repeated, Message name when Hashtbl.mem l.entries name -> (
      let e = Hashtbl.find l.entries name in
      match e.field with
      | [ k; v ] ->
          let kind f = kind_of l (field_features features f) ~is_map:true f in
          Map (kind k, kind v)
      | _ -> failwith (name ^ ": a map entry has two fields"))
  | Some Repeated, _ -> if packs features f kind then Packed else Repeated
  | Some Required, _ -> Required
  | _ when entry -> Explicit
  | _, (Message _ | Delimited _) -> if features.presence = `Required then Required else Explicit
  | _ when f.proto3_optional = Some true || f.extendee <> None -> Explicit
  | _ -> (
      match features.presence with
      | `Required -> Required
      | `Implicit -> Implicit
      | `Explicit -> Explicit)

(* Text format shows a group, or what edition 2023 made of one, by its type's name. *)
let text_name (f : P.Field_descriptor_proto.t) kind ~scope =
  let name = text f.name in
  match kind with
  | Delimited full when name = String.lowercase_ascii (last_part full) && scope_of full = scope ->
      last_part full
  | _ -> name

let load_field l base ~scope ~entry ~label ~case path (f : P.Field_descriptor_proto.t) =
  let features = field_features base f in
  let is_map = f.label = Some Repeated && Hashtbl.mem l.entries (undot (text f.type_name)) in
  let kind = kind_of l features ~is_map:(is_map || entry) f in
  let shape = match case with Some c -> Case c | None -> shape_of l features f kind ~entry in
  {
    number = Option.value f.number ~default:0;
    name = text_name f kind ~scope;
    proto_name = text f.name;
    json_name = text f.json_name;
    label;
    kind;
    shape;
    default = f.default_value;
    comment = comment l path;
    oneof_name = "";
  }

let safe_constructor s = match s with "None" | "Some" -> s ^ "_" | _ -> s

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
let used_modules = [ "C"; "D"; "E"; "Desc"; "List"; "String"; "Int64"; "Option"; "Weir_protobuf" ]

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
  let by_number = Hashtbl.create 8 in
  let values, aliases =
    List.fold_left2
      (fun (values, aliases) (i, (v : P.Enum_value_descriptor_proto.t)) constructor ->
        let number = Option.value v.number ~default:0 in
        match Hashtbl.find_opt by_number number with
        | Some first -> (values, (text v.name, Names.value constructor, first) :: aliases)
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

let rec load_message l features ~scope ~modules path module_name (d : P.Descriptor_proto.t) =
  let name = text d.name in
  let full = if scope = "" then name else scope ^ "." ^ name in
  let features =
    Features.refine features (Option.bind d.options (fun (o : P.Message_options.t) -> o.features))
  in
  let entry = is_entry d in
  let modules = modules @ [ module_name ] in
  let flat = Names.unique l.flats (Names.value (flat_of modules)) in
  (* A nested module may not hide a top-level one that its neighbours name. *)
  let inner = if entry then Hashtbl.create 1 else Hashtbl.copy l.top_modules in
  let values = Hashtbl.create 4 in
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
      extensible =
        List.map
          (fun (r : P.Descriptor_proto.Extension_range.t) ->
            (Option.value r.start ~default:0, Option.value r.end_ ~default:0))
          d.extension_range;
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
      out_messages = [];
      out_enums = [];
    }
  in
  let scope = text f.package in
  let features = Features.of_file f in
  List.iter (fun n -> Hashtbl.replace l.flats n ()) (built_in @ used_modules);
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
  Hashtbl.add values "types" ();
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
