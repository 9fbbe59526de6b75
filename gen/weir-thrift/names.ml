open Idl
module Naming = Weir_naming

type t = {
  types : (string, string) Hashtbl.t;
  modules : (string, string) Hashtbl.t;
  constants : (string, string) Hashtbl.t;
}

let arguments service f = service ^ "_" ^ f.func_name ^ "_args"
let result service f = service ^ "_" ^ f.func_name ^ "_result"

(* Of two names that OCaml would write alike the later has an underscore behind it. *)
let add table taken convert name =
  let rec free s = if Hashtbl.mem taken s then free (s ^ "_") else s in
  let s = free (convert name) in
  Hashtbl.replace taken s ();
  if not (Hashtbl.mem table name) then Hashtbl.replace table name s

let set l =
  let taken = Hashtbl.create 64 in
  List.iter (fun s -> Hashtbl.replace taken s ()) l;
  taken

(* What the code of structs names beside its own: parameters, locals, the standard library's. *)
let in_structs = [ "h"; "header"; "ignore"; "last"; "r"; "raise"; "ref"; "v"; "w"; "x" ]

let of_idl (idl : Idl.t) =
  let t =
    { types = Hashtbl.create 64; modules = Hashtbl.create 64; constants = Hashtbl.create 64 }
  in
  (* Within its module a type is [t]. *)
  let types = set ("t" :: Naming.builtin) and modules = set [ "Option"; "String"; "Thrift" ] in
  let type_ = add t.types types (fun s -> Naming.value s) in
  let each f = List.iter f idl.definitions in
  each (fun d ->
      match d.body with
      | Typedef _ -> type_ d.name
      | Enum _ | Fields _ ->
          type_ d.name;
          add t.modules modules (fun s -> Naming.capital s) d.name
      | Const _ | Service _ -> ());
  each (fun d ->
      match d.body with
      | Service (_, l) ->
          add t.modules modules (fun s -> Naming.capital s) d.name;
          List.iter
            (fun f ->
              type_ (arguments d.name f);
              type_ (result d.name f))
            l
      | Typedef _ | Enum _ | Fields _ | Const _ -> ());
  let functions = set in_structs in
  Hashtbl.iter
    (fun _ s ->
      List.iter
        (fun f -> Hashtbl.replace functions f ())
        [ "read_" ^ s; "write_" ^ s; s ^ "_of_int"; s ^ "_to_int" ])
    t.types;
  each (fun d ->
      match d.body with
      | Const _ -> add t.constants functions (fun s -> Naming.value s) d.name
      | Typedef _ | Enum _ | Fields _ | Service _ -> ());
  t

let type_ t name = Hashtbl.find t.types name
let modul t name = Hashtbl.find t.modules name
let constant t name = Hashtbl.find t.constants name
