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

(* Sends the frames that are due over [inner]; true if there were any. *)
let rec push_out out (inner : Link.t) ~now any =
  let frame = Lane.next out ~now in
  if frame == Frame.none then any
  else (
    inner#send ~now frame;
    push_out out inner ~now true)

class wrapped ~seed ~outbound ~inbound (inner : Link.t) : t =
  object (self)
    inherit Link.forward inner
    val out = Lane.create ~seed:[| seed; 0 |] outbound
    val in_ = Lane.create ~seed:[| seed; 1 |] inbound
    val stats = Link.stats ()
    val mutable refused = 0
    val mutable is_up = true
    val mutable is_open = true

    val mutable again_at = Time.never
    (** the time of a [receive] that left frames in the inner link, or never *)

    method private pull ~now ~left =
      let due = Lane.next in_ ~now in
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
          Lane.enter in_ ~now frame;
          self#pull ~now ~left:(left - 1))

    method! receive ~now =
      again_at <- Time.never;
      if not is_open then Frame.none
      else (
        if push_out out inner ~now false then inner#flush;
        self#pull ~now ~left:budget)

    method! send ~now frame =
      if is_open then (
        Lane.enter out ~now frame;
        ignore (push_out out inner ~now false : bool))
      else (
        refused <- refused + 1;
        Frame.release frame)

    method! deadline =
      Int.min again_at (Int.min (Lane.deadline out) (Int.min (Lane.deadline in_) inner#deadline))

    method! stats =
      let below = inner#stats in
      stats.tx_frames <- below.tx_frames;
      stats.tx_bytes <- below.tx_bytes;
      stats.tx_dropped <- below.tx_dropped + refused + Lane.dropped (Lane.counters out);
      stats.rx_dropped <- below.rx_dropped + Lane.dropped (Lane.counters in_);
      stats

    method! close =
      if is_open then (
        is_open <- false;
        again_at <- Time.never;
        self#set_down;
        inner#close)

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
  new wrapped ~seed ~outbound ~inbound inner
