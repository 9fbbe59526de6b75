(* [Free] fills unused slots, so that the heap does not keep popped values alive. *)
type 'a entry = Free | Entry of { key : int; seq : int; value : 'a }

type 'a t = {
  mutable entries : 'a entry array;
  mutable length : int;
  mutable next_seq : int;
  moved : 'a -> int -> unit;
}

let smallest = 16
let create ?(moved = fun _ _ -> ()) () = { entries = [||]; length = 0; next_seq = 0; moved }
let length t = t.length
let is_empty t = t.length = 0

let before a b =
  match (a, b) with
  | Entry a, Entry b -> a.key < b.key || (a.key = b.key && a.seq < b.seq)
  | Free, _ | _, Free -> false

let place t i e =
  t.entries.(i) <- e;
  match e with Free -> () | Entry e -> t.moved e.value i

let rec sift_up t i e =
  let parent = (i - 1) / 2 in
  if i > 0 && before e t.entries.(parent) then (
    place t i t.entries.(parent);
    sift_up t parent e)
  else place t i e

let rec sift_down t i e =
  let entries = t.entries in
  let left = (2 * i) + 1 in
  let right = left + 1 in
  let child = if right < t.length && before entries.(right) entries.(left) then right else left in
  if child < t.length && before entries.(child) e then (
    place t i entries.(child);
    sift_down t child e)
  else place t i e

let add t ~key value =
  let e = Entry { key; seq = t.next_seq; value } in
  t.next_seq <- t.next_seq + 1;
  if t.length = Array.length t.entries then (
    let bigger = Array.make (max smallest (2 * t.length)) Free in
    Array.blit t.entries 0 bigger 0 t.length;
    t.entries <- bigger);
  t.length <- t.length + 1;
  sift_up t (t.length - 1) e

let top t = if t.length = 0 then Free else t.entries.(0)
let min_key t = match top t with Free -> max_int | Entry e -> e.key

let remove t slot =
  if slot < 0 || slot >= t.length then invalid_arg "Heap.remove";
  let length = t.length - 1 in
  let gone = t.entries.(slot) and last = t.entries.(length) in
  t.entries.(length) <- Free;
  t.length <- length;
  if slot < length then if before last gone then sift_up t slot last else sift_down t slot last
  else if length = 0 && Array.length t.entries > smallest then t.entries <- [||];
  match gone with Free -> () | Entry e -> t.moved e.value (-1)

let pop t =
  match top t with
  | Free -> None
  | Entry e ->
      remove t 0;
      Some e.value

let clear t =
  t.entries <- [||];
  t.length <- 0
