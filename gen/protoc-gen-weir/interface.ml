open Schema
open Printf

let last path = List.nth path (List.length path - 1)

let enum o e ~keyword =
  Out.line o "%s %s : sig" keyword (last e.enum_modules);
  Out.indented o (fun () ->
      Out.doc o e.enum_comment;
      Out.line o "type t =";
      Out.indented o (fun () ->
          List.iter
            (fun (_, c, _, comment) ->
              Out.line o "| %s" c;
              Out.doc o comment)
            e.values;
          if not e.closed then (
            Out.line o "| Unrecognized of int";
            Out.doc o "A number that the schema does not have"));
      Out.blank o;
      List.iter
        (fun (_, name, c) ->
          Out.line o "val %s : t" name;
          Out.doc o (sprintf "Another name of %s" c);
          Out.blank o)
        e.aliases;
      Out.line o "val to_int : t -> int";
      if e.closed then Out.line o "val of_int_opt : int -> t option"
      else Out.line o "val of_int : int -> t";
      Out.line o "val descriptor : Weir_protobuf.Descriptor.enum");
  Out.line o "end";
  Out.blank o

let make p view o m =
  let argument = function
    | Oneof n -> sprintf "?%s:%s ->" n.oneof_label n.type_name
    | Field f -> (
        let plain = Ocaml.field_type p view m { f with shape = Required } in
        match f.shape with
        | Required when Ocaml.is_option p m f ->
            sprintf "?%s:%s ->" f.label (Ocaml.value_type p view f.kind)
        | Required -> sprintf "%s:%s ->" f.label plain
        | Explicit -> sprintf "?%s:%s ->" f.label (Ocaml.value_type p view f.kind)
        | Implicit | Repeated | Packed | Repeated_array | Packed_array | Map _ | Case _ ->
            sprintf "?%s:%s ->" f.label (Ocaml.field_type p view m f))
  in
  Out.packed o (fun o ->
      Out.line o "val make :";
      List.iter (fun x -> Out.line o "%s" (argument x)) m.members;
      Out.line o "unit -> t")

(* What cannot be named from the top within [m], where a module of the same name is. *)
let aliases p o m =
  let hidden (from, target) =
    if Ocaml.hidden_in p from target = Some m.modules then Some target else None
  in
  let targets = List.filter_map hidden (Groups.references p.Ocaml.schema m.full_name) in
  List.iter
    (fun target -> Out.line o "type %s := %s.t" (Ocaml.alias target) (String.concat "." target))
    (List.sort_uniq compare targets);
  if targets <> [] then Out.blank o

let rec message p o m ~keyword =
  let view = Ocaml.Within m.modules in
  Out.line o "%s %s : sig" keyword (last m.modules);
  Out.indented o (fun () ->
      Out.doc o m.message_comment;
      if String.trim m.message_comment <> "" then Out.blank o;
      aliases p o m;
      List.iter (nested p o ~keyword:"module") m.nested;
      (* A case may hold the message itself: one recursive group. *)
      let first = ref true in
      let head name =
        let word = if !first then "type" else "and" in
        first := false;
        sprintf "%s %s" word name
      in
      List.iter
        (function
          | Oneof n ->
              Body.variant p view o n ~docs:true (head n.type_name);
              Out.blank o
          | Field _ -> ())
        m.members;
      if Body.has_fields p m then Body.record p view o m ~docs:true (head "t")
      else Out.line o "%s = unit" (head "t");
      Out.blank o;
      make p view o m;
      List.iter
        (fun f ->
          Out.line o "val get_%s : t -> %s" f.label (Ocaml.value_type p view f.kind);
          Out.line o "(** [get_%s m] is the field's value, or its default. *)" f.label;
          Out.blank o)
        (Body.getters m);
      Out.line o "include Weir_protobuf.Message.S with type t := t";
      List.iter
        (fun x ->
          Out.blank o;
          Out.line o "val %s : %s" x.field.label (Body.extension_type p view x);
          Out.doc o x.field.comment)
        m.extensions);
  Out.line o "end";
  Out.blank o

and nested p o ~keyword name =
  match Schema.enum p.Ocaml.schema name with
  | exception Failure _ -> message p o (Schema.message p.schema name) ~keyword
  | e -> enum o e ~keyword

let group p o (g : Groups.group) =
  List.iteri
    (fun i name ->
      let keyword = if not g.recursive then "module" else if i = 0 then "module rec" else "and" in
      nested p o ~keyword name)
    g.names

let service p o s =
  let view = Ocaml.Within [] in
  Out.line o "module %s : sig" s.service_module;
  Out.indented o (fun () ->
      Out.doc o s.service_comment;
      List.iter
        (fun r ->
          Out.blank o;
          Out.line o "val %s : (%s, %s) %s" r.rpc_value
            (Ocaml.message_type p view r.request)
            (Ocaml.message_type p view r.response)
            (Implementation.rpc_type r);
          Out.doc o r.rpc_comment)
        s.rpcs;
      Out.blank o;
      Implementation.implemented p view o s ~docs:true;
      if s.rpcs <> [] then Out.line o "val handlers : (module S) -> Weir_protobuf.Rpc.handler list");
  Out.line o "end";
  Out.blank o

let code p o (file : Schema.file) =
  Implementation.public p o file;
  List.iter (group p o) (Groups.of_file p.Ocaml.schema file);
  let view = Ocaml.Within [] in
  List.iter
    (fun x ->
      Out.line o "val %s : %s" x.field.label (Body.extension_type p view x);
      Out.doc o x.field.comment;
      Out.blank o)
    file.file_extensions;
  List.iter (service p o) file.services;
  Out.line o "val types : Weir_protobuf.Registry.t";
  Out.doc o "All messages and extensions of this file and of those it imports"

let file p (file : Schema.file) =
  let body = Out.create () in
  code p body file;
  let o = Out.create () in
  Implementation.heading o file;
  Out.doc o file.file_comment;
  Out.blank o;
  Implementation.others p o ~binding:":=";
  Out.blank o;
  Out.contents o ^ Out.contents body
