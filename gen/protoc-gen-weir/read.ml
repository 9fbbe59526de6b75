open Schema
open Printf
open Read_value

let local = Locals.name

(* With a quote, as no field's name has one. *)
let block label = label ^ "'block"
let more label = label ^ "'more"

(* A case of the match: tag, what is done. *)
let arm o tag comment body =
  Out.packed o (fun o ->
      Out.line o "| %d (* %s *) ->" tag comment;
      body o)

let lines o = List.iter (fun l -> Out.line o "%s" l)

let plain_arm o f wire v ~store =
  arm o (tag f wire) f.proto_name (fun o ->
      lines o v.before;
      Out.line o "pos := %s;" v.next;
      Out.line o "%s" (store v.value))

(* A closed enum's unknown value is kept as an unknown field. *)
let closed_arm p o f name ~store =
  arm o (tag f 0) f.proto_name (fun o ->
      Out.line o "pos := p;";
      Out.line o "(match %s.of_int_opt (D.signed v) with" (Ocaml.enum_module p name);
      Out.line o "| Some v -> %s" (store "v");
      Out.line o "| None -> %s)" (if p.keeps then "kept := D.keep !kept start !pos" else "()"))

let store_arm p o f ~init ~store =
  match f.kind with
  | Enum name when is_closed p f.kind -> closed_arm p o f name ~store
  | kind -> plain_arm o f (wire_type kind) (value p ~number:f.number ~init kind) ~store

let packed_name (k : Weir_protobuf.Descriptor.kind) =
  match k with
  | Int32 -> "int32"
  | Uint32 -> "uint32"
  | Sint32 -> "sint32"
  | Bool -> "bool"
  | Int64 | Uint64 -> "int64"
  | Sint64 -> "sint64"
  | Fixed32 -> "fixed32"
  | Sfixed32 -> "sfixed32"
  | Float -> "float"
  | Fixed64 | Sfixed64 -> "fixed64"
  | Double -> "double"
  | String | Bytes | Raw_string | Enum _ | Message _ | Delimited _ -> assert false

let packed_arm p o f =
  let name = local p f.label in
  arm o (tag f 2) (f.proto_name ^ ", packed") (fun o ->
      lines o [ "let stop = D.block s p v limit depth in"; "pos := stop;" ];
      match f.kind with
      | Scalar k ->
          Out.line o "%s := List.rev_append !%s !%s;" name (block name) name;
          Out.line o "%s := N'.read_%s s p stop" (block name) (packed_name k)
      | Enum e when is_closed p f.kind ->
          Out.line o "List.iter";
          Out.line o "  (fun v ->";
          Out.line o "    match %s.of_int_opt v with" (Ocaml.enum_module p e);
          Out.line o "    | Some v -> %s := v :: !%s" name name;
          if p.keeps then Out.line o "    | None -> kept := D.keep_varint !kept %d v)" f.number
          else Out.line o "    | None -> ())";
          Out.line o "  (N'.read_int32 s p stop)"
      | Enum e ->
          Out.line o "%s := List.rev_append !%s !%s;" name (block name) name;
          Out.line o "%s := List.map %s.of_int (N'.read_int32 s p stop)" (block name)
            (Ocaml.enum_module p e)
      | Slice _ | Message _ | Delimited _ -> assert false)

let has_block p f =
  (match f.shape with Repeated | Packed -> true | _ -> false)
  && (not (is_closed p f.kind))
  &&
  match f.kind with
  | Scalar k -> Weir_protobuf.Descriptor.packable k
  | Enum _ -> true
  | Slice _ | Message _ | Delimited _ -> false

(* What the runtime calls the reader of a text, which also has ones that make an option or a list of
   it, so that nothing is allocated here. *)
let runtime_text f =
  match f.kind with
  | Scalar String -> Some "string"
  | Scalar (Bytes | Raw_string) -> Some "raw"
  | Scalar _ | Slice _ | Enum _ | Message _ | Delimited _ -> None

let repeated_arms p o f =
  let name = local p f.label in
  let store v =
    if has_block p f then
      sprintf "%s := %s :: List.rev_append !%s !%s;\n          %s := []" name v (block name) name
        (block name)
    else sprintf "%s := %s :: !%s" name v name
  in
  let init =
    match f.kind with
    | Message n | Delimited n -> Ocaml.default_message p n
    | Scalar _ | Slice _ | Enum _ -> ""
  in
  (match runtime_text f with
  | Some text ->
      plain_arm o f 2
        { before = []; value = sprintf "D.add_%s s p v limit !%s" text name; next = "p + v" }
        ~store:(sprintf "%s := %s" name)
  | None -> store_arm p o f ~init ~store);
  if has_block p f || is_closed p f.kind then packed_arm p o f

(* What was read is added in place. *)
let array_arms p o f =
  let name = local p f.label in
  store_arm p o (Array_field.element f) ~init:"" ~store:(Array_field.add f name);
  arm o (tag f 2) (f.proto_name ^ ", packed") (fun o ->
      Out.line o "let stop = A'.block %s s p v limit depth in" name;
      Out.line o "pos := stop;";
      Out.line o "%s" (Array_field.add_packed f name ~packed:packed_name))

let map_arm p o m f v =
  let name = local p f.label in
  arm o (tag f 2) f.proto_name (fun o ->
      lines o [ "let stop = D.enter s p v limit depth in"; "pos := stop;" ];
      let call = sprintf "%s s p stop (depth - 1)" (Ocaml.entries "read" m f) in
      if is_closed p v then (
        Out.line o "(match %s with" call;
        Out.line o "| Some entry -> %s := entry :: !%s" name name;
        Out.line o "| None -> %s)" (if p.keeps then "kept := D.keep !kept start stop" else "()"))
      else Out.line o "%s := %s :: !%s" name call name)

(* Required fields are counted off in words of 60 bits. *)
let seen_word i = if i < 60 then "seen" else sprintf "seen'%d" (i / 60)

(* A message: where none was [before], [store] what is read; one that comes
   again is noted, to be read at the end. *)
let message_arm p o f ~before ~more ~store =
  let init = Ocaml.default_message p (message_name f.kind) in
  let wire = wire_type f.kind in
  let v = value p ~number:f.number ~init f.kind in
  let from = if wire = 3 then "from" else "p" in
  arm o (tag f wire) f.proto_name (fun o ->
      lines o v.before;
      Out.line o "pos := %s;" v.next;
      Out.line o "if %s then %s := D.again !%s s %s stop depth" before more more from;
      Out.line o "else %s" (store v.value))

let singular_arm p o m f ~required =
  let name = local p f.label in
  let option = Ocaml.is_option p m f in
  let seen =
    match required with
    | None -> ""
    | Some i ->
        sprintf ";\n          %s := !%s lor 0x%x" (seen_word i) (seen_word i) (1 lsl (i mod 60))
  in
  let store v = sprintf "%s := %s%s" name (if option then sprintf "Some (%s)" v else v) seen in
  let store v = if seen <> "" then "(" ^ store v ^ ")" else store v in
  if is_message f.kind then
    let before =
      if option then sprintf "Option.is_some !%s" name
      else sprintf "!%s != %s" name (Ocaml.default_message p (message_name f.kind))
    in
    message_arm p o f ~before ~more:(more name) ~store
  else
    match runtime_text f with
    | Some text when option && seen = "" ->
        plain_arm o f 2
          { before = []; value = sprintf "D.some_%s s p v limit" text; next = "p + v" }
          ~store:(sprintf "%s := %s" name)
    | _ -> store_arm p o f ~init:"" ~store

(* A reader to be handed over. One of the recursion that is being defined is called, as the compiler
   would else make closures of all of them. *)
let reader_value p name =
  let reader = Ocaml.reader p name in
  if p.Ocaml.cycle name then sprintf "(fun m s p l d -> %s m s p l d)" reader else reader

let has_message_case oneof = List.exists (fun f -> is_message f.kind) oneof.cases

let case_arm p o oneof f c =
  let name = local p oneof.oneof_label in
  let type_name = Body.oneof_type Flat oneof in
  let set v = sprintf "%s := Some (%s (%s) : %s)" name c v type_name in
  let store v =
    if has_message_case oneof then sprintf "(%s := D.nothing; %s)" (more name) (set v) else set v
  in
  if is_message f.kind then
    let before = sprintf "(match !%s with Some (%s _) -> true | _ -> false)" name c in
    message_arm p o f ~before ~more:(more name) ~store
  else store_arm p o f ~init:"" ~store

(* From [pos]: the [tag]; [from] behind it; the number there, [v], of a varint or
   of a block its length; [p] behind that. *)
let loop_head o =
  lines o
    [
      "let pos = ref pos in";
      "while !pos < limit do";
      "  let start = !pos in let tag = ref (D.byte s start) and from = ref (start + 1) in";
      "  if !tag >= 128 then (let t = D.long s start limit in tag := D.value t; from := D.behind \
       start t);";
      "  let tag = !tag and from = !from in let v = ref (D.byte s from) and p = ref (from + 1) in";
      "  if !v >= 128 || !p > limit then (let n = D.number s from limit tag in v := D.value n; p \
       := D.behind from n);";
      "  let v = !v and p = !p in match tag with";
    ]

let entry_side p o ~number ~closed kind name =
  let init = if is_message kind then Ocaml.default_message p (message_name kind) else "" in
  let r = value p ~number ~init kind in
  Out.packed o @@ fun o ->
  Out.line o "  | %d ->" ((number lsl 3) lor wire_type kind);
  List.iter (Out.line o "      %s") r.before;
  Out.line o "      pos := %s;" r.next;
  match kind with
  | Enum e when closed ->
      Out.line o "      %s := %s.of_int_opt (D.signed v)" name (Ocaml.enum_module p e)
  | Message _ | Delimited _ ->
      Out.line o "      if !%s != %s then more := D.again !more s p stop depth" name init;
      Out.line o "      else %s := %s" name r.value
  | Scalar _ | Slice _ | Enum _ -> Out.line o "      %s := %s" name r.value

let entry_reader p o m f k v =
  let closed = is_closed p v in
  Out.line o "and %s s pos limit depth =" (Ocaml.entries "read" m f);
  Out.indented o (fun () ->
      Out.line o "let key = ref %s and value = ref %s%s in" (Ocaml.zero p k)
        (if closed then sprintf "(Some %s)" (Ocaml.zero p v) else Ocaml.zero p v)
        (if is_message v then " and more = ref D.nothing" else "");
      loop_head o;
      entry_side p o ~number:1 ~closed:false k "key";
      entry_side p o ~number:2 ~closed v "value";
      Out.line o "  | tag -> pos := D.skip s tag from limit depth";
      Out.line o "done;";
      if closed then Out.line o "Option.map (fun value -> (!key, value)) !value"
      else if is_message v then
        Out.line o "(!key, D.merged %s !value s !more depth)" (reader_value p (message_name v))
      else Out.line o "(!key, !value)");
  Out.blank o

let locals p o m =
  let wide = p.Ocaml.wide in
  Locals.define p o (fun p collect ->
      let define name value = collect name ("ref " ^ value) in
      List.iter
        (function
          | Oneof n ->
              let name = local p n.oneof_label in
              define name ("init." ^ n.oneof_label);
              if has_message_case n then define (more name) "D.nothing"
          | Field f -> (
              let name = local p f.label in
              match f.shape with
              | Repeated_array | Packed_array -> collect name (Array_field.fresh f)
              | Repeated | Packed | Map _ ->
                  define name "[]";
                  if has_block p f then define (block name) "[]"
              | Implicit | Explicit | Required | Case _ ->
                  define name ("init." ^ f.label);
                  if is_message f.kind then define (more name) "D.nothing"))
        m.members;
      if p.keeps && not wide then define "kept" "D.nothing");
  if p.keeps && wide then Out.line o "let kept = ref D.nothing in"

(* A oneof whose message came again. *)
let oneof_result p o n =
  let name = local p n.oneof_label in
  Out.line o "  %s =" n.oneof_label;
  Out.line o "    (if D.none !%s then !%s" (more name) name;
  Out.line o "    else match !%s with" name;
  List.iter
    (fun f ->
      match f.shape with
      | Case c when is_message f.kind ->
          Out.line o "    | Some (%s m) -> Some (%s (D.merged %s m s !%s depth))" c c
            (reader_value p (message_name f.kind))
            (more name)
      | _ -> ())
    n.cases;
  Out.line o "    | other -> other);"

let field_result p o m f =
  let name = local p f.label in
  match f.shape with
  | Map _ -> Out.line o "  %s = D.last_wins init.%s !%s;" f.label f.label name
  | (Repeated | Packed) when has_block p f ->
      Out.line o "  %s = D.joined init.%s !%s !%s;" f.label f.label name (block name)
  | Repeated_array | Packed_array ->
      Out.line o "  %s = %s;" f.label (Array_field.all f ("init." ^ f.label) name)
  | Repeated | Packed -> Out.line o "  %s = D.in_order init.%s !%s;" f.label f.label name
  | (Implicit | Explicit | Required | Case _) when is_message f.kind ->
      let merged = if Ocaml.is_option p m f then "merged_option" else "merged" in
      Out.line o "  %s = D.%s %s !%s s !%s depth;" f.label merged
        (reader_value p (message_name f.kind))
        name (more name)
  | Implicit | Explicit | Required | Case _ -> Out.line o "  %s = !%s;" f.label name

let result p o m =
  Out.packed o @@ fun o ->
  Out.line o "{";
  List.iter
    (function
      | Oneof n when has_message_case n -> oneof_result p o n
      | Oneof n -> Out.line o "  %s = !%s;" n.oneof_label (local p n.oneof_label)
      | Field f -> field_result p o m f)
    m.members;
  Option.iter
    (fun (slot : Ocaml.slot) ->
      let before = slot.to_string ("init." ^ slot.label) in
      Out.line o "%s = %s;" slot.label (slot.of_string (sprintf "D.kept %s s !kept" before)))
    (Ocaml.slot p m);
  Out.line o "}"

let required_fields m =
  List.filter_map
    (function Field ({ shape = Required; _ } as f) -> Some f | Field _ | Oneof _ -> None)
    m.members

let rec chunks l =
  let rec split i acc = function
    | x :: rest when i < 60 -> split (i + 1) (x :: acc) rest
    | rest -> (List.rev acc, rest)
  in
  match l with
  | [] -> []
  | l ->
      let first, rest = split 0 [] l in
      first :: chunks rest

let check_required o required =
  List.iteri
    (fun i fields ->
      let word = seen_word (i * 60) in
      let all = (1 lsl List.length fields) - 1 in
      let names = String.concat "; " (List.map (fun f -> sprintf "%S" f.proto_name) fields) in
      Out.line o "if !%s land 0x%x <> 0x%x then D.missing limit [ %s ] !%s;" word all all names word)
    (chunks required)

let arms p o m required =
  let index f = List.find_index (fun g -> g.number = f.number) required in
  List.iter
    (function
      | Oneof n ->
          List.iter (fun f -> match f.shape with Case c -> case_arm p o n f c | _ -> ()) n.cases
      | Field f -> (
          match f.shape with
          | Map (_, v) -> map_arm p o m f v
          | Repeated | Packed -> repeated_arms p o f
          | Repeated_array | Packed_array -> array_arms p o f
          | Implicit | Explicit | Required | Case _ -> singular_arm p o m f ~required:(index f)))
    m.members;
  Out.packed o (fun o ->
      if p.keeps then (
        Out.line o "| tag -> kept := D.unknown !kept s tag start from limit depth;";
        Out.line o "pos := D.until !kept")
      else Out.line o "| tag -> pos := D.skip s tag from limit depth")

let emit p o m =
  let p = { (Locals.widened p m) with keeps = Ocaml.slot p m <> None } in
  let required = required_fields m in
  let type_ = Ocaml.message_type p Flat m.full_name in
  Out.line o "and read'%s (init : %s) s pos limit depth : %s =" m.flat type_ type_;
  Out.indented o (fun () ->
      Out.packed o (fun o -> locals p o m);
      List.iteri
        (fun i _ ->
          Out.line o "let %s = ref (if init == default'%s then 0 else -1) in"
            (seen_word (i * 60))
            m.flat)
        (chunks required);
      loop_head o;
      Out.indented o (fun () -> arms p o m required);
      Out.line o "done;";
      check_required o required;
      if Body.has_fields p m then result p o m else Out.line o "()");
  Out.blank o;
  List.iter
    (function
      | Field ({ shape = Map (k, v); _ } as f) when not (Ocaml.is_shared f) ->
          entry_reader p o m f k v
      | Field _ | Oneof _ -> ())
    m.members

let emit_shared p o m f = match f.shape with Map (k, v) -> entry_reader p o m f k v | _ -> ()
