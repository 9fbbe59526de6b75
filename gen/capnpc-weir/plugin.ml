open Model
open Printf

let groups t =
  let table = Hashtbl.create 16 in
  Hashtbl.iter
    (fun _ (n : node) ->
      match n.body with
      | Struct_node l ->
          List.iter
            (fun f -> match f.kind with Group id -> Hashtbl.replace table id () | Slot _ -> ())
            l.fields
      | _ -> ())
    t.nodes;
  table

let listed t trees =
  let table = Hashtbl.create 16 and own = Hashtbl.create 64 in
  Names.homes own trees;
  let rec note ~list = function
    | List ty -> note ~list:true ty
    | Struct id when list && Hashtbl.mem own id -> Hashtbl.replace table id ()
    | _ -> ()
  in
  let of_field f = match f.kind with Slot s -> note ~list:false s.ty | Group _ -> () in
  Hashtbl.iter
    (fun id (_ : Names.home) ->
      match (Names.node t id).body with Struct_node l -> List.iter of_field l.fields | _ -> ())
    own;
  table

(* Structs too large for the packed handles of the runtime. *)
let check_sizes t =
  Hashtbl.iter
    (fun _ (n : node) ->
      match n.body with
      | Struct_node { data; pointers; _ } when data > 16383 || pointers > 16383 ->
          failwith (sprintf "%s has more than 16,383 words or pointers" n.short)
      | _ -> ())
    t.nodes

(* What each module has, said once. *)
let guide =
  "(* In a struct's module: [decode] and [encode] read and write framed messages, [write] resets a\n\
  \   builder and writes into it. [R] reads fields where they lie in a message, from its [root] on;\n\
  \   [B] builds them in place, from [init] on. [of_reader] makes a record of a struct in a message,\n\
  \   [to_builder] fills a new struct of a builder from one. *)\n\n"

let defaults (env : Types.env) =
  let name i = sprintf "default_%d" (i + 1) in
  let all =
    String.concat ""
      (List.mapi
         (fun i d -> sprintf "let %s = Capnp.Any.constant %S\n\n" (name i) d)
         (List.rev !(env.defaults)))
  in
  if not !(env.endless) then all
  else
    sprintf
      "%s(* Within a default a field that has the same default is absent: it would never end. *)\n\
       let is_default (m : Capnp.Message.t) =\n\
      \  List.exists (fun (d : Capnp.Message.t) -> d.buf == m.buf) [ %s ]\n\n"
      all
      (String.concat "; " (List.mapi (fun i _ -> name i) !(env.defaults)))

let file t groups (f : file) =
  let homes = Hashtbl.create 64 and modules = Hashtbl.create 8 in
  Hashtbl.replace modules f.file_id (Names.file_module f.filename);
  List.iter (fun (id, name) -> Hashtbl.replace modules id (Names.file_module name)) f.imports;
  Hashtbl.iter
    (fun id (n : node) ->
      if n.body = File then (
        (* A file that an imported one imports has no path here but its own name. *)
        if not (Hashtbl.mem modules id) then Hashtbl.replace modules id (Names.file_module n.short);
        Names.homes homes (Names.trees t id)))
    t.nodes;
  let trees = Names.trees t f.file_id in
  let listed = listed t trees in
  let env =
    {
      Types.model = t;
      file = f.file_id;
      homes;
      modules;
      groups;
      listed;
      defaults = ref [];
      endless = ref false;
    }
  in
  let types = Types.all env trees in
  let records = Records.all env trees in
  let o = Weir_naming.Files.create () in
  List.iter (Modules.modul env o "") trees;
  let defaults = defaults env in
  let comment = (Names.node t f.file_id).comment in
  let head =
    sprintf "(* Made by capnpc-weir from %s; do not edit. *)\n\n" (Filename.basename f.filename)
  in
  let ml =
    head ^ "[@@@ocaml.warning \"-a\"]\n\nmodule Capnp = Weir_capnp\n\n" ^ types ^ defaults ^ records
    ^ Buffer.contents o.ml
  in
  let structs = records <> "" in
  let mli =
    head ^ Types.doc "" comment
    ^ (if comment = "" then "" else "\n")
    ^ (if structs then guide else "")
    ^ "[@@@ocaml.warning \"-30\"]\n\nmodule Capnp = Weir_capnp\n\n" ^ types ^ Buffer.contents o.mli
  in
  let base = Filename.concat (Filename.dirname f.filename) (Names.file_base f.filename) in
  [ (base ^ ".ml", Names.tidy ml); (base ^ ".mli", Names.tidy mli) ]

let generate t =
  check_sizes t;
  let groups = groups t in
  List.concat_map (file t groups) t.files
