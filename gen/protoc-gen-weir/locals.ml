open Schema
open Read_value

let reserved =
  [ "s"; "pos"; "limit"; "depth"; "init"; "start"; "tag"; "p"; "n"; "v"; "w"; "from"; "stop"; "kept"; "seen"; "ref"; "r"; "going"; "key"; "raise" ]
[@@ocamlformat "disable"]

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
  let name = if List.mem label reserved then label ^ "'" else label in
  if p.Ocaml.wide then "L'." ^ name else name

(* Each definition of a local, of which [p] is not to say that it is in a module. *)
let define p o each =
  let narrow = { p with Ocaml.wide = false } in
  if p.Ocaml.wide then (
    Out.line o "let module L' = struct";
    Out.indented o (fun () -> each narrow "");
    Out.line o "end in")
  else each narrow " in"
