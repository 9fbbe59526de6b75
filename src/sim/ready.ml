type 'a t = { dummy : 'a; mutable slots : 'a array; mutable head : int; mutable length : int }

let create ~dummy = { dummy; slots = Array.make 16 dummy; head = 0; length = 0 }
let is_empty t = t.length = 0

(* The number of slots is a power of two. *)
let slot t i = (t.head + i) land (Array.length t.slots - 1)

let grow t =
  let old = Array.length t.slots in
  let slots = Array.make (2 * old) t.dummy in
  for i = 0 to t.length - 1 do
    slots.(i) <- t.slots.(slot t i)
  done;
  t.slots <- slots;
  t.head <- 0

let push t x =
  if t.length = Array.length t.slots then grow t;
  t.slots.(slot t t.length) <- x;
  t.length <- t.length + 1

let pop t =
  if t.length = 0 then invalid_arg "Ready.pop";
  let x = t.slots.(t.head) in
  t.slots.(t.head) <- t.dummy;
  t.head <- slot t 1;
  t.length <- t.length - 1;
  x

let pop_any t random =
  if t.length > 1 then (
    let chosen = slot t (Random.State.int random t.length) in
    let x = t.slots.(chosen) in
    t.slots.(chosen) <- t.slots.(t.head);
    t.slots.(t.head) <- x);
  pop t
