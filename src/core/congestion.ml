type t = {
  mutable mss : int;
  mutable cwnd : int;
  mutable ssthresh : int;
  mutable credit : int;
  mutable prior_cwnd : int;
  mutable prior_ssthresh : int;
}

(* Beyond this a window means nothing; it keeps sums far from overflow. *)
let largest = 1 lsl 30
let initial_window mss = Int.min (10 * mss) (Int.max (2 * mss) 14_600)

let create ~mss =
  {
    mss;
    cwnd = initial_window mss;
    ssthresh = max_int;
    credit = 0;
    prior_cwnd = 0;
    prior_ssthresh = max_int;
  }

let set_mss t mss =
  t.mss <- mss;
  t.cwnd <- initial_window mss

let window t = t.cwnd
let ssthresh t = t.ssthresh
let set_window t w = t.cwnd <- Int.min largest (Int.max t.mss w)

let on_ack t ~acked ~limited =
  if limited then
    if t.cwnd < t.ssthresh then set_window t (Int.min t.ssthresh (t.cwnd + acked))
    else (
      (* One segment more for each window of bytes acknowledged. *)
      t.credit <- t.credit + acked;
      if t.credit >= t.cwnd then (
        t.credit <- t.credit - t.cwnd;
        set_window t (t.cwnd + t.mss)))

let reduce t ~flight =
  t.ssthresh <- Int.max (flight / 2) (2 * t.mss);
  t.credit <- 0

let on_loss t ~flight =
  reduce t ~flight;
  set_window t (t.ssthresh + (3 * t.mss))

let on_duplicate t = set_window t (t.cwnd + t.mss)
let on_partial_ack t ~acked = set_window t (t.cwnd - acked + if acked >= t.mss then t.mss else 0)
let on_recovered t ~flight = set_window t (Int.min t.ssthresh (Int.max flight t.mss + t.mss))

let on_timeout t ~flight ~first =
  if first then reduce t ~flight;
  t.cwnd <- t.mss

let remember t =
  t.prior_cwnd <- t.cwnd;
  t.prior_ssthresh <- t.ssthresh

let undo t =
  t.cwnd <- Int.max t.cwnd t.prior_cwnd;
  t.ssthresh <- Int.max t.ssthresh t.prior_ssthresh

let after_lost_syn t = t.cwnd <- t.mss
let on_idle t = t.cwnd <- Int.min t.cwnd (initial_window t.mss)
