(* [Free] fills the slots that no value has: they must not keep a popped one alive. *)
type 'a entry = Free | Entry of { key : int; seq : int; value : 'a }
type 'a t = { mutable entries : 'a entry array; mutable length : int; mutable next_seq : int }

let smallest = 16
let create () = { entries = [||]; length = 0; next_seq = 0 }
let length t = t.length
let is_empty t = t.length = 0

let before a b =
  match (a, b) with
  | Entry a, Entry b -> a.key < b.key || (a.key = b.key && a.seq < b.seq)
  | Free, _ | _, Free -> false

let rec sift_up entries i e =
  let parent = (i - 1) / 2 in
  if i > 0 && before e entries.(parent) then (
    entries.(i) <- entries.(parent);
    sift_up entries parent e)
  else entries.(i) <- e

let rec sift_down entries length i e =
  let left = (2 * i) + 1 in
  let right = left + 1 in
  let child = if right < length && before entries.(right) entries.(left) then right else left in
  if child < length && before entries.(child) e then (
    entries.(i) <- entries.(child);
    sift_down entries length child e)
  else entries.(i) <- e

let add t ~key value =
  let e = Entry { key; seq = t.next_seq; value } in
  t.next_seq <- t.next_seq + 1;
  if t.length = Array.length t.entries then (
    let bigger = Array.make (max smallest (2 * t.length)) Free in
    Array.blit t.entries 0 bigger 0 t.length;
    t.entries <- bigger);
  t.length <- t.length + 1;
  sift_up t.entries (t.length - 1) e

let top t = if t.length = 0 then Free else t.entries.(0)
let min_key t = match top t with Free -> max_int | Entry e -> e.key

let pop t =
  match top t with
  | Free -> None
  | Entry e ->
      let length = t.length - 1 in
      let last = t.entries.(length) in
      t.entries.(length) <- Free;
      t.length <- length;
      if length > 0 then sift_down t.entries length 0 last
      else if Array.length t.entries > smallest then t.entries <- [||];
      Some e.value

let clear t =
  t.entries <- [||];
  t.length <- 0
