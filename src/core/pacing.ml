open Weir_base
open Tcb

let quantum = Time.ms 1

(* 10 Gbit/s. *)
let fastest = 1_250_000_000
let initial_segments = 10

let release t =
  if t.pace_at <> Time.never then (
    t.pace_at <- Time.never;
    want_output t)

let set t rate =
  if rate <= 0 || rate >= fastest then (
    t.pace_rate <- 0;
    release t)
  else (
    t.pace_rate <- rate;
    t.pace_most <- Int.max (2 * t.mss) (rate / 1_000))

let update t =
  let srtt = Rto.srtt_ns t.rto and c = t.congestion in
  if (srtt >= Congestion.least_paced || Congestion.own_recovery c) && t.shared.config.pacing then (
    let rate = Congestion.pacing_rate c ~srtt ~flight:(flight t) in
    if rate <> t.pace_rate then set t rate)
  else if t.pace_rate > 0 then set t 0

let holds t =
  Scoreboard.in_flight t.board > 0
  && (t.pace_at <> Time.never
     || t.pace_free_at >= t.shared.now + quantum
        &&
        (t.pace_at <- t.pace_free_at;
         arm t;
         true))

let[@inline] takes t n = n * 1_000_000_000 / t.pace_rate

(* A timer that fired late does not lower the rate. Credit for the first segments lasts for this
   instant. *)
let sends t n =
  let now = t.shared.now in
  let from =
    if Scoreboard.in_flight t.board = 0 then now - takes t (initial_segments * t.mss)
    else if t.last_sent_at = now then t.pace_free_at
    else now - quantum
  in
  t.pace_free_at <- Int.max t.pace_free_at from + takes t n

let expire t =
  t.pace_at <- Time.never;
  want_output t
