type part = { first : int; last : int }
type t = Whole | Part of part | Parts of part list | Unsatisfiable

let most = 64
let prefix = "bytes="

(* One range of the request. *)
type spec = Malformed | Beyond | Within of part

let suffix text ~length =
  match Chars.decimal text with
  | -1 -> Malformed
  | 0 -> Beyond
  | _ when length = 0 -> Beyond
  | n -> Within { first = max 0 (length - n); last = length - 1 }

let spec text ~length =
  match String.index_opt text '-' with
  | None -> Malformed
  | Some 0 -> suffix (String.sub text 1 (String.length text - 1)) ~length
  | Some i -> (
      let first = Chars.decimal (String.sub text 0 i) in
      let rest = String.sub text (i + 1) (String.length text - i - 1) in
      match if rest = "" then max_int else Chars.decimal rest with
      | last when first < 0 || last < first -> Malformed
      | _ when first >= length -> Beyond
      | last -> Within { first; last = min last (length - 1) })

(* Ranges that overlap or touch become one, in the place of the first of them: so
   no byte is sent twice. *)
let coalesced parts =
  let rec join = function
    | (i, a) :: (j, b) :: rest when b.first <= a.last + 1 ->
        join ((min i j, { a with last = max a.last b.last }) :: rest)
    | a :: rest -> a :: join rest
    | [] -> []
  in
  List.mapi (fun i part -> (i, part)) parts
  |> List.sort (fun (_, a) (_, b) -> compare a.first b.first)
  |> join |> List.sort compare |> List.map snd

let of_parts = function
  | [] -> Unsatisfiable
  | parts -> ( match coalesced parts with [ part ] -> Part part | parts -> Parts parts)

let rec collect specs ~length parts =
  match specs with
  | [] -> of_parts (List.rev parts)
  | s :: rest -> (
      match spec (Chars.trim s) ~length with
      | Malformed -> Whole
      | Beyond -> collect rest ~length parts
      | Within part -> collect rest ~length (part :: parts))

(* Elements of a list may be empty (RFC 9110 §5.6.1), but not all of them. *)
let set text ~length =
  let elements = String.split_on_char ',' text in
  if List.compare_length_with elements most > 0 then Whole
  else
    match List.filter (fun s -> Chars.trim s <> "") elements with
    | [] -> Whole
    | specs -> collect specs ~length []

let parse s ~length =
  let n = String.length prefix in
  if String.length s < n || not (Chars.equal_caseless (String.sub s 0 n) prefix) then Whole
  else set (String.sub s n (String.length s - n)) ~length
