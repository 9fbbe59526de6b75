type way = Out | In
type t = { ways : way list; where : Run_where.t }

let everything = { ways = [ Out; In ]; where = Run_where.everywhere }
let suffixes = [ ("/in", [ In ]); ("/out", [ Out ]) ]

let split_way s =
  match List.find_opt (fun (suffix, _) -> String.ends_with ~suffix s) suffixes with
  | Some (suffix, ways) -> (String.sub s 0 (String.length s - String.length suffix), ways)
  | None -> (s, everything.ways)

(* -- members of a network --------------------------------------------------------- *)

let is_member s =
  s <> ""
  && String.length s <= 60
  && String.for_all
       (function 'a' .. 'z' | 'A' .. 'Z' | '0' .. '9' | '-' | '_' -> true | _ -> false)
       s

(* No impairment and no rate has a comma but no = before its first colon. *)
let split_members s =
  let word w = w = "*" || is_member w in
  match String.index_opt s ':' with
  | None -> Ok None
  | Some i -> (
      let before = String.sub s 0 i and rest = String.sub s (i + 1) (String.length s - i - 1) in
      match String.split_on_char ',' before with
      | [ a; b ] when word a && word b ->
          Ok (Some ((String.lowercase_ascii a, String.lowercase_ascii b), rest))
      | _ :: _ :: _ when not (String.contains before '=') ->
          Error (Printf.sprintf "%S: give two members before the colon, such as a,b or a,*" s)
      | _ -> Ok None)

let is_between t = match t.where.place with Members _ -> true | _ -> false

let concerns t ~from ~to_ =
  let is pattern name = pattern = "*" || pattern = name in
  match t.where.place with
  | Members (a, b) ->
      (List.mem Out t.ways && is a from && is b to_) || (List.mem In t.ways && is b from && is a to_)
  | _ -> false

(* -- text --------------------------------------------------------------------------- *)

let split_where s =
  match String.rindex_opt s '@' with
  | None -> (s, Ok Run_where.everywhere)
  | Some i ->
      ( String.sub s 0 i,
        Run_where.parse ~names:true (String.sub s (i + 1) (String.length s - i - 1)) )

let split s =
  match split_members s with
  | Error why -> Error why
  | Ok (Some (_, rest)) when String.contains rest '@' ->
      Error (Printf.sprintf "%S: between two members there is no @WHERE" s)
  | Ok (Some ((a, b), rest)) ->
      let what, ways = split_way (String.trim rest) in
      let where = { Run_where.place = Members (a, b); port = None } in
      Ok (String.trim what, { ways; where })
  | Ok None ->
      let what, where = split_where s in
      let what, ways = split_way (String.trim what) in
      Result.map (fun where -> (String.trim what, { ways; where })) where

let way_suffix = function [ In ] -> "/in" | [ Out ] -> "/out" | _ -> ""

let pp f t =
  match (t.where.place, t.ways) with
  | Members (a, b), [ Out ] -> Fmt.pf f " from %s to %s" a b
  | Members (a, b), [ In ] -> Fmt.pf f " from %s to %s" b a
  | Members (a, b), _ -> Fmt.pf f " between %s and %s" a b
  | _ ->
      Fmt.string f (way_suffix t.ways);
      if t.where <> Run_where.everywhere then Fmt.pf f "@@%a" Run_where.pp t.where

let join what t =
  match t.where.place with
  | Members _ -> Fmt.str "%a:%s%s" Run_where.pp t.where what (way_suffix t.ways)
  | _ -> Fmt.str "%s%a" what pp t
