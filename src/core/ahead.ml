type t = (Seq.t * Seq.t) list

let max_ranges = 64
let empty = []
let is_empty t = t = []
let ranges t = t

let rec insert t first last =
  match t with
  | [] -> [ (first, last) ]
  | ((f, l) as r) :: rest ->
      if Seq.lt last f then (first, last) :: t
      else if Seq.lt l first then r :: insert rest first last
      else insert rest (if Seq.lt f first then f else first) (Seq.max l last)

let add t first last =
  let t = insert t first last in
  if List.compare_length_with t max_ranges > 0 then None else Some t

let rec take t next =
  match t with (f, l) :: rest when Seq.leq f next -> take rest (Seq.max next l) | _ -> (next, t)
