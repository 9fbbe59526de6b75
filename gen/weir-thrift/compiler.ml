open Program

let check (t : t) =
  let names = Hashtbl.create 64 in
  List.iter
    (fun (d : Idl.definition) ->
      if Hashtbl.mem names d.name then failed "%s: %s is defined twice" t.base d.name;
      Hashtbl.replace names d.name ())
    t.idl.definitions

(* What each module has, said once. *)
let guide =
  "(* In the module of a type: [decode] and [encode] are between a whole string and a value, [read]\n\
  \   and [write] between a value and a reader or writer, in which others may precede and follow. \
   *)\n\n"

let file t =
  check t;
  let o = { Modules.ml = Buffer.create 4096; mli = Buffer.create 4096 } in
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

let rec all t = List.concat_map all t.includes @ [ t ]

let run ~folders ~recursive path =
  let t = load ~folders path in
  let wanted = if recursive then all t else [ t ] in
  let once =
    List.fold_left
      (fun acc (t : t) ->
        if List.exists (fun (x : t) -> x.base = t.base) acc then acc else t :: acc)
      [] wanted
  in
  List.concat_map file (List.rev once)
