open Weir_base

type t = {
  mutable delivered : int;
  mutable delivered_at : Time.t;
  mutable first_sent_at : Time.t;
  mutable app_limited_upto : int;
  mutable newest_sent_at : Time.t;
  mutable prior_delivered : int;
  mutable prior_at : Time.t;
  mutable send_elapsed : int;
  mutable ack_elapsed : int;
  mutable app_limited : bool;
  mutable sample : int;
  mutable interval : int;
  mutable tx_in_flight : int;
  mutable prior_lost : int;
  mutable lost : int;
  mutable lost_size : int;
  mutable lost_tx_in_flight : int;
  mutable lost_since : int;
  mutable lost_app_limited : bool;
  mutable on_lost : unit -> unit;
}

let create () =
  {
    delivered = 0;
    delivered_at = 0;
    first_sent_at = 0;
    app_limited_upto = 0;
    newest_sent_at = -1;
    prior_delivered = 0;
    prior_at = -1;
    send_elapsed = 0;
    ack_elapsed = 0;
    app_limited = false;
    sample = 0;
    interval = 0;
    tx_in_flight = 0;
    prior_lost = 0;
    lost = 0;
    lost_size = 0;
    lost_tx_in_flight = 0;
    lost_since = 0;
    lost_app_limited = false;
    on_lost = ignore;
  }

let none = create ()

let restart t ~now =
  t.delivered_at <- now;
  t.first_sent_at <- now

let begin_ack t =
  t.newest_sent_at <- -1;
  t.prior_at <- -1;
  t.sample <- 0;
  t.interval <- 0

let counts t ~now n =
  t.delivered <- t.delivered + n;
  t.delivered_at <- now

let corrects t n = t.delivered <- t.delivered + n
let stamp_words = 5

(* The fourth is the bytes in flight, and in its lowest bit whether the sender limits the rate. *)
let stamp t a i ~in_flight =
  a.(i) <- t.delivered;
  a.(i + 1) <- t.delivered_at;
  a.(i + 2) <- t.first_sent_at;
  a.(i + 3) <- (2 * in_flight) + Bool.to_int (t.app_limited_upto > 0);
  a.(i + 4) <- t.lost

let in_flight_of a i = a.(i + 3) / 2
let limited_of a i = a.(i + 3) land 1 = 1
let no_stamp a i = a.(i + 1) <- -1

let delivers t a i ~now ~bytes ~sent_at =
  counts t ~now bytes;
  let delivered_at = a.(i + 1) in
  if delivered_at >= 0 && sent_at > t.newest_sent_at then (
    t.newest_sent_at <- sent_at;
    t.prior_delivered <- a.(i);
    t.prior_at <- delivered_at;
    t.app_limited <- limited_of a i;
    t.tx_in_flight <- in_flight_of a i;
    t.prior_lost <- a.(i + 4);
    t.send_elapsed <- sent_at - a.(i + 2);
    t.ack_elapsed <- now - delivered_at;
    t.first_sent_at <- sent_at)

let loses t a i ~bytes =
  t.lost <- t.lost + bytes;
  if a.(i + 1) >= 0 then (
    t.lost_size <- bytes;
    t.lost_tx_in_flight <- in_flight_of a i;
    t.lost_since <- t.lost - a.(i + 4);
    t.lost_app_limited <- limited_of a i;
    t.on_lost ())

let set_on_lost t f = t.on_lost <- f

let end_ack t ~min_rtt =
  if t.app_limited_upto > 0 && t.delivered > t.app_limited_upto then t.app_limited_upto <- 0;
  if t.prior_at >= 0 then
    let interval = Int.max t.send_elapsed t.ack_elapsed in
    (* An interval shorter than any round trip is a flight acknowledged twice, or a clock error. *)
    if interval > 0 && (min_rtt = max_int || interval >= min_rtt) then (
      t.interval <- interval;
      t.sample <- Int.max 0 (t.delivered - t.prior_delivered))

let limit_by_app t ~in_flight = t.app_limited_upto <- Int.max 1 (t.delivered + in_flight)

let bytes_per_second t =
  if t.interval = 0 then 0
  else int_of_float (float_of_int t.sample *. 1e9 /. float_of_int t.interval)
