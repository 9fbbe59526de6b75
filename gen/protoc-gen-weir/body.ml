open Schema
open Printf

let oneof_type view n =
  match view with
  | Ocaml.Flat -> types_module ^ "." ^ n.oneof_flat
  | Ocaml.In_types -> n.oneof_flat
  | Ocaml.Within _ -> n.type_name

let default_note f =
  match (f.default, f.shape) with
  | Some d, Explicit ->
      sprintf "Default: %s"
        (match f.kind with
        | Scalar (String | Raw_string | Bytes) | Slice _ -> sprintf "''%s''" d
        | _ -> d)
  | _ -> ""

let comment_of f =
  match default_note f with
  | "" -> f.comment
  | note when String.trim f.comment = "" -> note
  | note -> f.comment ^ "\n" ^ note

let has_fields p m = m.members <> [] || Ocaml.slot p m <> None

let record p view o m ~docs head =
  Out.line o "%s = {" head;
  Out.indented o (fun () ->
      List.iter
        (function
          | Field f ->
              Out.line o "%s : %s;" f.label (Ocaml.field_type p view m f);
              if docs then Out.doc o (comment_of f)
          | Oneof n ->
              Out.line o "%s : %s option;" n.oneof_label (oneof_type view n);
              if docs then Out.doc o n.oneof_comment)
        m.members;
      Option.iter (fun (s : Ocaml.slot) -> Out.line o "%s : %s;" s.label s.type_) (Ocaml.slot p m));
  Out.line o "}"

let variant p view o n ~docs head =
  Out.line o "%s =" head;
  Out.indented o (fun () ->
      List.iter
        (fun f ->
          Out.line o "| %s of %s" f.label (Ocaml.value_type p view f.kind);
          if docs then Out.doc o f.comment)
        n.cases)

(* Whether an extension's value is well formed wherever its message was decoded. *)
let never_fails x =
  match (x.field.shape, x.field.kind) with
  | (Repeated | Packed | Repeated_array | Packed_array | Map _), _
  | _, (Message _ | Delimited _ | Scalar String | Slice String) ->
      false
  | (Implicit | Explicit | Required | Case _), (Scalar _ | Slice _ | Enum _) -> true

let extension_type p view x =
  let one = Ocaml.value_type p view x.field.kind in
  let value = one ^ match x.field.shape with Repeated | Packed -> " list" | _ -> " option" in
  let got = if never_fails x then one else sprintf "(%s, Weir_protobuf.Error.t) result" value in
  sprintf "(%s, %s, %s) Weir_protobuf.Extension.t" (Ocaml.message_type p view x.extendee) value got

let getters m =
  List.filter_map
    (function
      | Field ({ shape = Explicit; default = Some _; _ } as f) -> Some f | Field _ | Oneof _ -> None)
    m.members
