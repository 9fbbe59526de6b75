open Weir_base

type phase = In_line | Turn | Gone
type place = { mutable phase : phase; mutable slot : int; on_turn : unit -> unit }
type t = { may : unit -> bool; mutable free : int; mutable next : int; line : place Heap.t }

let create ?(may = fun () -> true) n =
  { may; free = n; next = 0; line = Heap.create ~moved:(fun p slot -> p.slot <- slot) () }

let has p = p.phase = Turn
let is_free t = t.free > 0 && Heap.is_empty t.line && t.may ()

let try_join t =
  if is_free t then begin
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

let rec advance t =
  if t.free > 0 && (not (Heap.is_empty t.line)) && t.may () then begin
    let p = Option.get (Heap.pop t.line) in
    t.free <- t.free - 1;
    p.phase <- Turn;
    p.on_turn ();
    advance t
  end

let leave t p =
  let before = p.phase in
  p.phase <- Gone;
  match before with
  | Gone -> ()
  | In_line -> Heap.remove t.line p.slot
  | Turn ->
      t.free <- t.free + 1;
      advance t
