(* A stack of immutable nodes behind one atomic. Nodes are never reused, so
   compare-and-set has no ABA problem. *)
type stack = Empty | Node of { buffer : Bytes.t; depth : int; below : stack }

type t = {
  size : int;
  scarce : int;
  most : int;
  keep : int;
  free : stack Atomic.t;
  free_scarce : stack Atomic.t;
  out : int Atomic.t;  (** buffers of [size] bytes in use *)
}

let create ?(most = 64) ?(keep = 8) ?(size = 65_536) ?(scarce = 8_192) () =
  {
    size;
    scarce = Int.min scarce size;
    most;
    keep;
    free = Atomic.make Empty;
    free_scarce = Atomic.make Empty;
    out = Atomic.make 0;
  }

let size t = t.size
let scarce t = t.scarce

let rec pop free ~size =
  match Atomic.get free with
  | Empty -> Bytes.create size
  | Node { buffer; below; _ } as top ->
      if Atomic.compare_and_set free top below then buffer else pop free ~size

let depth = function Empty -> 0 | Node { depth; _ } -> depth

let rec push free ~keep buffer =
  let below = Atomic.get free in
  if depth below < keep then
    let top = Node { buffer; depth = depth below + 1; below } in
    if not (Atomic.compare_and_set free below top) then push free ~keep buffer

(* [Atomic.incr] would allocate. *)
let rec one_out t =
  let out = Atomic.get t.out in
  if not (Atomic.compare_and_set t.out out (out + 1)) then one_out t

let take t ~need ~more =
  if need > t.size then invalid_arg "Buffers.take";
  if need <= t.scarce && ((not more) || Atomic.get t.out >= t.most) then
    pop t.free_scarce ~size:t.scarce
  else (
    one_out t;
    pop t.free ~size:t.size)

(* [buffer] may not come from this pool, so the count must not fall below 0. *)
let rec back t =
  let out = Atomic.get t.out in
  if out > 0 && not (Atomic.compare_and_set t.out out (out - 1)) then back t

let give t buffer =
  let n = Bytes.length buffer in
  if n = t.size then (
    back t;
    push t.free ~keep:t.keep buffer)
  else if n = t.scarce then push t.free_scarce ~keep:t.most buffer
