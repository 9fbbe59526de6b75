open Schema
open Printf

let tag_of f wire = (f.number lsl 3) lor wire
let rec varint_bytes v = if v < 128 then [ v ] else (v land 127 lor 128) :: varint_bytes (v lsr 7)

(* What is written before [pos], an expression: the tag ends a field backwards. *)
let put_tag f wire pos =
  match varint_bytes (tag_of f wire) with
  | [ a ] -> sprintf "E.byte b (%s) 0x%02x" pos a
  | [ a; z ] -> sprintf "E.byte b (E.byte b (%s) 0x%02x) 0x%02x" pos z a
  | _ -> sprintf "E.varint b (%s) %d" pos (tag_of f wire)

(* Whether a value is its type's default, as an absent implicit field is. *)
let is_default p kind v =
  match kind with
  | Scalar k -> (
      match Ocaml.zero p kind with
      | "0." -> sprintf "E.is_zero %s" v
      | "0" -> sprintf "%s = 0" v
      | "0L" -> sprintf "Int64.equal %s 0L" v
      | "false" -> sprintf "not %s" v
      | _ ->
          ignore k;
          sprintf "String.length %s = 0" v)
  | Slice _ -> sprintf "Weir_protobuf.Slice.is_empty %s" v
  | Enum e -> sprintf "%s.to_int %s = 0" (Ocaml.enum_module p e) v
  | Message _ | Delimited _ -> "false"

let scalar_put (k : Weir_protobuf.Descriptor.kind) =
  match k with
  | Int32 -> "int32"
  | Uint32 -> "uint32"
  | Sint32 -> "sint32"
  | Int64 | Uint64 -> "int64"
  | Sint64 -> "sint64"
  | Bool -> "bool"
  | Fixed32 -> "fixed32"
  | Sfixed32 -> "sfixed32"
  | Float -> "float"
  | Fixed64 | Sfixed64 -> "fixed64"
  | Double -> "double"
  | String | Bytes | Raw_string | Enum _ | Message _ | Delimited _ -> assert false

(* The position where one value, written before [pos], and its tag begin. *)
let put p f kind v =
  match kind with
  | Scalar String -> sprintf "E.string b pos 0x%02x %s" (tag_of f 2) v
  | Slice k ->
      sprintf "E.slice%s b pos 0x%02x %s" (if k = String then "_text" else "") (tag_of f 2) v
  | Scalar (Bytes | Raw_string) -> sprintf "E.bytes b pos 0x%02x %s" (tag_of f 2) v
  | Scalar k ->
      let tag = tag_of f (Weir_protobuf.Descriptor.wire_type k) in
      sprintf "E.%s_field b pos 0x%02x %s" (scalar_put k) tag v
  | Enum e ->
      sprintf "E.int32_field b pos 0x%02x (%s.to_int %s)" (tag_of f 0) (Ocaml.enum_module p e) v
  | Message m -> sprintf "E.block b pos (%s b pos %s) 0x%02x" (Ocaml.writer p m) v (tag_of f 2)
  | Delimited m -> put_tag f 3 (sprintf "%s b (%s) %s" (Ocaml.writer p m) (put_tag f 4 "pos") v)

(* The [tag] is an argument: maps of scalars share their functions. *)
let map_writer p o m f k v =
  let name = Ocaml.entries "write" m f in
  Out.packed o (fun o ->
      Out.line o "and %s b pos tag = function" name;
      Out.line o "  | [] -> pos";
      Out.line o "  | (key, value) :: rest ->";
      Out.line o "      let stop = %s b pos tag rest in" name;
      Out.line o "      let pos = stop in";
      Out.line o "      let pos = %s in" (put p { f with number = 2 } v "value");
      Out.line o "      let pos = %s in" (put p { f with number = 1 } k "key");
      Out.line o "      E.block b stop pos tag");
  Out.blank o

let emit_shared p o m f = match f.shape with Map (k, v) -> map_writer p o m f k v | _ -> ()

(* Texts are written by the runtime. *)
let all_texts = function
  | { shape = Repeated; kind = Scalar String; _ } -> Some "E.all_strings"
  | { shape = Repeated; kind = Scalar (Bytes | Raw_string); _ } -> Some "E.all_bytes"
  | _ -> None

let list_writer p o m f =
  let name = Ocaml.own_loop "write" m f in
  Out.packed o @@ fun o ->
  Out.line o "and %s b pos = function" name;
  Out.line o "  | [] -> pos";
  Out.line o "  | v :: rest ->";
  Out.line o "      let pos = %s b pos rest in" name;
  Out.line o "      %s" (put p f f.kind "v");
  Out.blank o

let packed_put p f =
  match f.kind with
  | Scalar k -> sprintf "N'.write_%s b pos l" (scalar_put k)
  | Enum e -> sprintf "N'.write_int32 b pos (List.map %s.to_int l)" (Ocaml.enum_module p e)
  | Slice _ | Message _ | Delimited _ -> assert false

let write_field p o m f =
  let get = "m." ^ f.label in
  match f.shape with
  | Implicit when f.kind = Scalar String ->
      Out.line o "let pos = E.filled_string b pos 0x%02x %s in" (tag_of f 2) get
  | Implicit ->
      Out.line o "let pos = if %s then pos else %s in" (is_default p f.kind get)
        (put p f f.kind get)
  | (Explicit | Required) when Ocaml.is_option p m f ->
      Out.line o "let pos = match %s with None -> pos | Some v -> %s in" get (put p f f.kind "v")
  | Explicit | Required | Case _ -> Out.line o "let pos = %s in" (put p f f.kind get)
  | Map _ ->
      Out.line o "let pos = %s b pos 0x%02x %s in" (Ocaml.entries "write" m f) (tag_of f 2) get
  | Repeated -> (
      match all_texts f with
      | Some all -> Out.line o "let pos = %s b pos 0x%02x %s in" all (tag_of f 2) get
      | None -> Out.line o "let pos = %s b pos %s in" (Ocaml.own_loop "write" m f) get)
  | Repeated_array ->
      Out.line o "let pos = %s b pos %s in" (Ocaml.own_loop "write" m f) (Array_field.list f get)
  | Packed_array ->
      Out.line o "let pos =";
      Out.line o "  if %s then pos else E.block b pos (A'.write_%s b pos %s) 0x%02x"
        (Array_field.is_empty f get) (Array_field.written f) get (tag_of f 2);
      Out.line o "in"
  | Packed ->
      Out.line o "let pos =";
      Out.line o "  match %s with [] -> pos | l -> E.block b pos (%s) 0x%02x" get (packed_put p f)
        (tag_of f 2);
      Out.line o "in"

let write_oneof p o n =
  Out.line o "let pos =";
  Out.line o "  match m.%s with" n.oneof_label;
  Out.line o "  | None -> pos";
  List.iter (fun f -> Out.line o "  | Some (%s v) -> %s" f.label (put p f f.kind "v")) n.cases;
  Out.line o "in"

(* A oneof is written where its first case stands. *)
let order = function
  | Field f -> f.number
  | Oneof n -> List.fold_left (fun acc f -> min acc f.number) max_int n.cases

let emit p o m =
  let backwards = List.sort (fun a b -> Int.compare (order b) (order a)) m.members in
  Out.line o "and write'%s b pos (m : %s) =" m.flat (Ocaml.message_type p Flat m.full_name);
  Out.indented o (fun () ->
      Option.iter
        (fun (slot : Ocaml.slot) ->
          Out.line o "let pos = E.raw b pos %s in" (slot.to_string ("m." ^ slot.label)))
        (Ocaml.slot p m);
      List.iter
        (fun member ->
          Out.packed o (fun o ->
              match member with Field f -> write_field p o m f | Oneof n -> write_oneof p o n))
        backwards;
      Out.line o "pos");
  Out.blank o;
  List.iter
    (function
      | Field ({ shape = Map (k, v); _ } as f) when not (Ocaml.is_shared f) ->
          map_writer p o m f k v
      | Field ({ shape = Repeated; _ } as f) when all_texts f = None -> list_writer p o m f
      | Field ({ shape = Repeated_array; _ } as f) -> list_writer p o m (Array_field.element f)
      | Field _ | Oneof _ -> ())
    m.members
