type t = {
  min : int;
  max : int;
  mutable srtt : int;
  mutable rttvar : int;
  mutable base : int;
  mutable shift : int;
}

let create ~initial ~min ~max = { min; max; srtt = -1; rttvar = 0; base = initial; shift = 0 }
let clamp t x = Int.min t.max (Int.max t.min x)

(* §2.2 and §2.3, alpha 1/8, beta 1/4, K 4. The minimum is added to the round
   trip, because the ACK of a single segment may be delayed even on a steady path. *)
let sample t rtt =
  let rtt = Int.max 1 rtt in
  if t.srtt < 0 then (
    t.srtt <- rtt;
    t.rttvar <- rtt / 2)
  else (
    t.rttvar <- t.rttvar + ((abs (t.srtt - rtt) - t.rttvar) / 4);
    t.srtt <- t.srtt + ((rtt - t.srtt) / 8));
  t.base <- clamp t (t.srtt + Int.max t.min (4 * t.rttvar));
  t.shift <- 0

let current t = Int.min t.max (t.base lsl t.shift)
let after t ~doublings = Int.min t.max (t.base lsl Int.min 20 (Int.max t.shift doublings))
let back_off t = if current t < t.max then t.shift <- t.shift + 1

let after_lost_syn t =
  if t.srtt < 0 then (
    t.base <- clamp t (Int.max t.base (Weir_base.Time.s 3));
    t.shift <- 0)

let srtt_ns t = t.srtt
