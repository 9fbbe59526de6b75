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
      Out.line o "unknown_fields : string;";
      if docs then Out.doc o "Fields met in decoding that the schema does not have, as they came");
  Out.line o "}"

let variant p view o n ~docs head =
  Out.line o "%s =" head;
  Out.indented o (fun () ->
      List.iter
        (fun f ->
          Out.line o "| %s of %s" f.label (Ocaml.value_type p view f.kind);
          if docs then Out.doc o f.comment)
        n.cases)

let extension_type p view x =
  let value = Ocaml.value_type p view x.field.kind in
  sprintf "(%s, %s %s) Weir_protobuf.Extension.t"
    (Ocaml.message_type p view x.extendee)
    value
    (match x.field.shape with Repeated | Packed -> "list" | _ -> "option")

let getters m =
  List.filter_map
    (function
      | Field ({ shape = Explicit; default = Some _; _ } as f) -> Some f | Field _ | Oneof _ -> None)
    m.members
