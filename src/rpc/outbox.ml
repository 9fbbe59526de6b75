module Output = Weir_message.Output
module Framing = Weir_message.Framing
module Slice = Weir_flow.Slice

(* The first [whole] bytes of [filling] are complete frames. If [busy], another
   frame is being written after them. *)
type t = {
  mutable filling : Output.t;
  mutable whole : int;
  mutable busy : bool;
  mutable closed : bool;
  deferred : (unit -> unit) Queue.t;
  mutable taken : Output.t;
  view : Slice.t;
}

let create () =
  {
    filling = Output.create ();
    whole = 0;
    busy = false;
    closed = false;
    deferred = Queue.create ();
    taken = Output.create ();
    view = Slice.empty ();
  }

let header = Framing.header_room Length32

(* Each deferred packet has a few bytes. *)
let length t = if t.closed then 0 else t.whole + (16 * Queue.length t.deferred)
let close t = t.closed <- true
let room t ~unsent = Turns.create ~may:(fun () -> length t <= unsent) 1
let defer t f = Queue.add f t.deferred

(* If the writer of a frame waits, it keeps the buffer, and [t] gets a new one. *)
let part t =
  if t.busy then begin
    let fresh = Output.create () in
    Output.add fresh (Output.bytes t.filling) ~off:0 ~len:t.whole;
    t.filling <- fresh;
    t.busy <- false
  end

let frame t ~limit write =
  part t;
  let out = t.filling and before = t.whole in
  Output.limit out (before + header + limit);
  t.busy <- true;
  match
    ignore (Output.reserve out header);
    write out
  with
  | () ->
      let content = before + header in
      ignore (Framing.put_header Length32 (Output.bytes out) content (Output.length out - content));
      if t.filling == out then begin
        t.whole <- Output.length out;
        t.busy <- false
      end
  | exception e ->
      if t.filling == out then begin
        Output.truncate out before;
        t.busy <- false
      end;
      raise e

let add ?(head = ignore) t ~limit write =
  let into = ref t.filling and at = ref 0 in
  frame t ~limit (fun out ->
      into := out;
      head out;
      at := Output.length out;
      write out);
  if !into != t.filling then
    frame t ~limit (fun out ->
        head out;
        Output.add out (Output.bytes !into) ~off:!at ~len:(Output.length !into - !at))

let sent t =
  Output.clear t.taken;
  Slice.set t.view Bytes.empty ~off:0 ~len:0

let take t =
  while not (Queue.is_empty t.deferred) do
    (Queue.take t.deferred) ()
  done;
  part t;
  let out = t.filling in
  Output.clear t.taken;
  t.filling <- t.taken;
  t.taken <- out;
  Slice.set t.view (Output.bytes out) ~off:0 ~len:t.whole;
  t.whole <- 0;
  t.view
