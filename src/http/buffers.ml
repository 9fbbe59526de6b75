(* A stack of immutable nodes behind one atomic: compare-and-set cannot be
   fooled by a node that came back, since a node is never reused. *)
type stack = Empty | Node of { buffer : Bytes.t; depth : int; below : stack }
type t = { size : int; keep : int; free : stack Atomic.t }

let create ?(keep = 64) ?(size = 65_536) () = { size; keep; free = Atomic.make Empty }
let size t = t.size

let rec take t =
  match Atomic.get t.free with
  | Empty -> Bytes.create t.size
  | Node { buffer; below; _ } as top ->
      if Atomic.compare_and_set t.free top below then buffer else take t

let depth = function Empty -> 0 | Node { depth; _ } -> depth

let rec give t buffer =
  let below = Atomic.get t.free in
  if Bytes.length buffer = t.size && depth below < t.keep then
    let top = Node { buffer; depth = depth below + 1; below } in
    if not (Atomic.compare_and_set t.free below top) then give t buffer
