type fault = {
  what : Run_change.kind;
  at : Run_scope.t;
  die : Random.State.t;
  mutable chance : float;
}

type t = fault list

let make ~seed changes =
  List.filter_map
    (fun (c : Run_change.t) -> match c.what with Fault f -> Some (f.kind, c.scope) | _ -> None)
    changes
  |> List.sort_uniq Stdlib.compare
  |> List.mapi (fun n (what, at) ->
      { what; at; chance = 0.; die = Random.State.make [| seed; 2; n |] })

let set t (c : Run_change.t) =
  match c.what with
  | Fault f ->
      List.iter
        (fun fault -> if fault.what = f.kind && fault.at = c.scope then fault.chance <- f.chance)
        t
  | Impair _ | Rate _ | Cut | Heal -> ()

(* Each fault that applies draws, so that one fault's verdicts do not depend on another's. *)
let drawn t applies =
  List.filter (fun f -> applies f && f.chance > 0. && Random.State.float f.die 1. < f.chance) t

let of_connection t ~names (address, port) =
  let applies f =
    (match f.what with Dns _ -> false | _ -> true)
    && Run_where.matches ~names f.at.where address ~port
  in
  match drawn t applies with [] -> None | f :: _ -> Some f.what

let of_question t name =
  let applies f =
    match (f.what, f.at.where.place) with
    | Dns _, Name n -> Run_where.covers n name
    | Dns _, Everywhere -> true
    | _ -> false
  in
  match drawn t applies with { what = Dns how; _ } :: _ -> Some how | _ -> None
