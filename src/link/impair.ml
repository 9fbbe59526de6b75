module Time = Weir_base.Time

class type t = object
  inherit Link.t
  method set : ?outbound:Impairment.t -> ?inbound:Impairment.t -> unit -> unit
  method set_down : unit
  method set_up : unit
  method is_up : bool
  method outbound : Lane.counters
  method inbound : Lane.counters
  method held : int
end

(* The most frames that one [receive] takes from the inner link while none is due, so that it
   returns even in a flood of frames that are all lost. *)
let budget = 1024

let rec next_of lanes n ~now =
  if n = Array.length lanes then Frame.none
  else
    let frame = Lane.next lanes.(n) ~now in
    if frame == Frame.none then next_of lanes (n + 1) ~now else frame

(* Sends the frames that are due over [inner]; true if there were any. *)
let rec push_out out (inner : Link.t) ~now any =
  let frame = next_of out 0 ~now in
  if frame == Frame.none then any
  else (
    inner#send ~now frame;
    push_out out inner ~now true)

let soonest lanes =
  Array.fold_left (fun at lane -> Int.min at (Lane.deadline lane)) Time.never lanes

let dropped lanes = Array.fold_left (fun n l -> n + Lane.dropped (Lane.counters l)) 0 lanes
let down lanes = Array.iter (fun lane -> Lane.set_up lane false) lanes

type way = { lanes : Lane.t array; enter : now:Time.t -> Frame.t -> unit }

class through ~(outbound : way) ~(inbound : way) (inner : Link.t) : Link.t =
  object (self)
    inherit Link.forward inner
    val stats = Link.stats ()
    val mutable refused = 0
    val mutable is_open = true

    val mutable again_at = Time.never
    (** the time of a [receive] that left frames in the inner link, or never *)

    method private pull ~now ~left =
      let due = next_of inbound.lanes 0 ~now in
      if due != Frame.none then (
        Link.received stats due;
        due)
      else if left = 0 then (
        again_at <- now;
        Frame.none)
      else
        let frame = inner#receive ~now in
        if frame == Frame.none then Frame.none
        else (
          inbound.enter ~now frame;
          self#pull ~now ~left:(left - 1))

    method! receive ~now =
      again_at <- Time.never;
      if not is_open then Frame.none
      else (
        if push_out outbound.lanes inner ~now false then inner#flush;
        self#pull ~now ~left:budget)

    method! send ~now frame =
      if is_open then (
        outbound.enter ~now frame;
        ignore (push_out outbound.lanes inner ~now false : bool))
      else (
        refused <- refused + 1;
        Frame.release frame)

    method! deadline =
      Int.min again_at
        (Int.min (soonest outbound.lanes) (Int.min (soonest inbound.lanes) inner#deadline))

    method! stats =
      let below = inner#stats in
      stats.tx_frames <- below.tx_frames;
      stats.tx_bytes <- below.tx_bytes;
      stats.tx_dropped <- below.tx_dropped + refused + dropped outbound.lanes;
      stats.rx_dropped <- below.rx_dropped + dropped inbound.lanes;
      stats

    method! close =
      if is_open then (
        is_open <- false;
        again_at <- Time.never;
        down outbound.lanes;
        down inbound.lanes;
        inner#close)
  end

let through ~outbound ~inbound inner = new through ~outbound ~inbound inner

let way lane =
  { lanes = [| lane |]; enter = (fun ~now f -> ignore (Lane.enter lane ~now f : Lane.fate)) }

class wrapped ~out ~in_ inner : t =
  object (self)
    inherit through ~outbound:(way out) ~inbound:(way in_) inner
    val mutable is_up = true

    method set ?outbound ?inbound () =
      Option.iter (Lane.set out) outbound;
      Option.iter (Lane.set in_) inbound

    method private switch up =
      is_up <- up;
      Lane.set_up out up;
      Lane.set_up in_ up

    method set_down = self#switch false
    method set_up = self#switch true
    method is_up = is_up
    method outbound = Lane.counters out
    method inbound = Lane.counters in_
    method held = Lane.held out + Lane.held in_
  end

let wrap ~seed ?(outbound = Impairment.none) ?(inbound = Impairment.none) inner =
  new wrapped
    ~out:(Lane.create ~seed:[| seed; 0 |] outbound)
    ~in_:(Lane.create ~seed:[| seed; 1 |] inbound)
    inner
