open Schema

type group = { names : string list; recursive : bool }

let is_message schema name =
  match Schema.message schema name with _ -> true | exception Failure _ -> false

let modules schema name =
  if is_message schema name then (Schema.message schema name).modules
  else (Schema.enum schema name).enum_modules

let home schema name =
  if is_message schema name then (Schema.message schema name).home
  else (Schema.enum schema name).enum_home

let kinds f = match f.shape with Map (k, v) -> [ k; v ] | _ -> [ f.kind ]
let named = function Scalar _ | Slice _ -> [] | Enum n | Message n | Delimited n -> [ n ]

(* All that a message and those within it refer to: (from, to) module paths. *)
let rec references schema name =
  if not (is_message schema name) then []
  else
    let m = Schema.message schema name in
    let of_field f = List.concat_map named (kinds f) in
    let of_extension x = x.extendee :: of_field x.field in
    let direct =
      List.concat_map of_field (Schema.fields m) @ List.concat_map of_extension m.extensions
    in
    let direct = List.filter (fun n -> home schema n = m.home) direct in
    List.map (fun n -> (m.modules, modules schema n)) direct
    @ List.concat_map (references schema) m.nested

let rec is_prefix a b =
  match (a, b) with [], _ -> true | x :: a, y :: b -> x = y && is_prefix a b | _ :: _, [] -> false

(* Strong components, in order of dependence (Tarjan). *)
let components nodes successors =
  let index = Hashtbl.create 16 and low = Hashtbl.create 16 in
  let stack = ref [] and count = ref 0 and out = ref [] in
  let rec visit v =
    Hashtbl.add index v !count;
    Hashtbl.add low v !count;
    incr count;
    stack := v :: !stack;
    List.iter
      (fun w ->
        if not (Hashtbl.mem index w) then (
          visit w;
          Hashtbl.replace low v (min (Hashtbl.find low v) (Hashtbl.find low w)))
        else if List.mem w !stack then
          Hashtbl.replace low v (min (Hashtbl.find low v) (Hashtbl.find index w)))
      (successors v);
    if Hashtbl.find low v = Hashtbl.find index v then
      let rec pop acc =
        match !stack with
        | w :: rest ->
            stack := rest;
            if w = v then w :: acc else pop (w :: acc)
        | [] -> acc
      in
      out := pop [] :: !out
  in
  List.iter (fun v -> if not (Hashtbl.mem index v) then visit v) nodes;
  List.rev !out

let of_file schema (file : Schema.file) =
  let head name = List.hd (modules schema name) in
  let by_head = Hashtbl.create 16 in
  List.iter (fun n -> Hashtbl.replace by_head (head n) n) file.top;
  let outside name =
    List.filter_map
      (fun (_, target) ->
        if List.hd target = head name then None else Hashtbl.find_opt by_head (List.hd target))
      (references schema name)
  in
  (* From a nested module, a name above or beside it is out of reach. *)
  let reaches_out name =
    List.exists
      (fun (from, target) ->
        List.hd target = head name && not (from = target || is_prefix from target))
      (references schema name)
  in
  List.map
    (fun names -> { names; recursive = List.length names > 1 || List.exists reaches_out names })
    (components file.top outside)

(* A function that stands behind its callers in a recursive group is not
   expanded into them, which would make a chain of messages quadratic. *)
let callers_first (messages : message list) =
  let by_name = Hashtbl.create 16 and seen = Hashtbl.create 16 in
  List.iter (fun (m : message) -> Hashtbl.replace by_name m.full_name m) messages;
  let rec visit later (m : message) =
    if Hashtbl.mem seen m.full_name then later
    else (
      Hashtbl.add seen m.full_name ();
      let called = List.concat_map (fun f -> List.concat_map named (kinds f)) (Schema.fields m) in
      m :: List.fold_left visit later (List.filter_map (Hashtbl.find_opt by_name) called))
  in
  List.fold_left visit [] messages

type layer = { messages : message list; cyclic : bool }

let layers (messages : message list) =
  let by_name = Hashtbl.create 16 in
  List.iter (fun (m : message) -> Hashtbl.replace by_name m.full_name m) messages;
  let fields_of name =
    let called f = List.concat_map named (kinds f) in
    let all = List.concat_map called (Schema.fields (Hashtbl.find by_name name)) in
    List.filter (Hashtbl.mem by_name) all
  in
  let layer names =
    let cyclic = match names with [ one ] -> List.mem one (fields_of one) | _ -> true in
    { messages = callers_first (List.map (Hashtbl.find by_name) names); cyclic }
  in
  List.map layer (components (List.map (fun (m : message) -> m.full_name) messages) fields_of)
