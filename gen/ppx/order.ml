open Ppxlib
module B = Ast_builder.Default

let rec name_of p =
  match p.ppat_desc with
  | Ppat_var { txt; _ } -> txt
  | Ppat_constraint (p, _) -> name_of p
  | _ -> invalid_arg "Order.items"

let names_in =
  object
    inherit [string list] Ast_traverse.fold as super

    method! expression e acc =
      match e.pexp_desc with
      | Pexp_ident { txt = Lident name; _ } -> name :: acc
      | _ -> super#expression e acc
  end

type node = {
  binding : value_binding;
  needs : string list;
  mutable index : int;  (** 0 until visited *)
  mutable low : int;
  mutable waiting : bool;
}

let nodes bindings =
  let table = Hashtbl.create 64 in
  List.iter
    (fun b ->
      let needs = List.sort_uniq String.compare (names_in#expression b.pvb_expr []) in
      Hashtbl.replace table (name_of b.pvb_pat)
        { binding = b; needs; index = 0; low = 0; waiting = false })
    bindings;
  table

(* Tarjan's strongly connected components: they come out in the order wanted. *)
let components bindings =
  let table = nodes bindings in
  let stack = ref [] and count = ref 0 and found = ref [] in
  let rec take node acc =
    match !stack with
    | top :: rest ->
        stack := rest;
        top.waiting <- false;
        if top == node then top :: acc else take node (top :: acc)
    | [] -> acc
  in
  let rec visit node =
    incr count;
    node.index <- !count;
    node.low <- !count;
    node.waiting <- true;
    stack := node :: !stack;
    List.iter
      (fun name ->
        match Hashtbl.find_opt table name with
        | Some other when other.index = 0 ->
            visit other;
            node.low <- min node.low other.low
        | Some other when other.waiting -> node.low <- min node.low other.index
        | Some _ | None -> ())
      node.needs;
    if node.low = node.index then found := take node [] :: !found
  in
  List.iter
    (fun b ->
      let node = Hashtbl.find table (name_of b.pvb_pat) in
      if node.index = 0 then visit node)
    bindings;
  List.rev !found

let never loc = B.attribute ~loc ~name:{ txt = "inline"; loc } ~payload:(PStr [ [%stri never] ])

let item ~large component =
  match component with
  | [ { binding = b; needs; _ } ] when not (List.mem (name_of b.pvb_pat) needs) ->
      let loc = b.pvb_loc in
      let b =
        match b.pvb_expr.pexp_desc with
        | Pexp_function _ when large (name_of b.pvb_pat) ->
            { b with pvb_attributes = [ never loc ] }
        | _ -> b
      in
      B.pstr_value ~loc Nonrecursive [ b ]
  | nodes ->
      let bindings = List.map (fun n -> n.binding) nodes in
      B.pstr_value ~loc:(List.hd bindings).pvb_loc Recursive bindings

let items ~large bindings = List.map (item ~large) (components bindings)
