type 'a entry = { key : int; seq : int; value : 'a }
type 'a t = { mutable entries : 'a entry array; mutable length : int; mutable next_seq : int }

let create () = { entries = [||]; length = 0; next_seq = 0 }
let length t = t.length
let is_empty t = t.length = 0
let before a b = a.key < b.key || (a.key = b.key && a.seq < b.seq)

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
  let e = { key; seq = t.next_seq; value } in
  t.next_seq <- t.next_seq + 1;
  if t.length = Array.length t.entries then (
    let bigger = Array.make (max 16 (2 * t.length)) e in
    Array.blit t.entries 0 bigger 0 t.length;
    t.entries <- bigger);
  t.length <- t.length + 1;
  sift_up t.entries (t.length - 1) e

let min_key t = if t.length = 0 then max_int else t.entries.(0).key

let pop t =
  if t.length = 0 then None
  else
    let top = t.entries.(0) in
    t.length <- t.length - 1;
    let last = t.entries.(t.length) in
    if t.length > 0 then sift_down t.entries t.length 0 last;
    (* The free slot must not keep a value alive. *)
    t.entries.(t.length) <- (if t.length > 0 then t.entries.(0) else top);
    if t.length = 0 then t.entries <- [||];
    Some top.value

let clear t =
  t.entries <- [||];
  t.length <- 0
