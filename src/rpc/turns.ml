open Weir_base

type phase = In_line | Turn | Gone
type place = { mutable phase : phase; mutable slot : int; on_turn : unit -> unit }
type t = { mutable free : int; mutable next : int; line : place Heap.t }

let create n = { free = n; next = 0; line = Heap.create ~moved:(fun p slot -> p.slot <- slot) () }
let has p = p.phase = Turn

let try_join t =
  if t.free > 0 then begin
    t.free <- t.free - 1;
    Some { phase = Turn; slot = -1; on_turn = ignore }
  end
  else None

let join t on_turn =
  match try_join t with
  | Some p -> p
  | None ->
      let p = { phase = In_line; slot = -1; on_turn } in
      t.next <- t.next + 1;
      Heap.add t.line ~key:t.next p;
      p

let leave t p =
  let before = p.phase in
  p.phase <- Gone;
  match before with
  | Gone -> ()
  | In_line -> Heap.remove t.line p.slot
  | Turn -> (
      match Heap.pop t.line with
      | None -> t.free <- t.free + 1
      | Some next ->
          next.phase <- Turn;
          next.on_turn ())
