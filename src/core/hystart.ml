open Weir_base

type t = {
  mutable window_end : Seq.t;
  mutable last_round_min : int;
  mutable round_min : int;
  mutable samples : int;
  mutable css_rounds : int;  (** -1 in standard slow start *)
  mutable css_baseline : int;
}

type verdict = Slow_start | Conservative | Leave

let min_rtt_thresh = Time.ms 4
let max_rtt_thresh = Time.ms 16
let min_rtt_divisor = 8
let n_rtt_sample = 8
let css_growth_divisor = 4
let css_rounds = 5

let create () =
  {
    window_end = -1;
    last_round_min = max_int;
    round_min = max_int;
    samples = 0;
    css_rounds = -1;
    css_baseline = max_int;
  }

(* If the comparison has wrapped around (after 2 GB without using the window), the round's end was
   acknowledged long ago. *)
let round_over t ~snd_una ~snd_nxt = Seq.leq t.window_end snd_una || Seq.lt snd_nxt t.window_end

(* §4.2: a round ends when the data sent at its beginning are acknowledged. *)
let begin_round t ~snd_nxt =
  t.window_end <- snd_nxt;
  t.last_round_min <- t.round_min;
  t.round_min <- max_int;
  t.samples <- 0

let slower t =
  let thresh =
    Int.max min_rtt_thresh (Int.min max_rtt_thresh (t.last_round_min / min_rtt_divisor))
  in
  t.samples >= n_rtt_sample && t.round_min < max_int && t.last_round_min < max_int
  && t.round_min >= t.last_round_min + thresh

let on_ack t ~rtt ~snd_una ~snd_nxt =
  if t.window_end < 0 then begin_round t ~snd_nxt
  else if round_over t ~snd_una ~snd_nxt then (
    begin_round t ~snd_nxt;
    if t.css_rounds >= 0 then t.css_rounds <- t.css_rounds + 1);
  if rtt >= 0 then (
    t.samples <- t.samples + 1;
    t.round_min <- Int.min t.round_min rtt);
  if t.css_rounds < 0 then (
    if slower t then (
      t.css_baseline <- t.round_min;
      t.css_rounds <- 0))
  else if t.samples >= n_rtt_sample && t.round_min < t.css_baseline then
    (* The growth was not caused by a queue: return to slow start. *)
    t.css_rounds <- -1;
  if t.css_rounds < 0 then Slow_start
  else if t.css_rounds >= css_rounds then Leave
  else Conservative

let grow t c (a : Congestion.ack) =
  let window = Congestion.window c in
  let growth =
    if Congestion.ssthresh c < max_int then a.acked
    else
      match on_ack t ~rtt:a.rtt ~snd_una:a.snd_una ~snd_nxt:a.snd_nxt with
      | Slow_start -> a.acked
      | Conservative -> a.acked / css_growth_divisor
      | Leave ->
          Congestion.set_ssthresh c window;
          0
  in
  Congestion.set_window c (Int.min (Congestion.ssthresh c) (window + growth))
