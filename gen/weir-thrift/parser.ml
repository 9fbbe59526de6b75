open Idl
open Lexer

type state = { mutable rest : Lexer.t list }

let peek p = match p.rest with t :: _ -> t | [] -> { token = End; line = 0; doc = "" }

let next p =
  match p.rest with
  | [] -> { token = End; line = 0; doc = "" }
  | t :: rest ->
      if rest <> [] then p.rest <- rest;
      t

let show = function
  | Word w -> w
  | Integer n -> Int64.to_string n
  | Decimal f -> string_of_float f
  | Literal s -> Printf.sprintf "%S" s
  | Sign c -> String.make 1 c
  | End -> "the end of the file"

let error (t : Lexer.t) want =
  raise (Error (t.line, Printf.sprintf "%s expected, not %s" want (show t.token)))

let is p token = (peek p).token = token

let accept p token =
  let yes = is p token in
  if yes then ignore (next p);
  yes

let sign p c = if not (accept p (Sign c)) then error (peek p) (String.make 1 c)
let word p = match next p with { token = Word w; _ } -> w | t -> error t "a name"
let literal p = match next p with { token = Literal s; _ } -> s | t -> error t "a string"
let separator p = if not (accept p (Sign ',')) then ignore (accept p (Sign ';'))

(* Everything between { and }. *)
let block p item =
  sign p '{';
  let rec go acc = if accept p (Sign '}') then List.rev acc else go (item p :: acc) in
  go []

(* (name = "value", ...): of no use here. *)
let annotations p =
  if accept p (Sign '(') then
    while not (accept p (Sign ')')) do
      if is p End then error (peek p) ")";
      ignore (next p)
    done

let base = function
  | "bool" -> Some Bool
  | "byte" | "i8" -> Some I8
  | "i16" -> Some I16
  | "i32" -> Some I32
  | "i64" -> Some I64
  | "double" -> Some Double
  | "string" | "binary" | "slist" -> Some String
  | "uuid" -> Some Uuid
  | _ -> None

let rec ty p =
  let cpp_type () = if accept p (Word "cpp_type") then ignore (literal p) in
  let inside f =
    sign p '<';
    let t = f () in
    sign p '>';
    t
  in
  let t =
    match word p with
    | "list" ->
        cpp_type ();
        let t = inside (fun () -> List (ty p)) in
        cpp_type ();
        t
    | "set" ->
        cpp_type ();
        inside (fun () -> Set (ty p))
    | "map" ->
        cpp_type ();
        inside (fun () ->
            let k = ty p in
            sign p ',';
            Map (k, ty p))
    | w -> ( match base w with Some t -> t | None -> Named w)
  in
  annotations p;
  t

let rec const p =
  match next p with
  | { token = Integer n; _ } -> Int n
  | { token = Decimal f; _ } -> Float f
  | { token = Literal s; _ } -> Text s
  | { token = Word w; _ } -> Name w
  | { token = Sign '['; _ } ->
      let rec go acc =
        if accept p (Sign ']') then Sequence (List.rev acc)
        else
          let c = const p in
          separator p;
          go (c :: acc)
      in
      go []
  | { token = Sign '{'; _ } ->
      let rec go acc =
        if accept p (Sign '}') then Pairs (List.rev acc)
        else
          let k = const p in
          sign p ':';
          let v = const p in
          separator p;
          go ((k, v) :: acc)
      in
      go []
  | t -> error t "a constant"

(* Fields without an id get the negative ones, from -1 down, as the reference compiler gives them. *)
let rec field implicit p =
  let doc = (peek p).doc in
  let id =
    match (peek p).token with
    | Integer n ->
        ignore (next p);
        sign p ':';
        if n < -32768L || n > 32767L then error (peek p) "a field id of 16 bits";
        Int64.to_int n
    | _ ->
        decr implicit;
        !implicit
  in
  let requiredness =
    if accept p (Word "required") then Required
    else if accept p (Word "optional") then Optional
    else Default
  in
  let ty = ty p in
  ignore (accept p (Sign '&'));
  let name = word p in
  let default = if accept p (Sign '=') then Some (const p) else None in
  xsd p;
  annotations p;
  separator p;
  { id; requiredness; ty; name; default; doc }

(* What says how a field stands in XML schemas, of no use here. *)
and xsd p =
  ignore (accept p (Word "xsd_optional"));
  ignore (accept p (Word "xsd_nillable"));
  if accept p (Word "xsd_attrs") then ignore (block p (field (ref 0)))

let check_fields line l =
  let ids = List.map (fun (f : field) -> f.id) l in
  if List.length (List.sort_uniq compare ids) <> List.length ids then
    raise (Error (line, "two fields have the same id"));
  l

let fields p item =
  let line = (peek p).line in
  check_fields line (item (field (ref 0)))

let parenthesised p item =
  sign p '(';
  let rec go acc = if accept p (Sign ')') then List.rev acc else go (item p :: acc) in
  go []

let func p =
  let func_doc = (peek p).doc in
  let oneway = accept p (Word "oneway") || accept p (Word "async") in
  let result = if accept p (Word "void") then None else Some (ty p) in
  let func_name = word p in
  let arguments = fields p (parenthesised p) in
  let throws = if accept p (Word "throws") then fields p (parenthesised p) else [] in
  annotations p;
  separator p;
  { func_name; oneway; result; arguments; throws; func_doc }

let enum p =
  let previous = ref (-1) in
  block p (fun p ->
      let doc = (peek p).doc in
      let name = word p in
      if accept p (Sign '=') then
        match next p with
        | { token = Integer n; _ } -> previous := Int64.to_int n
        | t -> error t "a number"
      else incr previous;
      annotations p;
      separator p;
      (name, !previous, doc))

let definition p =
  let t = next p in
  let named f =
    let name = word p in
    { name; doc = t.doc; body = f () }
  in
  let members () =
    ignore (accept p (Word "xsd_all"));
    fields p (block p)
  in
  let d =
    match t.token with
    | Word "typedef" ->
        let ty = ty p in
        named (fun () -> Typedef ty)
    | Word "enum" -> named (fun () -> Enum (enum p))
    | Word "struct" -> named (fun () -> Fields (Struct, members ()))
    | Word "union" -> named (fun () -> Fields (Union, members ()))
    | Word "exception" -> named (fun () -> Fields (Exception, fields p (block p)))
    | Word "const" ->
        let ty = ty p in
        named (fun () ->
            sign p '=';
            Const (ty, const p))
    | Word "service" ->
        named (fun () ->
            let parent = if accept p (Word "extends") then Some (word p) else None in
            Service (parent, block p func))
    | _ -> error t "a definition"
  in
  annotations p;
  separator p;
  d

let file s =
  let p = { rest = Lexer.tokens s } in
  let file_doc = (peek p).doc in
  let rec headers includes =
    match (peek p).token with
    | Word "include" ->
        ignore (next p);
        headers (literal p :: includes)
    | Word ("cpp_include" | "php_namespace" | "xsd_namespace") ->
        ignore (next p);
        ignore (literal p);
        headers includes
    | Word "namespace" ->
        ignore (next p);
        ignore (next p);
        ignore (next p);
        annotations p;
        headers includes
    | _ -> List.rev includes
  in
  let includes = headers [] in
  let rec all acc = if is p End then List.rev acc else all (definition p :: acc) in
  { includes; definitions = all []; file_doc }
