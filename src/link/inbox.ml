module Frame = Weir_base.Frame
module Fifo = Weir_base.Fifo

(* Only the sender uses [outgoing]; it moves the frames to [waiting] under the lock. Only the
   receiver uses [taken]; it swaps it for [waiting] under the lock. So a batch takes two locks. *)
type t = {
  capacity : int;
  lock : Mutex.t;
  mutable outgoing : Frame.t Fifo.t;
  mutable waiting : Frame.t Fifo.t;
  mutable taken : Frame.t Fifo.t;
  mutable on_frame : unit -> unit;
  mutable is_open : bool;
}

let create ~capacity =
  if capacity < 1 then invalid_arg "the queue must hold at least one frame";
  let fifo () = Fifo.create ~dummy:Frame.none in
  {
    capacity;
    lock = Mutex.create ();
    outgoing = fifo ();
    waiting = fifo ();
    taken = fifo ();
    on_frame = ignore;
    is_open = true;
  }

let length t = Fifo.length t.outgoing + Fifo.length t.waiting + Fifo.length t.taken
let is_open t = t.is_open

let push t frame =
  let fits = t.is_open && length t < t.capacity in
  if fits then (
    Frame.enqueue frame;
    Fifo.push t.outgoing frame);
  fits

let rec move ~from ~to_ =
  if not (Fifo.is_empty from) then (
    Fifo.push to_ (Fifo.pop from);
    move ~from ~to_)

let rec release_all frames =
  if not (Fifo.is_empty frames) then (
    let frame = Fifo.pop frames in
    Frame.dequeue frame;
    Frame.release frame;
    release_all frames)

(* True if the receiver must be notified: it may have seen an empty queue. *)
let hand_over t =
  (not (Fifo.is_empty t.outgoing))
  &&
  (Mutex.lock t.lock;
   let first = Fifo.is_empty t.waiting in
   if first then (
     let empty = t.waiting in
     t.waiting <- t.outgoing;
     t.outgoing <- empty)
   else move ~from:t.outgoing ~to_:t.waiting;
   if not t.is_open then release_all t.waiting;
   let told = first && t.is_open in
   Mutex.unlock t.lock;
   told)

let wake t = if hand_over t then t.on_frame ()

let pop t =
  if Fifo.is_empty t.taken then (
    Mutex.lock t.lock;
    let empty = t.taken in
    t.taken <- t.waiting;
    t.waiting <- empty;
    Mutex.unlock t.lock);
  if Fifo.is_empty t.taken then Frame.none
  else
    let frame = Fifo.pop t.taken in
    Frame.dequeue frame;
    frame

let close t =
  Mutex.lock t.lock;
  t.is_open <- false;
  release_all t.waiting;
  Mutex.unlock t.lock;
  release_all t.taken

let nudge t = if t.is_open then t.on_frame ()

let readiness t =
  Link.Notify
    (fun f ->
      t.on_frame <- f;
      if length t > 0 then f ())
