open Program

(* A typedef stands for what it names: not for itself, nor for a list of itself. *)
let rec not_endless t name within (ty : Idl.ty) =
  match ty with
  | Named n -> (
      match find_here t n with
      | Some { body = Typedef ty; _ } ->
          if n = name then failed "%s: typedef %s is defined by itself" t.base name;
          if not (List.mem n within) then not_endless t name (n :: within) ty
      | Some _ | None -> ())
  | List e | Set e -> not_endless t name within e
  | Map (k, v) ->
      not_endless t name within k;
      not_endless t name within v
  | _ -> ()

let check (t : t) =
  let names = Hashtbl.create 64 in
  List.iter
    (fun (d : Idl.definition) ->
      if Hashtbl.mem names d.name then failed "%s: %s is defined twice" t.base d.name;
      Hashtbl.replace names d.name ())
    t.idl.definitions;
  List.iter
    (fun (d : Idl.definition) ->
      match d.body with Typedef ty -> not_endless t d.name [] ty | _ -> ())
    t.idl.definitions

(* What each module has, said once. *)
let guide =
  "(* In the module of a type: [decode] and [encode] are between a whole string and a value, [read]\n\
  \   and [write] between a value and a reader or writer, in which others may precede and follow. \
   *)\n\n"

let file t =
  let o = Weir_naming.Files.create () in
  (* In the author's order, but services last: they name the modules of exceptions. *)
  let is_service (d : Idl.definition) = match d.body with Service _ -> true | _ -> false in
  let services, others = List.partition is_service t.idl.definitions in
  List.iter (Modules.definition o t) (others @ services);
  let head = Printf.sprintf "(* Made by weir-thrift from %s.thrift; do not edit. *)\n\n" t.base in
  let types = Structs.types t in
  let ml =
    head ^ "[@@@ocaml.warning \"-a\"]\n\nmodule Thrift = Weir_thrift\n\n" ^ types ^ "\n"
    ^ Structs.functions t ^ Buffer.contents o.ml
  in
  let mli =
    let doc = Weir_naming.doc "" t.idl.file_doc in
    head ^ doc
    ^ (if doc = "" then "" else "\n")
    ^ guide ^ "[@@@ocaml.warning \"-30\"]\n\nmodule Thrift = Weir_thrift\n\n" ^ types ^ "\n"
    ^ Buffer.contents o.mli
  in
  let name = Weir_naming.snake t.base ^ "_thrift" in
  [ (name ^ ".ml", Weir_naming.tidy ml); (name ^ ".mli", Weir_naming.tidy mli) ]

(* Each file once, behind those it includes. *)
let rec all seen (t : t) =
  match List.find_opt (fun (u : t) -> u.base = t.base) seen with
  | Some u when u.idl = t.idl -> seen
  | Some _ -> failed "two files are called %s.thrift" t.base
  | None -> t :: List.fold_left all seen t.includes

(* Names that OCaml would write alike, as [a.b] and [a_b]. *)
let check_modules wanted =
  let seen = Hashtbl.create 16 in
  List.iter
    (fun (t : t) ->
      let name = Emit.file_module t in
      (match Hashtbl.find_opt seen name with
      | Some other -> failed "%s.thrift and %s.thrift both become %s" other t.base name
      | None -> ());
      Hashtbl.replace seen name t.base)
    wanted

let run ~folders ~recursive path =
  let t = load ~folders path in
  let wanted = List.rev (all [] t) in
  check_modules wanted;
  List.iter check wanted;
  List.concat_map file (if recursive then wanted else [ t ])
