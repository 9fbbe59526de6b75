type t = {
  mutable left : int;
  mutable message : int;
  mutable byte : int;
  mutable recount : int -> int -> int;
}

let bits = 32
let mask = (1 lsl bits) - 1
let[@inline] levels depth = depth land mask
let[@inline] is_free depth = depth > 0 && depth <= mask
let depth n = Int.max 0 (Int.min n mask)
let nothing _ _ = max_int
let slots = 60
let table = Array.init slots (fun _ -> { left = 0; message = 0; byte = 0; recount = nothing })

(* A bit for each slot that is taken, in all domains and threads. *)
let taken = Atomic.make 0

let rec take () =
  let now = Atomic.get taken in
  let bit = lnot now land (now + 1) in
  if bit >= 1 lsl slots then -1
  else if Atomic.compare_and_set taken now (now lor bit) then begin
    let rec index i = if bit lsr i = 1 then i else index (i + 1) in
    index 0
  end
  else take ()

let rec give_back slot =
  let now = Atomic.get taken in
  if not (Atomic.compare_and_set taken now (now land lnot (1 lsl slot))) then give_back slot

let with_ ~left ~message ~byte ~recount ~depth ~none f =
  match take () with
  | -1 ->
      none ();
      f depth
  | slot -> (
      let t = table.(slot) in
      t.left <- left;
      t.message <- message;
      t.byte <- byte;
      t.recount <- recount;
      let over () =
        t.recount <- nothing;
        give_back slot
      in
      match f (((slot + 1) lsl bits) lor depth) with
      | v ->
          over ();
          v
      | exception e ->
          over ();
          raise e)

let[@inline] charge t words pos =
  let left = t.left - words in
  t.left <- (if left >= 0 then left else t.recount words pos)

(* A depth without bound, [max_int], names no slot. *)
let[@inline never] message depth pos =
  let slot = (depth lsr bits) - 1 in
  if slot < slots then
    let t = Array.unsafe_get table slot in
    charge t t.message pos

let[@inline never] block depth n pos =
  let slot = (depth lsr bits) - 1 in
  if slot < slots then
    let t = Array.unsafe_get table slot in
    charge t (n * t.byte) pos

let[@inline] charge_message depth pos = if depth > mask then message depth pos
let[@inline] charge_block depth n pos = if depth > mask then block depth n pos
