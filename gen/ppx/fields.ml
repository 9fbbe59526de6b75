open Ppxlib
open Model
open Value_types

let error = Attrs.error

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
      let count : count = match box with "option" -> Optional | "list" -> List | _ -> Array in
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
            core =
              (if c.hidden then Ast_builder.Default.ptyp_any ~loc:t.ptyp_loc else Attrs.without t);
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

(* As [type argument = t] would be. *)
and place c t =
  let within = inner c (Printf.sprintf "argument_%d" (List.length !(c.made))) in
  let shape =
    match t.ptyp_desc with
    | Ptyp_tuple parts -> Fields (Tuple, tuple within parts)
    | Ptyp_variant (rows, closed, _) -> Cases (cases within ~poly:true t (plain_rows t rows closed))
    | _ ->
        let key = Some 1 and count : count = Required in
        Fields (Alias, [ field within ~name:"_" ~label:"value" ~key ~count t.ptyp_attributes t ])
  in
  make within t shape;
  Own (within.id, List.map (fun v -> Var v) c.vars)

and inner c label = { c with id = c.id ^ "__" ^ label; full = c.full ^ "._" ^ proto_name label }

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
      field c ~name ~label:(string_of_int i) ~key:(Some (i + 1)) ~count:Required t.ptyp_attributes t)
    parts
  |> distinct

(* -- variants -------------------------------------------------------------- *)

and cases c ~poly self rows =
  List.map
    (fun (constructor, arg, attributes, loc) ->
      let key = case_key attributes loc constructor in
      let make_case content =
        { constructor; poly; labels = false; case_key = key; content; case_loc = loc }
      in
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
    (field c ~name:constructor ~label:constructor
       ~key:(Some (key + 1))
       ~count:Required t.ptyp_attributes t)

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
