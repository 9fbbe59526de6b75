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

(* What collects values, by name and the expression that makes it: [each] gives both to its argument;
   of those that it names [p] is not to say that they are in a module. *)
let define p o each =
  let all = ref [] in
  each { p with Ocaml.wide = false } (fun name value -> all := (name, value) :: !all);
  let all = List.rev !all in
  if p.Ocaml.wide then (
    Out.line o "let module L' = struct";
    List.iter (fun (name, value) -> Out.line o "  let %s = %s" name value) all;
    Out.line o "end in")
  else
    let line i (name, value) =
      Out.line o "%s %s = %s" (if i = 0 then "let" else "and") name value
    in
    List.iteri line all;
    if all <> [] then Out.line o "in"
