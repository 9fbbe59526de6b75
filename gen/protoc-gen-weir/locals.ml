open Schema
open Read_value

let reserved =
  [ "s"; "pos"; "limit"; "depth"; "init"; "start"; "tag"; "p"; "n"; "v"; "w"; "from"; "stop"; "kept"; "seen"; "ref"; "r"; "going"; "key"; "raise" ]
[@@ocamlformat "disable"]

(* A field may be called default_phone, as the file's own value is. *)
let is_own p label =
  let own prefix =
    String.starts_with ~prefix label
    &&
    let n = String.length prefix in
    let rest = String.sub label n (String.length label - n) in
    let is m = rest = m.flat || String.starts_with ~prefix:(m.flat ^ "__") rest in
    List.exists is (Schema.file p.Ocaml.schema p.here).messages
  in
  List.exists own [ "read_"; "default_"; "of_json_"; "keys_" ]

(* So many locals at once, that the compiler's registers would be sought for
   minutes: those of a wide message are in a module. *)
let most_locals = 300

let widened p m =
  let of_member = function
    | Oneof _ -> 2
    | Field { shape = Repeated | Packed; _ } -> 2
    | Field f -> if is_message f.kind then 2 else 1
  in
  let locals = List.fold_left (fun n member -> n + of_member member) 0 m.members in
  { p with Ocaml.wide = locals > most_locals }

let name p label =
  let name = if List.mem label reserved || is_own p label then label ^ "'" else label in
  if p.Ocaml.wide then "L'." ^ name else name

(* Each definition of a local, of which [p] is not to say that it is in a module. *)
let define p o each =
  let narrow = { p with Ocaml.wide = false } in
  if p.Ocaml.wide then (
    Out.line o "let module L' = struct";
    Out.indented o (fun () -> each narrow "");
    Out.line o "end in")
  else each narrow " in"
