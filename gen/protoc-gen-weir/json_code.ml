open Schema
open Printf

let special =
  [
    "Any"; "Timestamp"; "Duration"; "FieldMask"; "Struct"; "Value"; "ListValue"; "DoubleValue";
    "FloatValue"; "Int64Value"; "UInt64Value"; "Int32Value"; "UInt32Value"; "BoolValue";
    "StringValue"; "BytesValue";
  ]
[@@ocamlformat "disable"]

let is_special m = List.exists (fun n -> m.full_name = "google.protobuf." ^ n) special
let kinds f = match f.shape with Map (k, v) -> [ k; v ] | _ -> [ f.kind ]

let direct p m =
  let plain_kind = function
    | Enum e -> not (Schema.enum p.Ocaml.schema e).closed
    | Scalar _ | Message _ | Delimited _ -> true
  in
  (not (is_special m))
  && (not m.message_set) && m.extensible = []
  && List.for_all
       (fun f -> f.shape <> Required && List.for_all plain_kind (kinds f))
       (Schema.fields m)

(* Writing *)

let scalar_name (k : Weir_protobuf.Descriptor.kind) =
  match k with
  | Int32 | Sint32 | Sfixed32 -> "int32"
  | Uint32 | Fixed32 -> "uint32"
  | Int64 | Sint64 | Sfixed64 -> "int64"
  | Uint64 | Fixed64 -> "uint64"
  | Bool -> "bool"
  | Float -> "float"
  | Double -> "double"
  | String | Raw_string -> "string"
  | Bytes -> "bytes"
  | Enum _ | Message _ | Delimited _ -> assert false

let put_name k = match scalar_name k with "int32" | "uint32" -> "int" | name -> name

let json_function p name ~flat ~field =
  let m = Schema.message p.Ocaml.schema name in
  if m.home = p.here then sprintf "%s_%s" flat m.flat
  else sprintf "%s.codec.%s" (String.concat "." (p.module_of m.home :: m.modules)) field

let writer p name = json_function p name ~flat:"to_json" ~field:"to_json"
let reader p name = json_function p name ~flat:"of_json" ~field:"of_json"

let put p kind v =
  match kind with
  | Scalar k -> sprintf "J.%s w %s" (put_name k) v
  | Enum e ->
      let path = Ocaml.enum_module p Flat e in
      sprintf "J.enum w %s.descriptor (%s.to_int %s)" path path v
  | Message m | Delimited m -> sprintf "%s w %s" (writer p m) v

(* A writer to be handed over: a name where there is one. *)
let put_function p kind =
  match kind with
  | Scalar k -> "J." ^ put_name k
  | Message m | Delimited m -> writer p m
  | Enum _ -> sprintf "(fun w v -> %s)" (put p kind "v")

let key_function = function
  | Scalar (String | Raw_string) -> "J.string"
  | Scalar k -> sprintf "J.%s_key" (put_name k)
  | Enum _ | Message _ | Delimited _ -> assert false

let key f = sprintf "J.key w %S" (sprintf ",\"%s\":" f.json_name)

let write_field p o m f =
  let get = "m." ^ f.label in
  match f.shape with
  | Implicit ->
      Out.line o "if not (%s) then (" (Write.is_default p f.kind get);
      Out.line o "  %s;" (key f);
      Out.line o "  %s);" (put p f.kind get)
  | Repeated | Packed ->
      Out.line o "(match %s with" get;
      Out.line o "| [] -> ()";
      Out.line o "| l ->";
      Out.line o "    %s;" (key f);
      Out.line o "    J.list w %s l);" (put_function p f.kind)
  | Map (k, v) ->
      Out.line o "(match %s with" get;
      Out.line o "| [] -> ()";
      Out.line o "| l ->";
      Out.line o "    %s;" (key f);
      Out.line o "    J.map w %s %s l);" (key_function k) (put_function p v)
  | Explicit | Required | Case _ ->
      ignore m;
      Out.line o "(match %s with" get;
      Out.line o "| None -> ()";
      Out.line o "| Some v ->";
      Out.line o "    %s;" (key f);
      Out.line o "    %s);" (put p f.kind "v")

let write_oneof p o n =
  Out.line o "(match m.%s with" n.oneof_label;
  Out.line o "| None -> ()";
  List.iteri
    (fun i f ->
      Out.line o "| Some (%s v) ->" f.label;
      Out.line o "    %s;" (key f);
      Out.line o "    %s%s" (put p f.kind "v") (if i = List.length n.cases - 1 then ");" else ""))
    n.cases

let emit_write p o m =
  Out.line o "and to_json_%s w (m : %s) =" m.flat m.flat;
  Out.indented o (fun () ->
      if direct p m then (
        Out.line o "let start = J.mark w in";
        List.iter
          (function Field f -> write_field p o m f | Oneof n -> write_oneof p o n)
          m.members;
        Out.line o "J.close w start")
      else (
        Out.line o "J.by_descriptor w %s_descriptor" m.flat;
        Out.line o "  (E.to_string (size_%s m) (fun b stop -> write_%s b stop m))" m.flat m.flat));
  Out.blank o

(* Reading *)

let get p kind =
  match kind with
  | Scalar k -> sprintf "I.%s r" (scalar_name k)
  | Enum e ->
      let path = Ocaml.enum_module p Flat e in
      sprintf "%s.of_int (I.enum r %s.descriptor)" path path
  | Message m | Delimited m -> sprintf "%s r" (reader p m)

let get_function p kind =
  match kind with
  | Scalar k -> "I." ^ scalar_name k
  | Message m | Delimited m -> reader p m
  | Enum _ -> sprintf "(fun r -> %s)" (get p kind)

let get_key = function
  | Scalar (String | Raw_string) -> "I.string_key"
  | Scalar k -> sprintf "I.%s_key" (scalar_name k)
  | Enum _ | Message _ | Delimited _ -> assert false

let takes_null = function
  | Message "google.protobuf.Value" | Enum "google.protobuf.NullValue" -> true
  | Scalar _ | Enum _ | Message _ | Delimited _ -> false

let keys f =
  List.sort_uniq String.compare [ f.json_name; f.proto_name; f.name ]
  |> List.map (sprintf "%S")
  |> String.concat " | "

(* [bit] counts fields and oneofs; 60 to a word. *)
let word i = if i < 60 then "seen" else sprintf "seen%d" (i / 60)
let mask i = sprintf "0x%x" (1 lsl (i mod 60))

let arm o f bit ~nullable body =
  Out.line o "| %s ->" (keys f);
  Out.indented o (fun () ->
      Out.indented o (fun () ->
          let see () =
            Out.line o "I.once r !%s %s;" (word bit) (mask bit);
            Out.line o "%s := !%s lor %s;" (word bit) (word bit) (mask bit)
          in
          if nullable then (
            see ();
            Out.line o "%s" body)
          else (
            Out.line o "if I.present r then (";
            Out.indented o (fun () ->
                see ();
                Out.line o "%s)" body))))

let guard kind store =
  match kind with
  | Enum _ -> sprintf "(try %s with I.Left_out -> ())" store
  | Scalar _ | Message _ | Delimited _ -> store

let field_arm p o m f bit =
  let name = Read.local f.label in
  let store =
    match f.shape with
    | Repeated | Packed ->
        sprintf "%s := I.%s r %s !%s" name
          (if takes_null f.kind then "null_list" else "list")
          (get_function p f.kind) name
    | Map (k, v) ->
        sprintf "%s := I.%s r %s %s !%s" name
          (if takes_null v then "nulls" else "map")
          (get_key k) (get_function p v) name
    | Implicit | Explicit | Required | Case _ ->
        let v = get p f.kind in
        guard f.kind
          (sprintf "%s := %s" name (if Ocaml.is_option p m f then sprintf "Some (%s)" v else v))
  in
  let singular = match f.shape with Repeated | Packed | Map _ -> false | _ -> true in
  arm o f bit ~nullable:(singular && takes_null f.kind) store

let case_arm p o m n f bit =
  let store =
    sprintf "%s := Some (%s (%s) : %s_%s)" (Read.local n.oneof_label) f.label (get p f.kind) m.flat
      n.type_name
  in
  arm o f bit ~nullable:(takes_null f.kind) (guard f.kind store)

let locals o m =
  List.iter
    (function
      | Oneof n -> Out.line o "let %s = ref None in" (Read.local n.oneof_label)
      | Field f -> (
          match f.shape with
          | Repeated | Packed | Map _ -> Out.line o "let %s = ref [] in" (Read.local f.label)
          | Implicit | Explicit | Required | Case _ ->
              Out.line o "let %s = ref default_%s.%s in" (Read.local f.label) m.flat f.label))
    m.members;
  for i = 0 to (List.length m.members - 1) / 60 do
    Out.line o "let %s = ref 0 in" (word (i * 60))
  done

let result o m =
  Out.line o "{";
  List.iter
    (function
      | Oneof n -> Out.line o "  %s = !%s;" n.oneof_label (Read.local n.oneof_label)
      | Field f -> (
          let name = Read.local f.label in
          match f.shape with
          | Map _ -> Out.line o "  %s = D.last_wins [] !%s;" f.label name
          | Repeated | Packed -> Out.line o "  %s = D.in_order [] !%s;" f.label name
          | Implicit | Explicit | Required | Case _ -> Out.line o "  %s = !%s;" f.label name))
    m.members;
  Out.line o "  unknown_fields = \"\";";
  Out.line o "}"

let emit_read p o m =
  Out.line o "and of_json_%s r : %s =" m.flat m.flat;
  Out.indented o (fun () ->
      if direct p m then (
        locals o m;
        Out.line o "I.enter r;";
        Out.line o "let going = ref (not (I.leave r)) in";
        Out.line o "while !going do";
        Out.indented o (fun () ->
            Out.line o "(match I.key r with";
            List.iteri
              (fun bit -> function
                | Field f -> field_arm p o m f bit
                | Oneof n -> List.iter (fun f -> case_arm p o m n f bit) n.cases)
              m.members;
            Out.line o "| key -> I.unknown r %S key);" m.full_name;
            Out.line o "going := I.more r");
        Out.line o "done;";
        result o m)
      else (
        Out.line o "let bytes = I.by_descriptor r %s_descriptor in" m.flat;
        Out.line o "read_%s default_%s bytes 0 (String.length bytes) max_int" m.flat m.flat));
  Out.blank o
