module P = Weir_protobuf_types.Descriptor_pb
module Desc = Weir_protobuf.Descriptor
open Model

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
  forms : Forms.t;
  comments : (int list, string) Hashtbl.t;
  entries : (string, P.Descriptor_proto.t) Hashtbl.t; (* map entries by full name *)
  names : Names.table;
  spans : (int list, int list) Hashtbl.t; (* where things stand *)
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

let read_spans (f : P.File_descriptor_proto.t) =
  let table = Hashtbl.create 64 in
  let add (loc : P.Source_code_info.Location.t) =
    if List.length loc.path land 1 = 0 then Hashtbl.replace table loc.path loc.span
  in
  Option.iter (fun (info : P.Source_code_info.t) -> List.iter add info.location) f.source_code_info;
  table

(* In the order of the file, whatever their kinds; as they come where that is not known. *)
let by_place l things =
  let place (path, _) = Option.value (Hashtbl.find_opt l.spans path) ~default:[] in
  List.map snd (List.stable_sort (fun a b -> compare (place a) (place b)) things)

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
    | Slice _ | Message _ | Delimited _ -> false
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
  let formed =
    if entry || f.extendee <> None then Fun.id else Forms.field l.forms (scope ^ "." ^ text f.name)
  in
  formed
    {
      number = Option.value f.number ~default:0;
      name = text_name f kind ~scope;
      proto_name = text f.name;
      json_name = Json_names.of_field f;
      label;
      kind;
      shape;
      default = f.default_value;
      comment = comment l path;
      oneof_name = "";
    }
