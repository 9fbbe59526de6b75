type way = Out | In
type t = { ways : way list; where : Run_where.t }

let everything = { ways = [ Out; In ]; where = Run_where.everywhere }
let suffixes = [ ("/in", [ In ]); ("/out", [ Out ]) ]

let split_way s =
  match List.find_opt (fun (suffix, _) -> String.ends_with ~suffix s) suffixes with
  | Some (suffix, ways) -> (String.sub s 0 (String.length s - String.length suffix), ways)
  | None -> (s, everything.ways)

let split s =
  let what, where =
    match String.rindex_opt s '@' with
    | None -> (s, Ok Run_where.everywhere)
    | Some i ->
        ( String.sub s 0 i,
          Run_where.parse ~names:true (String.sub s (i + 1) (String.length s - i - 1)) )
  in
  let what, ways = split_way (String.trim what) in
  Result.map (fun where -> (String.trim what, { ways; where })) where

let pp f t =
  (match t.ways with [ In ] -> Fmt.string f "/in" | [ Out ] -> Fmt.string f "/out" | _ -> ());
  if t.where <> Run_where.everywhere then Fmt.pf f "@@%a" Run_where.pp t.where
