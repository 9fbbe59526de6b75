module Time = Weir_base.Time

type t = {
  mutable rate_bps : int;
  mutable queue_bytes : int;
  mutable queue_ns : Time.t;  (** transmission time of [queue_bytes] *)
  mutable free_at : Time.t;  (** when all queued frames will have left the queue *)
  mutable carry : int;
      (** the remainder of the last frame's transmission time below 1 ns, in units of 1/[rate_bps]
      *)
  mutable trace : Delivery_trace.t option;
  mutable start : Time.t;
  mutable turn : int;  (** of the trace, at which the last queued byte leaves; -1: none yet *)
  mutable room : int;  (** bytes that may still leave at [turn] *)
  mutable fullest : int;
}

let refused = -1
let unlimited = max_int

let set t ~rate_bps ~queue_bytes =
  t.trace <- None;
  t.rate_bps <- rate_bps;
  t.queue_bytes <- queue_bytes;
  t.queue_ns <-
    Float.to_int (Float.min 1e18 (float_of_int queue_bytes *. 8e9 /. float_of_int rate_bps));
  t.carry <- 0

let create ~rate_bps ~queue_bytes =
  let t =
    {
      rate_bps;
      queue_bytes;
      queue_ns = 0;
      free_at = min_int;
      carry = 0;
      trace = None;
      start = 0;
      turn = -1;
      room = 0;
      fullest = 0;
    }
  in
  set t ~rate_bps ~queue_bytes;
  t

let follow t ~start ~queue_bytes trace =
  t.trace <- Some trace;
  t.start <- start;
  t.queue_bytes <- queue_bytes;
  t.turn <- -1;
  t.room <- 0

let fullest t = t.fullest
let note t bytes = if bytes > t.fullest then t.fullest <- bytes

(* Of a queue that is never idle meanwhile every turn is used up. *)
let queued_by_trace t trace ~now =
  let due = Delivery_trace.first trace ~at:(now - t.start) in
  if due > t.turn then 0 else ((t.turn - due + 1) * Delivery_trace.bytes_each) - t.room

let queued t ~now =
  match t.trace with
  | Some trace -> queued_by_trace t trace ~now
  | None when t.free_at <= now || t.rate_bps = unlimited -> 0
  | None -> Float.to_int (float_of_int (t.free_at - now) *. float_of_int t.rate_bps /. 8e9)

(* Turns at which nothing waits are lost. *)
let admit_by_trace t trace ~now ~len =
  let before = queued_by_trace t trace ~now in
  if before > 0 && before + len > t.queue_bytes then refused
  else (
    (if before = 0 then
       let due = Delivery_trace.first trace ~at:(now - t.start) in
       if due > t.turn then (
         t.turn <- due;
         t.room <- Delivery_trace.bytes_each));
    let beyond = Int.max 0 (len - t.room) in
    let more = (beyond + Delivery_trace.bytes_each - 1) / Delivery_trace.bytes_each in
    t.turn <- t.turn + more;
    t.room <- t.room + (more * Delivery_trace.bytes_each) - len;
    note t (before + len);
    t.free_at <- t.start + Delivery_trace.time trace t.turn;
    t.free_at)

let backlog t ~now = if t.free_at <= now then 0 else t.free_at - now

let admit_by_rate t ~now ~len =
  let idle = t.free_at <= now in
  let work = (len * 8_000_000_000) + t.carry in
  let time = work / t.rate_bps in
  if (not idle) && t.free_at - now + time > t.queue_ns then refused
  else (
    t.carry <- work mod t.rate_bps;
    t.free_at <- (if idle then now else t.free_at) + time;
    note t (queued t ~now);
    t.free_at)

let admit t ~now ~len =
  match t.trace with
  | Some trace -> admit_by_trace t trace ~now ~len
  | None when t.rate_bps = unlimited -> Int.max now t.free_at
  | None -> admit_by_rate t ~now ~len
