type 'a t = { dummy : 'a; mutable slots : 'a array; mutable start : int; mutable length : int }

let create ~dummy = { dummy; slots = [||]; start = 0; length = 0 }
let length t = t.length
let is_empty t = t.length = 0

(* The array's length is a power of two. *)
let index t i = (t.start + i) land (Array.length t.slots - 1)

let grow t =
  let slots = Array.make (Int.max 16 (2 * t.length)) t.dummy in
  for i = 0 to t.length - 1 do
    slots.(i) <- t.slots.(index t i)
  done;
  t.slots <- slots;
  t.start <- 0

let push t x =
  if t.length = Array.length t.slots then grow t;
  t.slots.(index t t.length) <- x;
  t.length <- t.length + 1

let peek t = if t.length = 0 then invalid_arg "Fifo.peek" else t.slots.(t.start)

let pop t =
  if t.length = 0 then invalid_arg "Fifo.pop";
  let x = t.slots.(t.start) in
  t.slots.(t.start) <- t.dummy;
  t.start <- index t 1;
  t.length <- t.length - 1;
  x

let pop_nth t n =
  if n < 0 || n >= t.length then invalid_arg "Fifo.pop_nth";
  let i = index t n in
  let x = t.slots.(i) in
  t.slots.(i) <- t.slots.(t.start);
  t.slots.(t.start) <- x;
  pop t

let clear t =
  t.slots <- [||];
  t.start <- 0;
  t.length <- 0
