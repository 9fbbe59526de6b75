module Time = Weir_base.Time

type cut = { scope : Run_scope.t; mutable since : Time.t option }

type t = {
  mutable all : cut list;
  mutable past : (Time.t * Time.t * string) list;
  mutable past_count : int;
}

let create () = { all = []; past = []; past_count = 0 }

let add t scope =
  let cut = { scope; since = None } in
  t.all <- cut :: t.all;
  cut

let text cut = String.trim (Fmt.str "%a" Run_scope.pp cut.scope)
let begin_ cut ~at = if cut.since = None then cut.since <- Some at
let most_past = 10_000

let end_ t cut ~at =
  Option.iter
    (fun since ->
      cut.since <- None;
      if t.past_count < most_past then (
        t.past_count <- t.past_count + 1;
        t.past <- (since, at, text cut) :: t.past))
    cut.since

let scopes t = List.map (fun cut -> cut.scope) t.all
let is_cut t fits = List.exists (fun cut -> cut.since <> None && fits cut.scope) t.all

let past t ~until =
  let ended (from, at, scope) = (from, Int.min at until, scope) in
  let now_cut =
    List.filter_map (fun cut -> Option.map (fun s -> (s, until, text cut)) cut.since) t.all
  in
  List.sort Stdlib.compare (List.map ended t.past @ now_cut)
