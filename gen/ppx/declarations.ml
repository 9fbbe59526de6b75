open Ppxlib
open Model

let error = Attrs.error
let value_name id suffix = if String.equal id "t" then suffix else id ^ "_" ^ suffix

type context = {
  own : (string * bool) list;  (** types of the group, and whether they are enums *)
  made : def list ref;  (** newest first *)
  id : string;
  full : string;
  vars : string list;
}

(* -- types of one value ---------------------------------------------------- *)

let scalar_of : longident -> scalar option = function
  | Lident "bool" | Ldot (Lident "Bool", "t") -> Some Bool
  | Lident "int" | Ldot (Lident "Int", "t") -> Some Int
  | Lident "int32" | Ldot (Lident "Int32", "t") -> Some Int32
  | Lident "int64" | Ldot (Lident "Int64", "t") -> Some Int64
  | Lident "uint32" | Ldot (Lident "Uint32", "t") -> Some Uint32
  | Lident "uint64" | Ldot (Lident "Uint64", "t") -> Some Uint64
  | Lident "float" | Ldot (Lident "Float", "t") -> Some Float
  | Lident "string" | Ldot (Lident "String", "t") -> Some String
  | Lident "bytes" | Ldot (Lident "Bytes", "t") -> Some Bytes
  | _ -> None

let usual : scalar -> encoding = function
  | Bool | Int -> Varint
  | Int32 | Uint32 -> Bits32
  | Int64 | Uint64 | Float -> Bits64
  | String | Bytes -> Blob

let may_be (s : scalar) (e : encoding) =
  match (s, e) with
  | Bool, Varint -> true
  | (Int | Int32 | Int64 | Uint32 | Uint64), (Varint | Zigzag | Bits32 | Bits64) -> true
  | Float, (Bits32 | Bits64) -> true
  | (String | Bytes), Blob -> true
  | (Bool | Int | Int32 | Int64 | Uint32 | Uint64 | Float | String | Bytes), _ -> false

let spelled t = Format.asprintf "%a" Pprintast.core_type (Attrs.without t)

let encoding_name = function
  | Varint -> "varint"
  | Zigzag -> "zigzag"
  | Bits32 -> "bits32"
  | Bits64 -> "bits64"
  | Blob -> "bytes"

let suffixed lid suffix =
  match lid with
  | Lident id -> Lident (value_name id suffix)
  | Ldot (m, id) -> Ldot (m, value_name id suffix)
  | Lapply _ as l -> l

(* A type as an argument of another: a message in any case. *)
let rec argument c t =
  match t.ptyp_desc with
  | Ptyp_var v -> Var v
  | Ptyp_constr ({ txt = Lident id; _ }, args) when List.mem_assoc id c.own ->
      Own (id, List.map (argument c) args)
  | Ptyp_constr ({ txt; _ }, []) when scalar_of txt <> None -> (
      match scalar_of txt with
      | Some (Uint32 | Uint64) | None -> unnamed t
      | Some s ->
          let id =
            match s with
            | Bool -> "bool"
            | Int -> "int"
            | Int32 -> "int32"
            | Int64 -> "int64"
            | Float -> "float"
            | String -> "string"
            | Bytes | Uint32 | Uint64 -> "bytes"
          in
          Other (Ldot (Ldot (Lident "Weir_protobuf", "Derived"), id ^ "_protobuf"), []))
  | Ptyp_constr ({ txt = Lident ("list" | "array" | "option"); _ }, _) -> unnamed t
  | Ptyp_constr ({ txt; _ }, args) -> Other (suffixed txt "protobuf", List.map (argument c) args)
  | _ -> unnamed t

and unnamed t =
  error ~loc:t.ptyp_loc
    "%s cannot be a type's argument: give it a name by a type definition that derives protobuf"
    (spelled t)

let no_bare attributes =
  match Attrs.bare attributes with
  | Some loc -> error ~loc "[@@bare] needs a variant whose constructors have no arguments"
  | None -> ()

let no_encoding attributes t =
  match Attrs.encoding attributes with
  | Some (e, loc) -> error ~loc "`%s is not an encoding of %s" (encoding_name e) (spelled t)
  | None -> ()

let scalar attributes t s =
  no_bare attributes;
  match Attrs.encoding attributes with
  | None -> Scalar (s, usual s)
  | Some (e, loc) ->
      if not (may_be s e) then
        error ~loc "`%s is not an encoding of %s" (encoding_name e) (spelled t);
      Scalar (s, e)

let named c attributes t (lid : longident) args =
  let bare = Attrs.bare attributes in
  (* The old library's way to say [@bare]. *)
  let bare =
    match Attrs.encoding attributes with
    | Some (Varint, loc) -> Some loc
    | Some (Blob, _) | None -> bare
    | Some _ ->
        no_encoding attributes t;
        bare
  in
  match (bare, lid, args) with
  | None, _, _ -> Message (argument c t)
  | Some loc, Lident id, _ when List.mem_assoc id c.own ->
      if not (List.assoc id c.own) then
        error ~loc "[@@bare] needs a variant whose constructors have no arguments: %s is none" id;
      Enum (Own_enum id)
  | Some _, _, [] -> Enum (Other_enum (suffixed lid "protobuf_bare"))
  | Some loc, _, _ -> error ~loc "[@@bare] needs a variant without parameters"

(* -- fields ---------------------------------------------------------------- *)

let packable = function
  | Scalar (_, (Varint | Zigzag | Bits32 | Bits64)) | Enum _ -> true
  | Scalar (_, Blob) | Message _ -> false

let check_packed count ty attributes =
  match Attrs.packed attributes with
  | None -> false
  | Some loc -> (
      match count with
      | (List | Array) when packable ty -> true
      | List | Array ->
          error ~loc "[@@packed] needs numbers or bare variants: messages and strings have lengths"
      | Required | Optional -> error ~loc "[@@packed] needs a list or an array")

let check_default count attributes =
  match (Attrs.default attributes, count) with
  | None, _ -> None
  | Some (e, _), Required -> Some e
  | Some (_, loc), (Optional | List | Array) ->
      error ~loc "[@@default] needs a plain field: options, lists and arrays have their own"

(* A name that a .proto file can have. *)
let proto_name s =
  String.map
    (fun c -> match c with 'a' .. 'z' | 'A' .. 'Z' | '0' .. '9' | '_' -> c | _ -> '_')
    s

(* The same of a path. *)
let dotted s = String.concat "." (List.map proto_name (String.split_on_char '.' s))

let plain_rows t rows closed =
  (match closed with
  | Closed -> ()
  | Open -> error ~loc:t.ptyp_loc "an open variant type has no protobuf mapping");
  List.map
    (fun row ->
      match row.prf_desc with
      | Rtag (l, true, []) -> (l.txt, None, row.prf_attributes, row.prf_loc)
      | Rtag (l, false, [ arg ]) -> (l.txt, Some arg, row.prf_attributes, row.prf_loc)
      | Rtag _ -> error ~loc:row.prf_loc "a conjunctive type has no protobuf mapping"
      | Rinherit _ ->
          error ~loc:row.prf_loc "an inherited variant has no keys: write its constructors out")
    rows

let rows_are_enum rows =
  List.for_all (fun r -> match r.prf_desc with Rtag (_, _, []) -> true | _ -> false) rows

let rec field c ~name ~label ~key ~count attributes t =
  match t.ptyp_desc with
  | Ptyp_constr ({ txt = Lident (("option" | "list" | "array") as box); _ }, [ inner ])
    when not (List.mem_assoc box c.own) ->
      if count <> Required then
        error ~loc:t.ptyp_loc
          "%s within a list, array or option has no protobuf mapping: give it a name by a type \
           definition that derives protobuf"
          (spelled t);
      let count : count =
        match box with "option" -> Optional | "list" -> List | _ -> Array
      in
      field c ~name ~label ~key ~count (attributes @ inner.ptyp_attributes) inner
  | Ptyp_alias (inner, _) ->
      field c ~name ~label ~key ~count (attributes @ inner.ptyp_attributes) inner
  | _ -> (
      let ty = one_value c ~label attributes t in
      match (Attrs.key attributes, key) with
      | Some key, _ | None, Some key ->
          {
            name = proto_name name;
            label;
            key;
            count;
            packed = check_packed count ty attributes;
            ty;
            default = check_default count attributes;
            core = Attrs.without t;
            loc = t.ptyp_loc;
          }
      | None, None -> error ~loc:t.ptyp_loc "field %s needs a key, as in [@@key 1]" name)

and one_value c ~label attributes t =
  match t.ptyp_desc with
  | Ptyp_constr ({ txt = Lident id; _ }, args) when List.mem_assoc id c.own ->
      named c attributes t (Lident id) args
  | Ptyp_constr ({ txt; _ }, args) -> (
      match (scalar_of txt, args) with
      | Some s, [] -> scalar attributes t s
      | _ -> named c attributes t txt args)
  | Ptyp_var v ->
      no_encoding attributes t;
      no_bare attributes;
      Message (Var v)
  | Ptyp_tuple parts ->
      no_encoding attributes t;
      no_bare attributes;
      let within = inner c label in
      make within t (Fields (Tuple, tuple within parts));
      Message (Own (within.id, List.map (fun v -> Var v) c.vars))
  | Ptyp_variant (rows, closed, _) ->
      no_encoding attributes t;
      let within = inner c label in
      make within t (Cases (cases within ~poly:true t (plain_rows t rows closed)));
      if Attrs.bare attributes = None then
        Message (Own (within.id, List.map (fun v -> Var v) c.vars))
      else (
        if not (rows_are_enum rows) then no_bare attributes;
        Enum (Own_enum within.id))
  | _ -> error ~loc:t.ptyp_loc "%s has no protobuf mapping" (spelled t)

and inner c label =
  { c with id = c.id ^ "__" ^ label; full = c.full ^ "._" ^ proto_name label }

and make c t shape =
  c.made :=
    {
      id = c.id;
      full_name = c.full;
      params = c.vars;
      core_type = Attrs.without t;
      shape;
      written = false;
      def_loc = t.ptyp_loc;
    }
    :: !(c.made)

and tuple c parts =
  List.mapi
    (fun i t ->
      let name = Printf.sprintf "_%d" i in
      field c ~name ~label:(string_of_int i) ~key:(Some (i + 1)) ~count:Required
        t.ptyp_attributes t)
    parts
  |> distinct

(* -- variants -------------------------------------------------------------- *)

and cases c ~poly self rows =
  List.map
    (fun (constructor, arg, attributes, loc) ->
      let key = case_key attributes loc constructor in
      let make_case content = { constructor; poly; labels = false; case_key = key; content; case_loc = loc } in
      match arg with
      | None -> make_case Constant
      | Some { ptyp_desc = Ptyp_tuple parts; ptyp_attributes = []; _ } ->
          payload c (make_case Constant) self parts
      | Some t -> make_case (one_payload c key constructor t))
    rows
  |> distinct_cases

and case_key attributes loc constructor =
  Attrs.unused attributes [ "encoding"; "bare"; "packed"; "default" ];
  match Attrs.key attributes with
  | Some key -> key
  | None -> error ~loc "constructor %s needs a key, as in [@@key 1]" constructor

and one_payload c key constructor t =
  Attrs.check_key ~loc:t.ptyp_loc (key + 1);
  Attrs.unused t.ptyp_attributes [ "key"; "default" ];
  One
    (field c ~name:constructor ~label:constructor ~key:(Some (key + 1)) ~count:Required
       t.ptyp_attributes t)

and payload c case t parts =
  let within = inner c case.constructor in
  finish_payload c within case t (tuple within parts)

(* The payload's reader gives the whole variant: no tuple on the way. *)
and finish_payload c within case t fields =
  Attrs.check_key ~loc:case.case_loc (case.case_key + 1);
  let case = { case with content = Many (within.id, fields) } in
  make { within with vars = c.vars } t (Fields (Payload case, fields));
  case

and distinct fields =
  let rec check = function
    | [] -> ()
    | f :: rest ->
        List.iter
          (fun g ->
            if g.key = f.key then
              error ~loc:g.loc "key %d is already that of %s, line %d" g.key f.name
                f.loc.loc_start.pos_lnum)
          rest;
        check rest
  in
  check fields;
  let fields = List.sort (fun a b -> Int.compare a.key b.key) fields in
  let names = Hashtbl.create 8 in
  List.map
    (fun f ->
      let name = if Hashtbl.mem names f.name then Printf.sprintf "%s_%d" f.name f.key else f.name in
      Hashtbl.add names name ();
      { f with name })
    fields

and distinct_cases cases =
  let rec check = function
    | [] -> ()
    | c :: rest ->
        List.iter
          (fun d ->
            if d.case_key = c.case_key then
              error ~loc:d.case_loc "key %d is already that of %s, line %d" d.case_key c.constructor
                c.case_loc.loc_start.pos_lnum)
          rest;
        check rest
  in
  check cases;
  cases

(* -- declarations ---------------------------------------------------------- *)

let record c labels =
  List.map
    (fun l ->
      field c ~name:l.pld_name.txt ~label:l.pld_name.txt ~key:None ~count:Required
        (l.pld_attributes @ l.pld_type.ptyp_attributes)
        l.pld_type)
    labels
  |> distinct

let constructor c self d =
  (match (d.pcd_res, d.pcd_vars) with
  | None, [] -> ()
  | _ -> error ~loc:d.pcd_loc "a generalised constructor has no protobuf mapping");
  let key = case_key d.pcd_attributes d.pcd_loc d.pcd_name.txt in
  let case =
    {
      constructor = d.pcd_name.txt;
      poly = false;
      labels = false;
      case_key = key;
      content = Constant;
      case_loc = d.pcd_loc;
    }
  in
  match d.pcd_args with
  | Pcstr_tuple [] -> case
  | Pcstr_tuple [ ({ ptyp_desc = Ptyp_tuple parts; ptyp_attributes = []; _ }) ] ->
      payload c case self parts
  | Pcstr_tuple [ t ] -> { case with content = one_payload c key case.constructor t }
  | Pcstr_tuple parts -> payload c case self parts
  | Pcstr_record labels ->
      let within = inner c case.constructor in
      finish_payload c within { case with labels = true } self (record within labels)

let parameters d =
  List.mapi
    (fun i (t, _) ->
      match t.ptyp_desc with Ptyp_var v -> v | _ -> Printf.sprintf "weir_%d" i)
    d.ptype_params

let declares_enum d =
  match (d.ptype_kind, d.ptype_manifest) with
  | Ptype_variant cs, _ -> List.for_all (fun c -> c.pcd_args = Pcstr_tuple []) cs
  | Ptype_abstract, Some { ptyp_desc = Ptyp_variant (rows, Closed, _); _ } -> rows_are_enum rows
  | _ -> false

let shape c self d =
  match (d.ptype_kind, d.ptype_manifest) with
  | Ptype_record labels, _ -> Fields (Record, record c labels)
  | Ptype_variant [], _ -> error ~loc:d.ptype_loc "an empty variant has no values"
  | Ptype_variant constructors, _ ->
      Cases (distinct_cases (List.map (constructor c self) constructors))
  | Ptype_open, _ -> error ~loc:d.ptype_loc "an extensible type has no protobuf mapping"
  | Ptype_abstract, None -> error ~loc:d.ptype_loc "an abstract type has no protobuf mapping"
  | Ptype_abstract, Some { ptyp_desc = Ptyp_tuple parts; _ } -> Fields (Tuple, tuple c parts)
  | Ptype_abstract, Some ({ ptyp_desc = Ptyp_variant (rows, closed, _); _ } as t) ->
      Cases (cases c ~poly:true self (plain_rows t rows closed))
  | Ptype_abstract, Some t ->
      Fields
        ( Alias,
          [
            field c ~name:"_" ~label:"value" ~key:(Some 1) ~count:Required t.ptyp_attributes t;
          ] )

let declaration ~path ~own made d =
  if d.ptype_cstrs <> [] then
    error ~loc:d.ptype_loc "a type with constraints has no protobuf mapping";
  let id = d.ptype_name.txt in
  let full = if path = "" then id else path ^ "." ^ id in
  let vars = parameters d in
  let c = { own; made; id; full = dotted full; vars } in
  let loc = { d.ptype_loc with loc_ghost = true } in
  let self =
    Ast_builder.Default.(
      ptyp_constr ~loc { txt = Lident id; loc } (List.map (ptyp_var ~loc) vars))
  in
  let shape = shape c self d in
  made :=
    {
      id;
      full_name = c.full;
      params = vars;
      core_type = self;
      shape;
      written = true;
      def_loc = d.ptype_loc;
    }
    :: !made

let group ~path rec_flag declarations =
  let own =
    match rec_flag with
    | Nonrecursive -> []
    | Recursive -> List.map (fun d -> (d.ptype_name.txt, declares_enum d)) declarations
  in
  let made = ref [] in
  List.iter (declaration ~path ~own made) declarations;
  { defs = List.rev !made; path }
