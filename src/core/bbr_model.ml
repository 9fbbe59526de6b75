open Weir_base

type state = Startup | Drain | Down | Cruise | Refill | Up | Probe_rtt
type ack_phase = Acks_init | Refilling | Probe_starting | Probe_feedback | Probe_stopping

type t = {
  mutable state : state;
  mutable pacing_gain : int;
  mutable cwnd_gain : int;
  mutable pacing_rate : int;
  mutable next_round_delivered : int;
  mutable round_start : bool;
  mutable round_count : int;
  mutable drain_start_round : int;
  mutable bw : int;
  mutable max_bw : int;
  mutable max_bw_now : int;
  mutable max_bw_before : int;
  mutable bw_shortterm : int;
  mutable delivery_rate : int;
  mutable min_rtt : int;
  mutable min_rtt_stamp : Time.t;
  mutable probe_rtt_min_delay : int;
  mutable probe_rtt_min_stamp : Time.t;
  mutable probe_rtt_expired : bool;
  mutable probe_rtt_done_stamp : Time.t;
  mutable probe_rtt_round_done : bool;
  mutable idle_restart : bool;
  mutable inflight_longterm : int;
  mutable inflight_shortterm : int;
  mutable extra_acked_now : int;
  mutable extra_acked_before : int;
  mutable extra_acked_round : int;
  mutable extra_acked_interval_start : Time.t;
  mutable extra_acked_delivered : int;
  mutable bw_latest : int;
  mutable inflight_latest : int;
  mutable loss_round_delivered : int;
  mutable loss_round_start : bool;
  mutable is_loss_in_round : bool;
  mutable loss_seen : bool;
  mutable loss_events_in_round : int;
  mutable in_recovery : bool;
  mutable prior_cwnd : int;
  mutable full_bw : int;
  mutable full_bw_count : int;
  mutable full_bw_now : bool;
  mutable full_bw_reached : bool;
  mutable ack_phase : ack_phase;
  mutable cycle_stamp : Time.t;
  mutable bw_probe_wait : int;
  mutable rounds_since_probe_up : int;
  mutable bw_probe_up_rounds : int;
  mutable bw_probe_up_acked : int;
  mutable probe_up_acked_per_inc : int;
  mutable is_bw_probe_sample : bool;
  mutable prev_probe_too_high : bool;
  mutable prev_probe_precautionary : bool;
  mutable undo_state : state option;
  mutable undo_bw_shortterm : int;
  mutable undo_inflight_shortterm : int;
  mutable undo_inflight_longterm : int;
}

let unbounded = max_int

let create () =
  {
    state = Startup;
    pacing_gain = 277;
    cwnd_gain = 200;
    pacing_rate = 0;
    next_round_delivered = 0;
    round_start = false;
    round_count = 0;
    drain_start_round = 0;
    bw = 0;
    max_bw = 0;
    max_bw_now = 0;
    max_bw_before = 0;
    bw_shortterm = unbounded;
    delivery_rate = 0;
    min_rtt = unbounded;
    min_rtt_stamp = -1;
    probe_rtt_min_delay = unbounded;
    probe_rtt_min_stamp = 0;
    probe_rtt_expired = false;
    probe_rtt_done_stamp = -1;
    probe_rtt_round_done = false;
    idle_restart = false;
    inflight_longterm = unbounded;
    inflight_shortterm = unbounded;
    extra_acked_now = 0;
    extra_acked_before = 0;
    extra_acked_round = 0;
    extra_acked_interval_start = 0;
    extra_acked_delivered = 0;
    bw_latest = 0;
    inflight_latest = 0;
    loss_round_delivered = 0;
    loss_round_start = false;
    is_loss_in_round = false;
    loss_seen = false;
    loss_events_in_round = 0;
    in_recovery = false;
    prior_cwnd = 0;
    full_bw = 0;
    full_bw_count = 0;
    full_bw_now = false;
    full_bw_reached = false;
    ack_phase = Acks_init;
    cycle_stamp = 0;
    bw_probe_wait = 0;
    rounds_since_probe_up = 0;
    bw_probe_up_rounds = 0;
    bw_probe_up_acked = 0;
    probe_up_acked_per_inc = unbounded;
    is_bw_probe_sample = false;
    prev_probe_too_high = false;
    prev_probe_precautionary = false;
    undo_state = None;
    undo_bw_shortterm = unbounded;
    undo_inflight_shortterm = unbounded;
    undo_inflight_longterm = unbounded;
  }

let is_probing_bw t = match t.state with Startup | Refill | Up -> true | _ -> false

let is_in_probe_bw t =
  match t.state with Down | Cruise | Refill | Up -> true | Startup | Drain | Probe_rtt -> false

(* -- constants ------------------------------------------------------------ *)

let beta_percent = 70
let loss_percent = 2
let headroom_percent = 15
let min_rtt_filter = Time.s 10
let probe_rtt_interval = Time.s 5
let extra_acked_rounds = 5 (* two slots of it *)
let largest_quantum = 65_536

(* With these bounds no product below overflows. *)
let fastest = 100_000_000_000
let longest_rtt = Time.s 30
let most_in_flight = 1 lsl 30

(* -- rounds and bandwidth -------------------------------------------------- *)

let start_round t (a : Congestion.ack) = t.next_round_delivered <- a.rate.delivered

let update_round t (a : Congestion.ack) =
  t.round_start <- a.rate.prior_at >= 0 && a.rate.prior_delivered >= t.next_round_delivered;
  if t.round_start then (
    start_round t a;
    t.round_count <- t.round_count + 1;
    t.rounds_since_probe_up <- t.rounds_since_probe_up + 1)

let update_max_bw t (a : Congestion.ack) =
  update_round t a;
  if t.delivery_rate > 0 && (t.delivery_rate >= t.max_bw || not a.rate.app_limited) then (
    t.max_bw_now <- Int.max t.max_bw_now t.delivery_rate;
    t.max_bw <- Int.max t.max_bw_now t.max_bw_before)

let advance_max_bw_filter t =
  t.max_bw_before <- t.max_bw_now;
  t.max_bw_now <- 0;
  t.max_bw <- t.max_bw_before

let bound_bw t = t.bw <- Int.min t.max_bw t.bw_shortterm

(* -- bytes in flight -------------------------------------------------------- *)

let least_window c = 4 * Congestion.mss c

let bdp t ~initial =
  if t.min_rtt = unbounded then initial
  else Int.min most_in_flight (t.bw * (t.min_rtt / 1_000) / 1_000_000)

let quantum t c = Int.max (2 * Congestion.mss c) (Int.min largest_quantum (t.pacing_rate / 1_000))

let inflight t c ~gain =
  let n = bdp t ~initial:(Congestion.initial_window c) * gain / 100 in
  let n = Int.max (Int.max n (3 * quantum t c)) (least_window c) in
  if t.state = Up then n + (2 * Congestion.mss c) else n

let target_inflight t c =
  Int.min (bdp t ~initial:(Congestion.initial_window c)) (Congestion.window c)

let inflight_with_headroom t c =
  if t.inflight_longterm = unbounded then unbounded
  else
    let headroom = Int.max (Congestion.mss c) (t.inflight_longterm * headroom_percent / 100) in
    Int.max (t.inflight_longterm - headroom) (least_window c)

let extra_acked t = Int.max t.extra_acked_now t.extra_acked_before

let note_extra t extra =
  let span = if t.full_bw_reached then extra_acked_rounds else 1 in
  if t.round_count >= t.extra_acked_round + span then (
    t.extra_acked_before <- t.extra_acked_now;
    t.extra_acked_now <- 0;
    t.extra_acked_round <- t.round_count);
  t.extra_acked_now <- Int.max t.extra_acked_now extra

let update_ack_aggregation t c (a : Congestion.ack) =
  let interval = Int.min (Time.s 10) (a.now - t.extra_acked_interval_start) in
  let expected = t.bw * (interval / 1_000) / 1_000_000 in
  let expected =
    if t.extra_acked_delivered <= expected then (
      t.extra_acked_delivered <- 0;
      t.extra_acked_interval_start <- a.now;
      0)
    else expected
  in
  t.extra_acked_delivered <- t.extra_acked_delivered + a.acked;
  note_extra t (Int.min (t.extra_acked_delivered - expected) (Congestion.window c))

(* -- the round trip --------------------------------------------------------- *)

let update_min_rtt t (a : Congestion.ack) =
  t.probe_rtt_expired <- a.now > t.probe_rtt_min_stamp + probe_rtt_interval;
  if a.rtt >= 0 && (a.rtt < t.probe_rtt_min_delay || t.probe_rtt_expired) then (
    t.probe_rtt_min_delay <- Int.min longest_rtt (Int.max 1_000 a.rtt);
    t.probe_rtt_min_stamp <- a.now);
  if t.probe_rtt_min_delay < t.min_rtt || a.now > t.min_rtt_stamp + min_rtt_filter then (
    t.min_rtt <- t.probe_rtt_min_delay;
    t.min_rtt_stamp <- t.probe_rtt_min_stamp)

(* -- losses ----------------------------------------------------------------- *)

let reset_full_bw t =
  t.full_bw <- 0;
  t.full_bw_count <- 0;
  t.full_bw_now <- false

let reset_congestion_signals t =
  t.is_loss_in_round <- false;
  t.bw_latest <- 0;
  t.inflight_latest <- 0

let reset_shortterm_model t =
  t.bw_shortterm <- unbounded;
  t.inflight_shortterm <- unbounded

let update_latest_delivery_signals t (a : Congestion.ack) =
  let r = a.rate in
  t.delivery_rate <- Int.min fastest (Delivery_rate.bytes_per_second r);
  t.loss_round_start <- false;
  t.bw_latest <- Int.max t.bw_latest t.delivery_rate;
  t.inflight_latest <- Int.max t.inflight_latest r.sample;
  if r.prior_at >= 0 && r.prior_delivered >= t.loss_round_delivered then (
    t.loss_round_delivered <- r.delivered;
    t.loss_round_start <- true)

let advance_latest_delivery_signals t (a : Congestion.ack) =
  if t.loss_round_start then (
    t.bw_latest <- t.delivery_rate;
    t.inflight_latest <- a.rate.sample)

let lowered value = value / 100 * beta_percent

let adapt_lower_bounds t c =
  if t.is_loss_in_round && not (is_probing_bw t) then (
    if t.bw_shortterm = unbounded then t.bw_shortterm <- t.max_bw;
    if t.inflight_shortterm = unbounded then t.inflight_shortterm <- Congestion.window c;
    t.bw_shortterm <- Int.max t.bw_latest (lowered t.bw_shortterm);
    t.inflight_shortterm <- Int.max t.inflight_latest (lowered t.inflight_shortterm))

let update_congestion_signals t c (a : Congestion.ack) =
  update_max_bw t a;
  if t.loss_round_start then (
    adapt_lower_bounds t c;
    t.is_loss_in_round <- false)

let save_cwnd t c =
  let window = Congestion.window c in
  t.prior_cwnd <-
    (if t.in_recovery || t.state = Probe_rtt then Int.max t.prior_cwnd window else window)

let restore_cwnd t c = Congestion.set_window c (Int.max (Congestion.window c) t.prior_cwnd)

let save_state t c =
  save_cwnd t c;
  t.undo_state <- None;
  t.undo_bw_shortterm <- t.bw_shortterm;
  t.undo_inflight_shortterm <- t.inflight_shortterm;
  t.undo_inflight_longterm <- t.inflight_longterm

let note_loss t c =
  t.loss_seen <- true;
  if not t.is_loss_in_round then (
    t.loss_round_delivered <- (Congestion.rate c).delivered;
    save_state t c;
    t.is_loss_in_round <- true)

let is_too_high ~lost ~tx_in_flight ~sack =
  if sack then lost * 100 > tx_in_flight * loss_percent else lost > 0

let inflight_at_loss ~tx_in_flight ~lost ~size =
  let before = tx_in_flight - size and lost_before = lost - size in
  let prefix = ((loss_percent * before) - (100 * lost_before)) / (100 - loss_percent) in
  Int.max 0 (before + prefix)
