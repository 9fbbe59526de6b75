module Fifo = Weir_base.Fifo

(* Senders, in any domain, push into [incoming] under the lock. The receiver
   empties [taken], which is its own, and swaps the two when that is empty: it
   takes the lock once a batch. *)
type t = {
  capacity : int;
  lock : Mutex.t;
  mutable incoming : Frame.t Fifo.t;
  mutable taken : Frame.t Fifo.t;
  mutable on_frame : unit -> unit;
  mutable wakeup_due : bool;
  mutable is_open : bool;
}

let create ~capacity =
  if capacity < 1 then invalid_arg "a queue holds at least one frame";
  {
    capacity;
    lock = Mutex.create ();
    incoming = Fifo.create ~dummy:Frame.none;
    taken = Fifo.create ~dummy:Frame.none;
    on_frame = ignore;
    wakeup_due = false;
    is_open = true;
  }

let length t = Fifo.length t.incoming + Fifo.length t.taken
let is_open t = t.is_open

let push t frame =
  Mutex.lock t.lock;
  let length = length t in
  let fits = length < t.capacity && t.is_open in
  if fits then (
    if length = 0 then t.wakeup_due <- true;
    Fifo.push t.incoming frame);
  Mutex.unlock t.lock;
  fits

let swap t =
  Mutex.lock t.lock;
  let empty = t.taken in
  t.taken <- t.incoming;
  t.incoming <- empty;
  Mutex.unlock t.lock

let pop t =
  if Fifo.is_empty t.taken then swap t;
  if Fifo.is_empty t.taken then Frame.none else Fifo.pop t.taken

let wakeup_due t = t.wakeup_due

let wake t =
  if t.wakeup_due then (
    Mutex.lock t.lock;
    let waits = t.wakeup_due && length t > 0 in
    t.wakeup_due <- false;
    Mutex.unlock t.lock;
    if waits then t.on_frame ())

let nudge t = if t.is_open then t.on_frame ()

let readiness t =
  Link.Notify
    (fun f ->
      t.on_frame <- f;
      if length t > 0 then f ())

let rec release_all frames =
  if not (Fifo.is_empty frames) then (
    Frame.release (Fifo.pop frames);
    release_all frames)

let close t =
  Mutex.lock t.lock;
  t.is_open <- false;
  let incoming = t.incoming in
  t.incoming <- Fifo.create ~dummy:Frame.none;
  Mutex.unlock t.lock;
  release_all incoming;
  release_all t.taken
