open Weir_base
open Bbr_model

let enter t state ~pacing ~cwnd =
  t.state <- state;
  t.pacing_gain <- pacing;
  t.cwnd_gain <- cwnd

let enter_startup t = enter t Startup ~pacing:277 ~cwnd:200

(* -- the cycle: §5.3.3 ----------------------------------------------------- *)

(* Random numbers keep flows from probing in step. *)
let pick_probe_wait t c =
  t.rounds_since_probe_up <- Congestion.random c 2;
  t.bw_probe_wait <- Time.s 2 + Time.ms (Congestion.random c 1_000)

let start_down t c (a : Congestion.ack) =
  reset_congestion_signals t;
  t.probe_up_acked_per_inc <- unbounded;
  pick_probe_wait t c;
  t.cycle_stamp <- a.now;
  t.ack_phase <- Probe_stopping;
  start_round t a;
  enter t Down ~pacing:90 ~cwnd:200

let start_cruise t = enter t Cruise ~pacing:100 ~cwnd:200

let start_refill t a =
  reset_shortterm_model t;
  t.bw_probe_up_rounds <- 0;
  t.bw_probe_up_acked <- 0;
  t.prev_probe_precautionary <- false;
  t.ack_phase <- Refilling;
  start_round t a;
  enter t Refill ~pacing:100 ~cwnd:200

let raise_slope t c =
  let growth = 1 lsl t.bw_probe_up_rounds in
  t.bw_probe_up_rounds <- Int.min 30 (t.bw_probe_up_rounds + 1);
  t.probe_up_acked_per_inc <- Int.max (Congestion.window c / growth) (Congestion.mss c)

let start_up t c a =
  t.ack_phase <- Probe_starting;
  start_round t a;
  reset_full_bw t;
  t.full_bw <- t.delivery_rate;
  enter t Up ~pacing:125 ~cwnd:225;
  raise_slope t c

let reno_rounds = 63

let time_to_probe t c (a : Congestion.ack) =
  a.now > t.cycle_stamp + t.bw_probe_wait
  || t.rounds_since_probe_up >= Int.min reno_rounds (target_inflight t c / Congestion.mss c)

let time_to_cruise t c (a : Congestion.ack) =
  a.in_flight <= inflight_with_headroom t c && a.in_flight <= inflight t c ~gain:100

let is_limited_by_longterm t c (a : Congestion.ack) =
  a.limited && Congestion.window c >= t.inflight_longterm

let time_to_go_down t c (a : Congestion.ack) =
  if t.prev_probe_too_high && a.in_flight >= t.inflight_longterm then (
    t.prev_probe_precautionary <- true;
    true)
  else if is_limited_by_longterm t c a then (
    reset_full_bw t;
    t.full_bw <- t.delivery_rate;
    false)
  else t.full_bw_now

let probe_longterm_upward t c (a : Congestion.ack) =
  if is_limited_by_longterm t c a then (
    t.bw_probe_up_acked <- t.bw_probe_up_acked + a.acked;
    if t.bw_probe_up_acked >= t.probe_up_acked_per_inc then (
      let n = t.bw_probe_up_acked / t.probe_up_acked_per_inc in
      t.bw_probe_up_acked <- t.bw_probe_up_acked - (n * t.probe_up_acked_per_inc);
      t.inflight_longterm <- t.inflight_longterm + (n * Congestion.mss c));
    if t.round_start then raise_slope t c)

let raise_longterm t c (a : Congestion.ack) =
  let r = a.rate in
  let lost = r.lost - r.prior_lost and tx_in_flight = r.tx_in_flight in
  if t.inflight_longterm < unbounded && not (is_too_high ~lost ~tx_in_flight ~sack:a.sack) then (
    if r.prior_at >= 0 && tx_in_flight > t.inflight_longterm then
      t.inflight_longterm <- tx_in_flight;
    if t.state = Up then probe_longterm_upward t c a)

(* AdaptLongTermModel: true if it decided a transition. *)
let adapt_longterm t c (a : Congestion.ack) =
  if t.ack_phase = Probe_starting && t.round_start then t.ack_phase <- Probe_feedback;
  let again =
    t.ack_phase = Probe_stopping && t.round_start
    &&
    (t.is_bw_probe_sample <- false;
     t.ack_phase <- Acks_init;
     is_in_probe_bw t
     &&
     (if not a.rate.app_limited then advance_max_bw_filter t;
      t.prev_probe_precautionary && not t.prev_probe_too_high))
  in
  if again then start_refill t a else raise_longterm t c a;
  again

let update_cycle t c a =
  if t.full_bw_reached && (not (adapt_longterm t c a)) && is_in_probe_bw t then
    match t.state with
    | Down ->
        if time_to_probe t c a then start_refill t a
        else if time_to_cruise t c a then start_cruise t
    | Cruise -> if time_to_probe t c a then start_refill t a
    | Refill ->
        if t.round_start then (
          t.is_bw_probe_sample <- true;
          start_up t c a)
    | Up ->
        if time_to_go_down t c a then (
          t.prev_probe_too_high <- false;
          start_down t c a)
    | Startup | Drain | Probe_rtt -> ()

(* -- Startup and Drain: §5.3.1, §5.3.2 -------------------------------------- *)

let check_full_bw_reached t (a : Congestion.ack) =
  if t.round_start && not (t.full_bw_now || a.rate.app_limited) then
    if t.delivery_rate * 4 >= t.full_bw * 5 then (
      reset_full_bw t;
      t.full_bw <- t.delivery_rate)
    else (
      t.full_bw_count <- t.full_bw_count + 1;
      t.full_bw_now <- t.full_bw_count >= 3;
      if t.full_bw_now then t.full_bw_reached <- true)

let full_loss_events = 6

let check_startup_high_loss t c (a : Congestion.ack) =
  if t.loss_seen then t.loss_events_in_round <- t.loss_events_in_round + 1;
  t.loss_seen <- false;
  (if not t.full_bw_reached then
     let r = a.rate in
     if
       t.loss_round_start && t.in_recovery
       && (t.loss_events_in_round >= full_loss_events || not a.sack)
       && is_too_high ~lost:(r.lost - r.prior_lost) ~tx_in_flight:r.tx_in_flight ~sack:a.sack
     then (
       t.undo_state <- Some Startup;
       t.full_bw_reached <- true;
       t.inflight_longterm <-
         Int.max (bdp t ~initial:(Congestion.initial_window c)) t.inflight_latest));
  if t.loss_round_start then t.loss_events_in_round <- 0

let check_startup_done t c a =
  check_startup_high_loss t c a;
  if t.state = Startup && t.full_bw_reached then (
    enter t Drain ~pacing:50 ~cwnd:200;
    t.drain_start_round <- t.round_count)

let check_drain_done t c (a : Congestion.ack) =
  if
    t.state = Drain
    && (a.in_flight <= inflight t c ~gain:100 || t.round_count > t.drain_start_round + 3)
  then start_down t c a

(* -- ProbeRTT: §5.3.4 -------------------------------------------------------- *)

let probe_rtt_duration = Time.ms 200

let probe_rtt_window t c =
  Int.max (bdp t ~initial:(Congestion.initial_window c) / 2) (least_window c)

let leave_probe_rtt t c a =
  reset_shortterm_model t;
  if t.full_bw_reached then (
    start_down t c a;
    start_cruise t)
  else enter_startup t

let check_probe_rtt_done t c (a : Congestion.ack) =
  if t.probe_rtt_done_stamp >= 0 && a.now > t.probe_rtt_done_stamp then (
    t.probe_rtt_min_stamp <- a.now;
    restore_cwnd t c;
    leave_probe_rtt t c a)

let handle_probe_rtt t c (a : Congestion.ack) =
  (* Samples of the low rate must not count. *)
  Delivery_rate.limit_by_app a.rate ~in_flight:a.in_flight;
  if t.probe_rtt_done_stamp < 0 then (
    if a.in_flight <= probe_rtt_window t c then (
      t.probe_rtt_done_stamp <- a.now + probe_rtt_duration;
      t.probe_rtt_round_done <- false;
      start_round t a))
  else (
    if t.round_start then t.probe_rtt_round_done <- true;
    if t.probe_rtt_round_done then check_probe_rtt_done t c a)

let check_probe_rtt t c (a : Congestion.ack) =
  if t.state <> Probe_rtt && t.probe_rtt_expired && not t.idle_restart then (
    save_cwnd t c;
    enter t Probe_rtt ~pacing:100 ~cwnd:50;
    t.probe_rtt_done_stamp <- -1;
    t.ack_phase <- Probe_stopping;
    start_round t a);
  if t.state = Probe_rtt then handle_probe_rtt t c a;
  if a.rate.sample > 0 then t.idle_restart <- false

(* -- losses: §5.5.10, §5.5.11 ------------------------------------------------ *)

let inflight_too_high t c ~tx_in_flight ~app_limited =
  t.prev_probe_too_high <- true;
  t.is_bw_probe_sample <- false;
  if not app_limited then
    t.inflight_longterm <- Int.max tx_in_flight (target_inflight t c * beta_percent / 100);
  if t.state = Up then (
    t.undo_state <- Some Up;
    start_down t c (Congestion.last_ack c))

let on_lost t c =
  note_loss t c;
  let { Delivery_rate.lost_size = size; lost_since; lost_tx_in_flight = tx; lost_app_limited; _ } =
    Congestion.rate c
  in
  let sack = (Congestion.last_ack c).sack in
  if t.is_bw_probe_sample && is_too_high ~lost:lost_since ~tx_in_flight:tx ~sack then
    inflight_too_high t c
      ~tx_in_flight:(inflight_at_loss ~tx_in_flight:tx ~lost:lost_since ~size)
      ~app_limited:lost_app_limited

let on_undone t c =
  let a = Congestion.last_ack c and state = t.undo_state in
  restore_cwnd t c;
  t.is_loss_in_round <- false;
  reset_full_bw t;
  t.bw_shortterm <- Int.max t.bw_shortterm t.undo_bw_shortterm;
  t.inflight_shortterm <- Int.max t.inflight_shortterm t.undo_inflight_shortterm;
  t.inflight_longterm <- Int.max t.inflight_longterm t.undo_inflight_longterm;
  (match state with
  | Some Startup when t.state <> Startup ->
      t.full_bw_reached <- false;
      if t.state <> Probe_rtt then enter_startup t
  | Some Up when t.state <> Up && t.state <> Probe_rtt -> start_refill t a
  | _ -> ());
  t.undo_state <- None
