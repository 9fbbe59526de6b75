module Frame = Weir_base.Frame
module Heap = Weir_base.Heap
module Time = Weir_base.Time

type counters = {
  mutable entered : int;
  mutable lost : int;
  mutable duplicated : int;
  mutable corrupted : int;
  mutable truncated : int;
  mutable reordered : int;
  mutable overflowed : int;
  mutable cut : int;
  mutable left : int;
}

let dropped c = c.lost + c.overflowed + c.cut

let pp_counters f c =
  Fmt.pf f
    "entered %d, lost %d, duplicated %d, corrupted %d, truncated %d, reordered %d, overflowed %d, \
     cut %d, left %d"
    c.entered c.lost c.duplicated c.corrupted c.truncated c.reordered c.overflowed c.cut c.left

(* One random generator for each kind of impairment. *)
type dice = {
  loss : Random.State.t;
  duplicate : Random.State.t;
  corrupt : Random.State.t;
  truncate : Random.State.t;
  reorder : Random.State.t;
  jitter : Random.State.t;
}

type t = {
  dice : dice;
  counters : counters;
  on_way : Frame.t Heap.t;  (** keyed by the time of arrival *)
  mutable ready : Frame.t;  (** a frame that is due before all of [on_way], or {!Frame.none} *)
  mutable ready_at : Time.t;
  mutable impairment : Impairment.t;
  own : Bottleneck.t;
  mutable in_burst : bool;
  mutable last_arrival : Time.t;  (** latest arrival of the frames that keep their order *)
  mutable up : bool;
}

let set t impairment =
  (match Impairment.check impairment with
  | Ok () -> ()
  | Error reason -> invalid_arg ("Impairment: " ^ reason));
  let { Impairment.queue_bytes; rate_bps; _ } = impairment in
  t.impairment <- impairment;
  Bottleneck.set t.own ~rate_bps ~queue_bytes

let create ~seed impairment =
  let die kind = Random.State.make (Array.append seed [| kind |]) in
  let dice =
    {
      loss = die 0;
      duplicate = die 1;
      corrupt = die 2;
      truncate = die 3;
      reorder = die 4;
      jitter = die 5;
    }
  in
  let counters =
    {
      entered = 0;
      lost = 0;
      duplicated = 0;
      corrupted = 0;
      truncated = 0;
      reordered = 0;
      overflowed = 0;
      cut = 0;
      left = 0;
    }
  in
  let t =
    {
      dice;
      counters;
      on_way = Heap.create ();
      ready = Frame.none;
      ready_at = Time.never;
      impairment;
      own = Bottleneck.create ~rate_bps:Impairment.unlimited ~queue_bytes:1;
      in_burst = false;
      last_arrival = min_int;
      up = true;
    }
  in
  set t impairment;
  t

let counters t = t.counters
let held t = Heap.length t.on_way + if t.ready == Frame.none then 0 else 1
let deadline t = if t.ready == Frame.none then Heap.min_key t.on_way else t.ready_at

(* No floats: they would be allocated. *)
let chance die p = p > 0. && Random.State.bits die < Float.to_int (p *. 1073741824.)

let is_lost t =
  match t.impairment.loss with
  | Steady p -> chance t.dice.loss p
  | Bursts { enter; leave; good; bad } ->
      if chance t.dice.loss (if t.in_burst then leave else enter) then t.in_burst <- not t.in_burst;
      chance t.dice.loss (if t.in_burst then bad else good)

let corrupt t (frame : Frame.t) =
  if frame.len > 0 && chance t.dice.corrupt t.impairment.corrupt then (
    let bit = Random.State.int t.dice.corrupt (8 * frame.len) in
    let at = frame.off + (bit / 8) in
    Bytes.set_uint8 frame.data at (Bytes.get_uint8 frame.data at lxor (1 lsl (bit land 7)));
    Frame.set_checksum frame Unverified;
    t.counters.corrupted <- t.counters.corrupted + 1)

let truncate t (frame : Frame.t) =
  if frame.len > 1 && chance t.dice.truncate t.impairment.truncate then (
    Frame.set_length frame (1 + Random.State.int t.dice.truncate (frame.len - 1));
    Frame.set_checksum frame Unverified;
    t.counters.truncated <- t.counters.truncated + 1)

let overflow t frame =
  t.counters.overflowed <- t.counters.overflowed + 1;
  Frame.release frame

(* The heap allocates, so a frame that is due at once bypasses it. *)
let arrive t ~now ~at frame =
  Frame.enqueue frame;
  if at <= now && t.ready == Frame.none && Heap.is_empty t.on_way then (
    t.ready <- frame;
    t.ready_at <- at)
  else Heap.add t.on_way ~key:at frame

(* The frame left the queue at [from] and is in transit. *)
let travel t ~now ~from frame =
  let { Impairment.delay_ns; jitter_ns; reorder; reorder_ns; _ } = t.impairment in
  let jitter = if jitter_ns = 0 then 0 else Random.State.full_int t.dice.jitter (jitter_ns + 1) in
  let arrival = Int.max t.last_arrival (from + delay_ns + jitter) in
  if chance t.dice.reorder reorder then (
    t.counters.reordered <- t.counters.reordered + 1;
    arrive t ~now ~at:(Int.max from (arrival + reorder_ns)) frame)
  else (
    t.last_arrival <- arrival;
    arrive t ~now ~at:arrival frame)

let leave b (frame : Frame.t) ~from =
  if from = Bottleneck.refused then from else Bottleneck.admit b ~now:from ~len:frame.len

let backlog t ~now = Bottleneck.backlog t.own ~now

let admit t ~now ~shared (frame : Frame.t) =
  corrupt t frame;
  truncate t frame;
  if held t >= t.impairment.held_frames then overflow t frame
  else
    let from =
      if t.impairment.rate_bps = Impairment.unlimited then now else leave t.own frame ~from:now
    in
    let from = match shared with None -> from | Some b -> leave b frame ~from in
    if from = Bottleneck.refused then overflow t frame else travel t ~now ~from frame

type fate = Sent | Lost | No_room | Cut | Twice | Corrupted | Truncated | Late

let lose (frame : Frame.t) fate =
  Frame.release frame;
  fate

let pass t ~now ~shared frame =
  let c = t.counters in
  let { overflowed; corrupted; truncated; reordered; _ } = c in
  let twice = chance t.dice.duplicate t.impairment.duplicate in
  if twice then (
    c.duplicated <- c.duplicated + 1;
    let copy = Frame.copy frame.Frame.pool frame in
    admit t ~now ~shared frame;
    admit t ~now ~shared copy)
  else admit t ~now ~shared frame;
  if c.overflowed > overflowed then No_room
  else if c.corrupted > corrupted then Corrupted
  else if c.truncated > truncated then Truncated
  else if twice then Twice
  else if c.reordered > reordered then Late
  else Sent

let enter ?shared t ~now frame =
  Link.complete frame;
  let c = t.counters in
  c.entered <- c.entered + 1;
  if not t.up then (
    c.cut <- c.cut + 1;
    lose frame Cut)
  else if is_lost t then (
    c.lost <- c.lost + 1;
    lose frame Lost)
  else pass t ~now ~shared frame

(* The oldest frame; there must be one. *)
let take t =
  let frame = t.ready in
  let frame =
    if frame == Frame.none then Option.value (Heap.pop t.on_way) ~default:Frame.none
    else (
      t.ready <- Frame.none;
      frame)
  in
  Frame.dequeue frame;
  frame

let next t ~now =
  if held t = 0 || deadline t > now then Frame.none
  else (
    t.counters.left <- t.counters.left + 1;
    take t)

let rec drop_held t =
  if held t > 0 then (
    t.counters.cut <- t.counters.cut + 1;
    Frame.release (take t);
    drop_held t)

let set_up t up =
  t.up <- up;
  if not up then drop_held t
