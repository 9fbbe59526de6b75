(* [recent] holds one sequence number in each recently changed range, the latest first. [blocks]
   skips numbers whose range is gone. *)
type t = { ranges : (Seq.t * Seq.t) list; recent : Seq.t list }

(* An overflowing queue drops about every other packet: half a megabyte of segments then makes this
   many ranges. *)
let max_ranges = 256
let empty = { ranges = []; recent = [] }
let is_empty t = t.ranges = []
let ranges t = t.ranges

let rec insert t first last =
  match t with
  | [] -> [ (first, last) ]
  | ((f, l) as r) :: rest ->
      if Seq.lt last f then (first, last) :: t
      else if Seq.lt l first then r :: insert rest first last
      else insert rest (if Seq.lt f first then f else first) (Seq.max l last)

let rec find ranges at =
  match ranges with
  | ((f, l) as r) :: rest ->
      if Seq.lt at f then None else if Seq.lt at l then Some r else find rest at
  | [] -> None

(* The numbers of [recent] that are in no earlier range, at most [most]. *)
let rec others recent ~named ~ranges most =
  match recent with
  | at :: rest when most > 0 -> (
      match find ranges at with
      | Some r when not (List.memq r named) ->
          at :: others rest ~named:(r :: named) ~ranges (most - 1)
      | _ -> others rest ~named ~ranges most)
  | _ -> []

let most_blocks = 4

let add t first last =
  let ranges = insert t.ranges first last in
  if List.compare_length_with ranges max_ranges > 0 then None
  else Some { ranges; recent = others (first :: t.recent) ~named:[] ~ranges most_blocks }

let rec take_from ranges next =
  match ranges with
  | (f, l) :: rest when Seq.leq f next -> take_from rest (Seq.max next l)
  | _ -> (next, ranges)

let take t next =
  let next, ranges = take_from t.ranges next in
  (next, if ranges = [] then empty else { t with ranges })

let blocks t =
  let at = others t.recent ~named:[] ~ranges:t.ranges most_blocks in
  List.filter_map (find t.ranges) at

let rec overlap_from ranges first last =
  match ranges with
  | (f, l) :: rest ->
      if Seq.leq l first then overlap_from rest first last
      else if Seq.lt f last then
        Some ((if Seq.lt f first then first else f), if Seq.lt l last then l else last)
      else None
  | [] -> None

let overlap t first last = overlap_from t.ranges first last
