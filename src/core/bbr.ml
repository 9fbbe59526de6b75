open Bbr_model

let margin_percent = 1

let set_pacing_rate t ~gain =
  let rate = t.bw * gain / 100 * (100 - margin_percent) / 100 in
  if rate > 0 && (t.full_bw_reached || rate > t.pacing_rate) then t.pacing_rate <- rate

(* Before there is a bandwidth: the initial window in the first round trip (§5.6.2). *)
let init_pacing_rate t c (a : Congestion.ack) =
  if t.pacing_rate = 0 && a.srtt > 0 then
    let us = Int.max 1 (a.srtt / 1_000) in
    t.pacing_rate <- Congestion.initial_window c * t.pacing_gain * 10_000 / us

(* §5.6.4.7. *)
let cap t c =
  let longterm =
    match t.state with
    | Down | Refill | Up -> t.inflight_longterm
    | Probe_rtt | Cruise -> inflight_with_headroom t c
    | Startup | Drain -> unbounded
  in
  Int.max (Int.min longterm t.inflight_shortterm) (least_window c)

(* §5.6.4.6. *)
let set_cwnd t c (a : Congestion.ack) =
  let max_inflight = inflight t c ~gain:t.cwnd_gain + extra_acked t in
  let window = Congestion.window c in
  let window =
    if t.full_bw_reached then Int.min (window + a.acked) max_inflight
    else if window < max_inflight || a.rate.delivered < Congestion.initial_window c then
      window + a.acked
    else window
  in
  let window = Int.max window (least_window c) in
  let window =
    if t.state = Probe_rtt then Int.min window (Bbr_phases.probe_rtt_window t c) else window
  in
  Congestion.set_window c (Int.min window (cap t c))

let begin_at_first_ack t (a : Congestion.ack) =
  if t.min_rtt_stamp < 0 then (
    t.min_rtt_stamp <- a.now;
    t.probe_rtt_min_stamp <- a.now;
    t.extra_acked_interval_start <- a.now)

let on_ack t c (a : Congestion.ack) =
  begin_at_first_ack t a;
  init_pacing_rate t c a;
  update_latest_delivery_signals t a;
  update_congestion_signals t c a;
  update_ack_aggregation t c a;
  Bbr_phases.check_full_bw_reached t a;
  Bbr_phases.check_startup_done t c a;
  Bbr_phases.check_drain_done t c a;
  Bbr_phases.update_cycle t c a;
  update_min_rtt t a;
  Bbr_phases.check_probe_rtt t c a;
  advance_latest_delivery_signals t a;
  bound_bw t;
  set_pacing_rate t ~gain:t.pacing_gain;
  set_cwnd t c a

(* §5.4.1. *)
let on_restart t c =
  let a = Congestion.last_ack c in
  if t.min_rtt_stamp >= 0 && a.rate.app_limited_upto > 0 then (
    t.idle_restart <- true;
    t.extra_acked_interval_start <- a.now;
    if is_in_probe_bw t then set_pacing_rate t ~gain:100
    else if t.state = Probe_rtt then Bbr_phases.check_probe_rtt_done t c a)

(* The draft leaves ECN as RFC 3168 has it to the implementation: a mark says what a loss says (RFC
   3168 §6.1.2), so that a round with one lowers the short-term bounds, and a probe for bandwidth
   with one went too far. *)
let on_marked t c =
  note_loss t c;
  if t.is_bw_probe_sample then
    Bbr_phases.inflight_too_high t c ~tx_in_flight:(Congestion.last_ack c).in_flight
      ~app_limited:false

let on_event t c (event : Congestion.event) =
  match event with
  | Loss_episode ->
      save_cwnd t c;
      t.in_recovery <- true
  | Timed_out -> Congestion.set_window c (Congestion.mss c)
  | Recovered ->
      t.in_recovery <- false;
      restore_cwnd t c
  | Undone ->
      t.in_recovery <- false;
      Bbr_phases.on_undone t c
  | Restart -> on_restart t c
  | Marked -> on_marked t c
  | Idle -> ()

let behaviour =
  {
    Congestion.name = "bbr";
    rate_samples = true;
    own_recovery = true;
    initial_window = Congestion.standard_initial_window;
    start = (fun _ -> create ());
    on_ack;
    on_lost = Bbr_phases.on_lost;
    threshold = (fun _ _ ~flight:_ ~window -> window);
    on_event;
    pacing_rate = (fun t _ -> t.pacing_rate);
  }

let algorithm = Congestion.Algorithm behaviour
