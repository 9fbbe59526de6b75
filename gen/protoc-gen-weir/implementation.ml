open Schema
open Printf

let enum o e =
  Out.line o "module %s = struct" e.enum_flat;
  Out.indented o (fun () ->
      let each f o = List.iter (fun (_, c, n, _) -> f o c n) e.values in
      let unrecognized o s = if not e.closed then Out.line o "%s" s in
      Out.packed o (fun o ->
          Out.line o "type t =";
          each (fun o c _ -> Out.line o "| %s" c) o;
          unrecognized o "| Unrecognized of int");
      Out.packed o (fun o ->
          Out.line o "let to_int = function";
          each (fun o c n -> Out.line o "| %s -> %d" c n) o;
          unrecognized o "| Unrecognized n -> n");
      Out.packed o (fun o ->
          let some = if e.closed then "Some " else "" in
          Out.line o "let %s = function" (if e.closed then "of_int_opt" else "of_int");
          each (fun o c n -> Out.line o "| %d -> %s%s" n some c) o;
          Out.line o "%s" (if e.closed then "| _ -> None" else "| n -> Unrecognized n"));
      List.iter (fun (_, name, c) -> Out.line o "let %s = %s" name c) e.aliases;
      Describe.enum o e);
  Out.line o "end";
  Out.blank o

(* The types of messages stand apart: each label is then looked up in the type
   at hand, not among all the records that have one of that name, which would
   make the time to compile quadratic. *)
let type_group p o (layers : Groups.layer list) =
  let first = ref true in
  let head name =
    let word = if !first then "type" else "and" in
    first := false;
    sprintf "%s %s" word name
  in
  let oneofs m = List.filter_map (function Oneof n -> Some n | Field _ -> None) m.members in
  Out.line o "(* Apart from what follows, where a field is that of the type at hand. *)";
  Out.line o "module %s = struct" Schema.types_module;
  Out.indented o (fun () ->
      List.iter
        (fun (layer : Groups.layer) ->
          first := true;
          List.iter
            (fun m ->
              List.iter
                (fun n ->
                  Out.packed o (fun o ->
                      Body.variant p In_types o n ~docs:false (head n.oneof_flat)))
                (oneofs m);
              if Body.has_fields p m then
                Out.packed o (fun o -> Body.record p In_types o m ~docs:false (head m.flat))
              else Out.line o "%s = unit" (head m.flat))
            layer.messages)
        layers);
  Out.line o "end";
  Out.blank o

let absent p m f =
  match f.shape with
  | Repeated | Packed | Map _ -> "[]"
  | Repeated_array | Packed_array -> Array_field.empty f
  | Explicit | Required | Implicit | Case _ ->
      if Ocaml.is_option p m f then "None"
      else if f.shape = Required then Ocaml.default p f
      else Ocaml.zero p f.kind

(* Only a required message makes one default refer to another. *)
let defaults p o messages =
  let refers m =
    List.exists
      (fun f ->
        match (f.shape, f.kind) with
        | Required, (Message _ | Delimited _) -> not (Ocaml.is_option p m f)
        | _ -> false)
      (Schema.fields m)
  in
  let default word m =
    if not (Body.has_fields p m) then Out.line o "%s default'%s = ()" word m.flat
    else
      Out.packed o (fun o ->
          Out.line o "%s default'%s : %s =" word m.flat (Ocaml.message_type p Flat m.full_name);
          Out.line o "{";
          List.iter
            (function
              | Field f -> Out.line o "  %s = %s;" f.label (absent p m f)
              | Oneof n -> Out.line o "  %s = None;" n.oneof_label)
            m.members;
          Option.iter
            (fun (s : Ocaml.slot) -> Out.line o "  %s = %s;" s.label (s.of_string "\"\""))
            (Ocaml.slot p m);
          Out.line o "}")
  in
  let tied, free = List.partition refers messages in
  List.iter (default "let") free;
  List.iteri (fun i m -> default (if i = 0 then "let rec" else "and") m) tied;
  Out.blank o

(* Functions that were each written as [and]. *)
let each_function text =
  let add l line =
    match l with
    | l when String.starts_with ~prefix:"and " line ->
        [ String.sub line 4 (String.length line - 4) ] :: l
    | current :: before -> (line :: current) :: before
    | [] -> []
  in
  let functions = List.fold_left add [] (String.split_on_char '\n' text) in
  List.rev_map (fun lines -> String.trim (String.concat "\n" (List.rev lines))) functions

(* The functions of one kind. Those that need not be one recursion are not: the compiler then
   obeys what is said of expansion, and takes less. What a message's function calls is written
   behind it, and so stands before it. *)
let functions p o emit (layers : Groups.layer list) =
  let layer (l : Groups.layer) =
    let inner = Out.create () in
    let names = Hashtbl.create 16 in
    List.iter (fun (m : Schema.message) -> Hashtbl.replace names m.full_name ()) l.messages;
    List.iter
      (emit { p with Ocaml.cycle = (fun n -> l.cyclic && Hashtbl.mem names n) } inner)
      l.messages;
    match each_function (Out.contents inner) with
    | all when l.cyclic ->
        List.iteri (fun i f -> Out.line o "%s %s" (if i = 0 then "let rec" else "and") f) all
    | [] -> ()
    | own :: called ->
        List.iter (Out.line o "let[@inline never] rec %s") (List.rev called);
        Out.line o "let[@inline never] %s" own
  in
  List.iter layer layers;
  Out.blank o

(* One function for all maps with such keys and values. *)
let shared o emit messages =
  let seen = Hashtbl.create 16 in
  let field m f =
    if Ocaml.is_shared f && not (Hashtbl.mem seen f.shape) then (
      Hashtbl.add seen f.shape ();
      let inner = Out.create () in
      emit inner m f;
      List.iter (Out.line o "let[@inline never] rec %s") (each_function (Out.contents inner)))
  in
  List.iter (fun m -> List.iter (field m) (Schema.fields m)) messages

let codecs p o file messages =
  let index = Describe.index file in
  List.iter
    (fun m ->
      Out.packed o (fun o ->
          let json = if p.Ocaml.fast_json then [ "to_json"; "of_json" ] else [] in
          Out.line o "let %s =" (Ocaml.own "codec" m.flat);
          Out.line o "codec%s layouts %d types"
            (if json = [] then "" else "_with_json")
            (index m.full_name);
          List.iter
            (fun kind -> Out.line o "%s" (Ocaml.own kind m.flat))
            ([ "default"; "write"; "read" ] @ json)))
    messages;
  Out.blank o

let extension_value p f =
  match f.kind with
  | Scalar k | Slice k ->
      sprintf "Weir_protobuf.Extension.%s" (String.lowercase_ascii (Describe.scalar k))
  | Enum e ->
      let path = Ocaml.enum_module p e in
      let closed = (Schema.enum p.Ocaml.schema e).closed in
      if closed then
        sprintf "(Weir_protobuf.Extension.closed_enum %s.of_int_opt %s.to_int)" path path
      else sprintf "(Weir_protobuf.Extension.enum %s.of_int %s.to_int)" path path
  | Message name | Delimited name ->
      let group = match f.kind with Delimited _ -> "delimited" | _ -> "message" in
      sprintf "(Weir_protobuf.Extension.%s %s)" group (Ocaml.codec p name)

let extension p o x =
  let extendee = Ocaml.message_type p Flat x.extendee in
  let shape =
    match x.field.shape with
    | Repeated -> "repeated"
    | Packed -> "packed"
    | _ when (Schema.message p.schema x.extendee).message_set -> "in_set"
    | _ when Body.never_fails x -> sprintf "plain ~default:%s" (Ocaml.default p x.field)
    | _ -> "optional"
  in
  Out.line o "let %s : %s =" x.field.label (Body.extension_type p Flat x);
  Out.line o "  Weir_protobuf.Extension.%s" shape;
  Out.line o "    { Weir_protobuf.Descriptor.extendee = %S;" x.extendee;
  Out.line o "      extension_name = %S;" x.extension_full_name;
  Out.line o "      field = %s }" (Describe.field p x.field);
  let slot = Option.get (Ocaml.slot p (Schema.message p.schema x.extendee)) in
  Out.line o "    ~unknown:(fun (m : %s) -> %s)" extendee (slot.to_string ("m." ^ slot.label));
  Out.line o "    ~with_unknown:(fun (m : %s) u -> { m with %s = %s })" extendee slot.label
    (slot.of_string "u");
  Out.line o "    %s" (extension_value p x.field);
  Out.blank o

let make p o m =
  let argument = function
    | Oneof n -> sprintf "?%s" n.oneof_label
    | Field f -> (
        match f.shape with
        | Required when not (Ocaml.is_option p m f) -> sprintf "~%s" f.label
        | _ when Ocaml.is_option p m f -> sprintf "?%s" f.label
        | _ -> sprintf "?(%s = %s)" f.label (absent p m f))
  in
  let label = function Field f -> f.label | Oneof n -> n.oneof_label in
  Out.packed o (fun o ->
      Out.line o "let make";
      List.iter (fun x -> Out.line o "%s" (argument x)) m.members;
      if not (Body.has_fields p m) then Out.line o "() : t = ()"
      else (
        Out.line o "() : t = {";
        List.iter (fun x -> Out.line o "%s;" (label x)) m.members;
        Option.iter
          (fun (s : Ocaml.slot) -> Out.line o "%s = %s" s.label (s.of_string "\"\""))
          (Ocaml.slot p m);
        Out.line o "}"))

let common o m =
  let codec = Ocaml.own "codec" m.flat in
  Out.line o "let default = %s and codec = %s" (Ocaml.own "default" m.flat) codec;
  Out.line o "let decode, encode, of_json, to_json, of_text, to_text = functions %s" codec

let rec message_module p o name =
  let m = Schema.message p.Ocaml.schema name in
  Out.line o "module %s = struct" (List.nth m.modules (List.length m.modules - 1));
  Out.indented o (fun () ->
      List.iter (nested p o) m.nested;
      List.iter
        (function
          | Oneof n ->
              Out.packed o (fun o ->
                  Body.variant p Flat o n ~docs:false
                    (sprintf "type %s = %s" n.type_name (Body.oneof_type Flat n)))
          | Field _ -> ())
        m.members;
      let head = sprintf "type t = %s" (Ocaml.message_type p Flat m.full_name) in
      if Body.has_fields p m then Out.packed o (fun o -> Body.record p Flat o m ~docs:false head)
      else Out.line o "%s" head;
      make p o m;
      List.iter
        (fun f ->
          Out.line o "let get_%s (m : t) = match m.%s with Some v -> v | None -> %s" f.label f.label
            (Ocaml.default p f))
        (Body.getters m);
      common o m;
      List.iter (extension p o) m.extensions);
  Out.line o "end";
  Out.blank o

and nested p o name =
  match Schema.enum p.schema name with
  | exception Failure _ -> message_module p o name
  | e ->
      let own = List.nth e.enum_modules (List.length e.enum_modules - 1) in
      (* Not an alias, which the compiler would keep at hand for all that follows. *)
      Out.line o "module %s = struct include %s end" own e.enum_flat

(* By what streams: the type of the method's value and its constructor there, and
   the constructor of its handler. *)
let rpc_kind r =
  match (r.client_streams, r.server_streams) with
  | false, false -> ("t", "", "Handler")
  | false, true -> ("download", "Download ", "Download")
  | true, false -> ("upload", "Upload ", "Upload")
  | true, true -> ("exchange", "Exchange ", "Exchange")

let rpc_type r =
  let kind, _, _ = rpc_kind r in
  "Weir_protobuf.Rpc." ^ kind

let implementing p view r =
  let request = Ocaml.message_type p view r.request in
  let response = Ocaml.message_type p view r.response in
  let receive = Printf.sprintf "(unit -> %s option)" request in
  let send = Printf.sprintf "(%s -> unit) -> unit" response in
  match (r.client_streams, r.server_streams) with
  | false, false -> Printf.sprintf "%s -> %s" request response
  | false, true -> Printf.sprintf "%s -> %s" request send
  | true, false -> Printf.sprintf "%s -> %s" receive response
  | true, true -> Printf.sprintf "%s -> %s" receive send

let implemented p view o s ~docs =
  if s.rpcs <> [] then (
    if docs then
      Out.doc o
        (if List.exists (fun r -> r.client_streams || r.server_streams) s.rpcs then
           "What a server implements. A stream of requests is a function that waits for the next, \
            None at\n\
            the end; a stream of responses one that sends them, and waits for room."
         else "What a server implements");
    Out.line o "module type S = sig";
    Out.indented o (fun () ->
        List.iter (fun r -> Out.line o "val %s : %s" r.rpc_value (implementing p view r)) s.rpcs);
    Out.line o "end";
    Out.blank o)

let rpc p o s r =
  let _, constructor, _ = rpc_kind r in
  Out.line o "let %s : (_, _) %s =" r.rpc_value (rpc_type r);
  Out.line o "  %s{" constructor;
  Out.line o "    service = %S;" s.service_name;
  Out.line o "    name = %S;" r.rpc_name;
  Out.line o "    request = %s;" (Ocaml.codec p r.request);
  Out.line o "    response = %s;" (Ocaml.codec p r.response);
  Out.line o "    client_streams = %b;" r.client_streams;
  Out.line o "    server_streams = %b;" r.server_streams;
  Out.line o "  }";
  Out.blank o

let service p o s =
  Out.line o "module %s = struct" s.service_module;
  Out.indented o (fun () ->
      List.iter (rpc p o s) s.rpcs;
      implemented p Flat o s ~docs:false;
      if s.rpcs <> [] then (
        Out.line o "let handlers (module M : S) : Weir_protobuf.Rpc.handler list =";
        Out.line o "  [";
        List.iter
          (fun r ->
            let _, _, handler = rpc_kind r in
            Out.line o "    %s (%s, M.%s);" handler r.rpc_value r.rpc_value)
          s.rpcs;
        Out.line o "  ]";
        Out.blank o));
  Out.line o "end";
  Out.blank o

let heading o (file : Schema.file) =
  Out.line o "(* Generated by protoc-gen-weir from %s. Do not edit. *)" file.path;
  Out.blank o

(* What a public import lets this file's users name. *)
let public p o (file : Schema.file) =
  let own = Hashtbl.create 8 in
  let head name =
    match Schema.enum p.Ocaml.schema name with
    | e -> List.hd e.enum_modules
    | exception Failure _ -> List.hd (Schema.message p.schema name).modules
  in
  List.iter (fun n -> Hashtbl.replace own (head n) ()) file.top;
  List.iter (fun s -> Hashtbl.replace own s.service_module ()) file.services;
  (* What they import publicly in turn comes along. *)
  let seen = Hashtbl.create 8 in
  let rec import path =
    if not (Hashtbl.mem seen path) then (
      Hashtbl.add seen path ();
      let imported = Schema.file p.schema path in
      List.iter
        (fun n ->
          if not (Hashtbl.mem own (head n)) then (
            Hashtbl.replace own (head n) ();
            Out.line o "module %s = %s.%s" (head n) (Ocaml.file_module p path) (head n)))
        imported.top;
      List.iter import imported.public_imports)
  in
  List.iter import file.public_imports;
  Out.blank o

let code p o (file : Schema.file) =
  List.iter (enum o) file.enums;
  let messages = List.filter (fun m -> not m.entry) file.messages in
  Describe.imports p o file;
  Describe.messages p o file;
  Describe.types p o file;
  if messages <> [] then (
    let layers = Groups.layers messages in
    type_group p o layers;
    defaults p o messages;
    shared o (Read.emit_shared p) messages;
    functions p o (fun p o m -> Read.emit p o m) layers;
    shared o (Write.emit_shared p) messages;
    functions p o (fun p o m -> Write.emit p o m) layers;
    if p.fast_json then (
      (* What has no code of its own is the table's. *)
      codecs { p with fast_json = false } o file
        (List.filter (fun m -> not (Json_code.direct p m)) messages);
      Json_code.emit_keys p o file messages;
      functions p o (fun p o m -> Json_code.emit_write p o m) layers;
      functions p o (fun p o m -> Json_code.emit_read p o m) layers);
    codecs p o file (List.filter (fun m -> (not p.fast_json) || Json_code.direct p m) messages));
  (* Not earlier: one may be called List. *)
  public p o file;
  List.iter (nested p o) file.top;
  List.iter (extension p o) file.file_extensions;
  List.iter (service p o) file.services

(* Modules of other files that this one's would hide are known once the code is made. *)
let others p o ~binding =
  let bind _ (name, alias) l = if alias = name then l else (alias, name) :: l in
  List.iter
    (fun (alias, name) -> Out.line o "module %s %s %s" alias binding name)
    (List.sort compare (Hashtbl.fold bind p.Ocaml.others []))

let file p (file : Schema.file) =
  let body = Out.create () in
  code p body file;
  let o = Out.create () in
  heading o file;
  Out.line o "[@@@warning \"-a\"]";
  Out.blank o;
  (* Opened, so that a schema's own C or E may take the name at the end. *)
  Out.line o "open Weir_protobuf.Unsafe.Generated";
  let hidden = Out.create () in
  others p hidden ~binding:"=";
  if Out.contents hidden <> "" then (
    Out.line o "open struct";
    Out.indented o (fun () -> others p o ~binding:"=");
    Out.line o "end");
  Out.blank o;
  Out.contents o ^ Out.contents body
