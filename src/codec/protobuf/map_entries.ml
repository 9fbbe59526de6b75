(* Keys that ascend, as those of sorted maps do, are all different. *)
let rec ascends = function
  | (a, _) :: ((b, _) :: _ as older) -> compare b a < 0 && ascends older
  | [ _ ] | [] -> true

let key entries i = fst (Array.unsafe_get entries i)

(* Which entries stay, newest first in [entries], by hash; [false] if too many
   keys met others: who writes them may choose such as share a hash. *)
let by_hash entries stays =
  let n = Array.length entries in
  let size = ref 16 in
  while !size < 2 * n do
    size := 2 * !size
  done;
  let table = Array.make !size (-1) and mask = !size - 1 in
  let left = ref (8 * n) in
  let rec place i at =
    let other = table.(at) in
    decr left;
    if other < 0 then table.(at) <- i
    else if compare (key entries other) (key entries i) = 0 then Bytes.set stays i '\000'
    else if !left > 0 then place i ((at + 1) land mask)
  in
  let i = ref 0 in
  while !i < n && !left > 0 do
    place !i (Hashtbl.hash (key entries !i) land mask);
    incr i
  done;
  !left > 0

let by_order entries stays =
  let order = Array.init (Array.length entries) Fun.id in
  Array.stable_sort (fun i j -> compare (key entries i) (key entries j)) order;
  for at = 1 to Array.length order - 1 do
    let i = order.(at) in
    if compare (key entries i) (key entries order.(at - 1)) = 0 then Bytes.set stays i '\000'
  done

let last_of_each newest_first =
  let entries = Array.of_list newest_first in
  let stays = Bytes.make (Array.length entries) '\001' in
  if not (by_hash entries stays) then by_order entries stays;
  let kept = ref [] in
  Array.iteri (fun i entry -> if Bytes.get stays i <> '\000' then kept := entry :: !kept) entries;
  !kept

let last_wins before newest_first =
  match (before, newest_first) with
  | _, [] -> before
  | [], [ _ ] -> newest_first
  | [], _ when ascends newest_first -> List.rev newest_first
  | _ -> last_of_each (newest_first @ List.rev before)
