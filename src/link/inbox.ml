module Fifo = Weir_base.Fifo

type t = {
  capacity : int;
  frames : Frame.t Fifo.t;
  mutable on_frame : unit -> unit;
  mutable wakeup_due : bool;
  mutable is_open : bool;
}

let create ~capacity =
  if capacity < 1 then invalid_arg "a queue holds at least one frame";
  {
    capacity;
    frames = Fifo.create ~dummy:Frame.none;
    on_frame = ignore;
    wakeup_due = false;
    is_open = true;
  }

let length t = Fifo.length t.frames
let is_open t = t.is_open

let push t frame =
  let length = length t in
  if length >= t.capacity || not t.is_open then false
  else (
    if length = 0 then t.wakeup_due <- true;
    Fifo.push t.frames frame;
    true)

let pop t = if Fifo.is_empty t.frames then Frame.none else Fifo.pop t.frames
let wakeup_due t = t.wakeup_due

let wake t =
  if t.wakeup_due then (
    t.wakeup_due <- false;
    if not (Fifo.is_empty t.frames) then t.on_frame ())

let readiness t =
  Link.Notify
    (fun f ->
      t.on_frame <- f;
      if not (Fifo.is_empty t.frames) then f ())

let rec close t =
  t.is_open <- false;
  let frame = pop t in
  if frame != Frame.none then (
    Frame.release frame;
    close t)
