open Descriptor

(* What the message refers to, itself first, each name once. *)
let reachable types root =
  let seen = Hashtbl.create 16 in
  let found = ref [] in
  let rec visit m =
    let m = Registry.resolve types m in
    if is_endless m then invalid_arg ("Weir_protobuf.Proto_file: no end to " ^ m.full_name);
    if not (Hashtbl.mem seen m.full_name) then (
      Hashtbl.add seen m.full_name ();
      found := m :: !found;
      List.iter (fun f -> match f.kind with Message m | Delimited m -> visit m | _ -> ()) m.fields)
  in
  visit root;
  List.rev !found

let split full_name =
  match String.rindex_opt full_name '.' with
  | Some i ->
      (String.sub full_name 0 i, String.sub full_name (i + 1) (String.length full_name - i - 1))
  | None -> ("", full_name)

let within package name =
  match String.length package with
  | 0 -> name
  | n when String.starts_with ~prefix:(package ^ ".") name ->
      String.sub name (n + 1) (String.length name - n - 1)
  | _ -> name

let flat package name = String.map (fun c -> if c = '.' then '_' else c) (within package name)

type names = {
  package : string;
  given : (string, string) Hashtbl.t;
  taken : (string, unit) Hashtbl.t;
}

let name names full_name =
  match Hashtbl.find_opt names.given full_name with
  | Some given -> given
  | None ->
      let rec free s = if Hashtbl.mem names.taken s then free (s ^ "_") else s in
      let given = free (flat names.package full_name) in
      Hashtbl.add names.taken given ();
      Hashtbl.add names.given full_name given;
      given

let absolute names s = if names.package = "" then "." ^ s else "." ^ names.package ^ "." ^ s

(* An enum is within the message that its name begins with, so that its values
   have a scope of their own. *)
let enum_path names e =
  let message, own = split e.enum_name in
  if message = "" then name names own ^ "_." ^ own else name names message ^ "." ^ own

let kind_name types names = function
  | Enum e -> absolute names (enum_path names e)
  | Message m -> absolute names (name names (Registry.resolve types m).full_name)
  | Delimited m -> invalid_arg ("Weir_protobuf.Proto_file: group " ^ m.full_name)
  | scalar -> Descriptor.scalar_name scalar

let options types m f =
  let default = Registry.default types ~message:m.full_name f.number in
  match ((if f.label = Packed then [ "packed = true" ] else []), default) with
  | [], None -> ""
  | packed, default ->
      let default = Option.map (fun d -> "default = " ^ d) default in
      Printf.sprintf " [%s]" (String.concat ", " (packed @ Option.to_list default))

let field types names b m ~indent ~label f =
  Printf.bprintf b "%s%s%s %s = %d%s;\n" indent label (kind_name types names f.kind) f.name f.number
    (options types m f)

let label f =
  match f.label with
  | Required -> "required "
  | Implicit | Explicit -> "optional "
  | Repeated | Packed -> "repeated "

let rec fields types names b m = function
  | [] -> ()
  | ({ oneof = ""; _ } as f) :: rest ->
      field types names b m ~indent:"  " ~label:(label f) f;
      fields types names b m rest
  | { oneof; _ } :: _ as all ->
      let cases, rest = List.partition (fun f -> f.oneof = oneof) all in
      Printf.bprintf b "  oneof %s {\n" oneof;
      List.iter (field types names b m ~indent:"    " ~label:"") cases;
      Buffer.add_string b "  }\n";
      fields types names b m rest

let enum b e =
  Printf.bprintf b "  enum %s {\n" (snd (split e.enum_name));
  List.iter (fun (name, number) -> Printf.bprintf b "    %s = %d;\n" name number) e.values;
  Buffer.add_string b "  }\n"

let enums_of messages =
  List.concat_map
    (fun m -> List.filter_map (fun f -> match f.kind with Enum e -> Some e | _ -> None) m.fields)
    messages
  |> List.sort_uniq (fun a b -> String.compare a.enum_name b.enum_name)

let message types names b enums m =
  if m.extensible <> [] then invalid_arg "Weir_protobuf.Proto_file: extensions";
  Printf.bprintf b "\nmessage %s {\n" (name names m.full_name);
  List.iter (fun e -> if fst (split e.enum_name) = m.full_name then enum b e) enums;
  fields types names b m m.fields;
  Buffer.add_string b "}\n"

(* An enum whose own message is not in the file still has its scope. *)
let lone names b messages e =
  let scope, own = split e.enum_name in
  if not (List.exists (fun m -> m.full_name = scope) messages) then (
    Printf.bprintf b "\nmessage %s {\n"
      (if scope = "" then name names own ^ "_" else name names scope);
    enum b e;
    Buffer.add_string b "}\n")

let names_for root =
  let package, _ = split root.full_name in
  let names = { package; given = Hashtbl.create 16; taken = Hashtbl.create 16 } in
  ignore (name names root.full_name);
  names

let message_name c =
  let d = Codec.descriptor c in
  let names = names_for d in
  let own = name names d.full_name in
  if names.package = "" then own else names.package ^ "." ^ own

let print c =
  let d = Codec.descriptor c and types = Codec.types c in
  let messages = reachable types d in
  let enums = enums_of messages in
  let names = names_for d in
  let b = Buffer.create 512 in
  Buffer.add_string b "// Derived from OCaml types.\nsyntax = \"proto2\";\n";
  if names.package <> "" then Printf.bprintf b "\npackage %s;\n" names.package;
  List.iter (message types names b enums) messages;
  List.iter (lone names b messages) enums;
  Buffer.contents b
