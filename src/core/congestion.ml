type t = {
  mutable algorithm : Config.congestion;
  mutable mss : int;
  mutable cwnd : int;
  mutable ssthresh : int;
  mutable credit : int;
  mutable used_upto : Seq.t;
  mutable prior_cwnd : int;
  mutable prior_ssthresh : int;
  cubic : Cubic.t;
  hystart : Hystart.t;
}

(* Beyond this a window means nothing; it keeps sums far from overflow. *)
let largest = 1 lsl 30
let initial_window mss = Int.min (10 * mss) (Int.max (2 * mss) 14_600)

let create ~algorithm ~mss =
  {
    algorithm;
    mss;
    cwnd = initial_window mss;
    ssthresh = max_int;
    credit = 0;
    used_upto = -1;
    prior_cwnd = 0;
    prior_ssthresh = max_int;
    cubic = Cubic.create ();
    hystart = Hystart.create ();
  }

let set_mss t mss =
  t.mss <- mss;
  t.cwnd <- initial_window mss

let algorithm t = t.algorithm
let choose t algorithm = t.algorithm <- algorithm
let window t = t.cwnd
let ssthresh t = t.ssthresh
let set_window t w = t.cwnd <- Int.min largest (Int.max t.mss w)

(* Reno: one segment more for each window of bytes acknowledged (§3.1). *)
let avoid_congestion t ~now ~rtt ~acked =
  match t.algorithm with
  | Cubic -> set_window t (Cubic.increase t.cubic ~now ~rtt ~cwnd:t.cwnd ~mss:t.mss ~acked)
  | Reno ->
      t.credit <- t.credit + acked;
      if t.credit >= t.cwnd then (
        t.credit <- t.credit - t.cwnd;
        set_window t (t.cwnd + t.mss))

(* HyStart++ is for the first slow start: later ones have a threshold. *)
let slow_start t ~acked ~rtt ~snd_una ~snd_nxt =
  let growth =
    if t.ssthresh < max_int then acked
    else
      match Hystart.on_ack t.hystart ~rtt ~snd_una ~snd_nxt with
      | Slow_start -> acked
      | Conservative -> acked / Hystart.css_growth_divisor
      | Leave ->
          t.ssthresh <- t.cwnd;
          0
  in
  set_window t (Int.min t.ssthresh (t.cwnd + growth))

(* Only the first ACK of a flight finds it whole, but all of it filled the
   window. A number from long ago may seem to be ahead. *)
let is_used t ~flight ~snd_una ~snd_max =
  if flight + (2 * t.mss) >= t.cwnd then (
    t.used_upto <- snd_max;
    true)
  else t.used_upto >= 0 && Seq.leq snd_una t.used_upto && Seq.leq t.used_upto snd_max

let on_ack t ~now ~srtt ~rtt ~snd_una ~snd_nxt ~acked ~limited =
  if not limited then Cubic.on_unused t.cubic ~now
  else if t.cwnd < t.ssthresh then slow_start t ~acked ~rtt ~snd_una ~snd_nxt
  else avoid_congestion t ~now ~rtt:srtt ~acked

let lower t ~flight ~cwnd =
  let threshold =
    match t.algorithm with
    | Cubic -> Cubic.reduce t.cubic ~flight ~cwnd ~mss:t.mss
    | Reno -> flight / 2
  in
  t.ssthresh <- Int.max threshold (2 * t.mss);
  t.credit <- 0

(* What went beyond cwnd by limited transmit does not count (RFC 5681 §3.2). *)
let reduce t ~flight = lower t ~flight:(Int.min flight t.cwnd) ~cwnd:t.cwnd
let reduce_again t ~window = lower t ~flight:window ~cwnd:window

let on_timeout t ~flight ~first =
  if first then reduce t ~flight;
  Cubic.on_timeout t.cubic;
  t.cwnd <- t.mss

let remember t =
  t.prior_cwnd <- t.cwnd;
  t.prior_ssthresh <- t.ssthresh;
  Cubic.remember t.cubic

let undo t =
  t.cwnd <- Int.max t.cwnd t.prior_cwnd;
  t.ssthresh <- Int.max t.ssthresh t.prior_ssthresh;
  Cubic.undo t.cubic

let after_lost_syn t = t.cwnd <- t.mss
let on_idle t = t.cwnd <- Int.min t.cwnd (initial_window t.mss)
