open Idl
open Program
open Emit
open Printf
open Weir_naming.Files

(* A comment that the value before it does not claim. *)
let apart indent text =
  let d = Naming.doc indent text in
  if d = "" then "" else "\n" ^ d

let opening o name doc =
  mli o "%smodule %s : sig\n" (Naming.doc "" doc) name;
  ml o "module %s = struct\n" name

let shared o name =
  mli o "  val read : Thrift.Reader.t -> t\n  val write : Thrift.Writer.t -> t -> unit\n";
  ml o "  let read = read_%s\n  let write = write_%s\n" name name

let type_ o t d ~abbreviation =
  let name = flat t d.name in
  let text docs =
    match Structs.body t "    " ~docs d with
    | Some b when not abbreviation -> sprintf "  type t = %s =%s\n" name b
    | _ -> sprintf "  type t = %s\n\n" name
  in
  ml o "%s" (text false);
  mli o "%s" (text true)

let struct_ o t d shape l =
  let name = flat t d.name in
  opening o (modul t d.name) d.doc;
  type_ o t d ~abbreviation:(l = [] && shape <> Union);
  shared o name;
  mli o "  val decode : Thrift.Kind.protocol -> string -> (t, Thrift.Error.t) result\n";
  ml o "  let decode protocol s = Thrift.Reader.decode read_%s protocol s\n" name;
  mli o "  val encode : Thrift.Kind.protocol -> t -> string\n";
  ml o "  let encode protocol v = Thrift.Writer.encode write_%s protocol v\n" name;
  let needs (f : field) = f.requiredness = Required && f.default = None && is_struct t f.ty in
  if shape <> Union && not (List.exists needs l) then (
    mli o "\n  val default : t\n  (** Each field as it is when it is absent. *)\n";
    let value (f, label) = sprintf "%s = %s" label (Constants.initial ~from:t t f) in
    if l = [] then ml o "  let default = ()\n"
    else ml o "  let default : t = { %s }\n" (String.concat "; " (List.map value (labels l))));
  if shape = Exception then both o "\n  exception E of t\n";
  both o "end\n\n"

let enum o t d =
  let name = flat t d.name in
  opening o (modul t d.name) d.doc;
  type_ o t d ~abbreviation:false;
  shared o name;
  mli o "  val of_int : int -> t\n  val to_int : t -> int\n";
  ml o "  let of_int = %s_of_int\n  let to_int = %s_to_int\n" name name;
  both o "end\n\n"

let service_module t name =
  let file, d = definition t name in
  (match d.body with Service _ -> () | _ -> failed "%s: %s is no service" t.base name);
  there ~from:t file ^ modul file d.name

(* [raise] is what a call does with an exception. *)
let values l =
  let name ~taken s = Naming.value ~taken:("raise" :: taken) s in
  List.combine l (List.map snd (Naming.distinct name (List.map (fun f -> f.func_name) l)))

(* The type of a call: labelled arguments, then unit if there is none. *)
let signature t (f : func) =
  let result = match f.result with None -> "unit" | Some ty -> ocaml t ty in
  let args =
    List.map
      (fun (x, label) -> sprintf "%s:%s -> " label (Structs.field_type t x))
      (labels f.arguments)
  in
  (if args = [] then "unit -> " else String.concat "" args) ^ result

let exception_of t (x : field) =
  match resolve t x.ty with
  | file, Named n ->
      let home, d = definition file n in
      (match d.body with
      | Fields (Exception, _) -> ()
      | _ -> failed "%s: %s is no exception" t.base n);
      there ~from:t home ^ modul home d.name ^ ".E"
  | _ -> failed "%s: %s is no exception" t.base x.name

let arguments t service f = flat t (Names.arguments service f)
let result t service f = flat t (Names.result service f)

let record_ty name fields =
  if fields = [] then "()" else sprintf "({ %s } : %s)" (String.concat "; " fields) name

let client_call o t service (f, name) =
  mli o "%s    val %s : Thrift.Rpc.client -> %s\n" (apart "    " f.func_doc) name (signature t f);
  let args = labels f.arguments in
  let formals =
    if args = [] then "()" else String.concat " " (List.map (fun (_, l) -> "~" ^ l) args)
  in
  let record = record_ty (arguments t service f) (List.map snd args) in
  let written = sprintf "(fun w' -> write_%s w' %s)" (arguments t service f) record in
  if f.oneway then
    ml o "    let %s client' %s = Thrift.Rpc.oneway client' %S %s\n" name formals f.func_name
      written
  else (
    ml o
      "    let %s client' %s =\n      let result' : %s = Thrift.Rpc.call client' %S %s read_%s in\n"
      name formals (result t service f) f.func_name written (result t service f);
    let success =
      match f.result with
      | None -> []
      | Some _ ->
          [
            {
              id = 0;
              requiredness = Optional;
              ty = Bool;
              name = "success";
              default = None;
              doc = "";
            };
          ]
    in
    let thrown = List.filteri (fun i _ -> i >= List.length success) (labels (success @ f.throws)) in
    List.iter
      (fun (x, label) ->
        ml o "      Option.iter (fun e -> raise (%s e)) result'.%s;\n" (exception_of t x) label)
      thrown;
    match f.result with
    | Some _ ->
        ml o
          "      if Option.is_some result'.success then Option.get result'.success else \
           Thrift.Rpc.no_result %S\n"
          f.func_name
    | None -> ml o "      ()\n")

let dispatch_case o t service (f, name) =
  let args = labels f.arguments in
  let actuals =
    if args = [] then "()"
    else String.concat " " (List.map (fun (_, l) -> sprintf "~%s:args'.%s" l l) args)
  in
  ml o "    | %S ->\n        let args' : %s = read_%s r in\n        ignore args';\n" f.func_name
    (arguments t service f) (arguments t service f);
  if f.oneway then ml o "        H.%s %s;\n        Option.some (fun _ -> ())\n" name actuals
  else
    let success = match f.result with None -> [] | Some _ -> [ "success" ] in
    let labels' =
      labels
        (List.map
           (fun n ->
             { id = 0; requiredness = Optional; ty = Bool; name = n; default = None; doc = "" })
           success
        @ f.throws)
    in
    let none_but given =
      record_ty (result t service f)
        (List.map
           (fun (_, l) ->
             if fst given = l then sprintf "%s = Option.some %s" l (snd given)
             else l ^ " = Option.none")
           labels')
    in
    let answer given =
      sprintf "Option.some (fun w -> write_%s w %s)" (result t service f) (none_but given)
    in
    ml o "        (match H.%s %s with\n        | %s -> %s\n" name actuals
      (if f.result = None then "()" else "v'")
      (answer ((if f.result = None then "" else "success"), "v'"));
    let thrown = List.filteri (fun i _ -> i >= List.length success) labels' in
    List.iter2
      (fun (x : field) (_, label) ->
        ml o "        | exception %s e' -> %s\n" (exception_of t x) (answer (label, "e'")))
      f.throws thrown;
    ml o "        )\n"

let service o t d parent l =
  opening o (modul t d.name) d.doc;
  let named = values l in
  both o "  module type S = sig\n";
  Option.iter (fun p -> both o "    include %s.S\n" (service_module t p)) parent;
  List.iter
    (fun (f, name) ->
      ml o "    val %s : %s\n" name (signature t f);
      mli o "%s    val %s : %s\n" (apart "    " f.func_doc) name (signature t f))
    named;
  both o "  end\n\n";
  mli o
    "  (** [dispatch (module H) name r] calls the method and returns what writes the reply; [None] \
     if there\n\
    \      is no such method. For {!Weir_thrift.Rpc.serve}. *)\n\
    \  val dispatch : (module S) -> string -> Thrift.Reader.t -> (Thrift.Writer.t -> unit) option\n\n";
  ml o "  let dispatch (module H : S) name' r =\n    match name' with\n";
  List.iter (dispatch_case o t d.name) named;
  (match parent with
  | Some p -> ml o "    | _ -> %s.dispatch (module H) name' r\n\n" (service_module t p)
  | None -> ml o "    | _ -> Option.none\n\n");
  mli o "  module Client : sig\n";
  ml o "  module Client = struct\n";
  Option.iter
    (fun p ->
      mli o "    include module type of struct include %s.Client end\n" (service_module t p);
      ml o "    include %s.Client\n" (service_module t p))
    parent;
  List.iter (client_call o t d.name) named;
  both o "  end\nend\n\n"

let definition o t d =
  match d.body with
  | Typedef _ -> ()
  | Enum _ -> enum o t d
  | Fields (shape, l) -> struct_ o t d shape l
  | Const (ty, _) ->
      mli o "%sval %s : %s\n\n" (Naming.doc "" d.doc) (Names.constant t.names d.name) (ocaml t ty)
  | Service (parent, l) -> service o t d parent l
