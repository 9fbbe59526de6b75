open Weir_dissect

let time t = `String (Fmt.str "%a" Weir_base.Time.pp t)

let json : Fields.value -> Yojson.Safe.t = function
  | Number n -> `Int n
  | Flag b -> `Bool b
  | Address a -> `String (Fmt.str "%a" Weir_wire.Ip.pp a)
  | Mac m -> `String (Fmt.str "%a" Weir_wire.Mac.pp m)
  | Text s -> `String s

(* Puts [value] into the objects that [path] names. Members are in reverse order
   until [in_order]. *)
let rec put path value members =
  match (path, members) with
  | [], _ -> members
  | [ name ], _ -> (name, value) :: members
  | name :: inner, (last, `Assoc l) :: rest when String.equal name last ->
      (last, `Assoc (put inner value l)) :: rest
  | name :: inner, _ -> (name, `Assoc (put inner value [])) :: members

let rec in_order : Yojson.Safe.t -> Yojson.Safe.t = function
  | `Assoc members -> `Assoc (List.rev_map (fun (name, value) -> (name, in_order value)) members)
  | value -> value

let fields =
  Fields.all
  |> List.filter (fun (f : Fields.t) -> f.arity <> Either)
  |> List.map (fun (f : Fields.t) -> (String.split_on_char '.' f.name, f))

let add d members (path, (field : Fields.t)) =
  match (field.get d, field.arity) with
  | [], _ -> members
  | values, Many -> put path (`List (List.map json values)) members
  | value :: _, (One | Either) -> put path (json value) members

let of_packet d = in_order (`Assoc (List.fold_left (add d) [] fields))
