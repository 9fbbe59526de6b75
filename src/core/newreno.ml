open Tcb

(* RFC 9937 §6.2: what duplicates say has arrived counts no more as in flight,
   and stands on top of cwnd, as nothing else takes it off the flight. *)
let pace t ~delivered =
  let c = t.congestion and arrived = Newreno_state.arrived t.newreno in
  let lost = if t.retransmit_first then t.mss else 0 in
  let pipe = Int.max 0 (flight t - arrived - lost) in
  Congestion.set_window c
    (arrived
    + Prr.window t.recovery.prr ~pipe ~ssthresh:(Congestion.ssthresh c) ~delivered ~safe:false
        ~mss:t.mss)

(* No more than was out when recovery began: a peer may send duplicates at will. *)
let arrives t bytes =
  let delivered = Int.min bytes (Prr.unknown t.recovery.prr) in
  if delivered > 0 then (
    Newreno_state.arrives t.newreno delivered;
    pace t ~delivered)

let begin_fast t =
  t.shared.counters.tcp_fast_retransmits <- t.shared.counters.tcp_fast_retransmits + 1;
  Congestion.reduce t.congestion ~flight:(flight t);
  t.timed_end <- -1;
  t.retransmit_first <- true;
  let before = Int.min (2 * t.mss) (flight t) in
  Newreno_state.arrives t.newreno before;
  Prr.start t.recovery.prr ~flight:(flight t - before);
  arrives t t.mss

let on_duplicate t =
  (match Newreno_state.on_duplicate t.newreno ~ack:t.snd_una ~snd_max:t.snd_max with
  | Enter -> begin_fast t
  | In_recovery -> arrives t t.mss
  | Send_new | Nothing -> ());
  want_output t

(* The next hole is first now. Of what was acknowledged, duplicates have told
   already. *)
let partial t ~acked =
  let known = Int.min acked (Newreno_state.arrived t.newreno) in
  Newreno_state.arrives t.newreno (-known);
  Congestion.set_window t.congestion (Congestion.window t.congestion - known);
  t.retransmit_first <- true;
  let delivered = Int.min (acked - known) (Prr.unknown t.recovery.prr) in
  if delivered > 0 then pace t ~delivered

let on_new_ack t ~acked ~before =
  let c = t.congestion in
  match Newreno_state.on_new_ack t.newreno ~ack:t.snd_una with
  | Normal ->
      Congestion.on_ack c ~now:t.shared.now ~srtt:(Rto.srtt_ns t.rto) ~rtt:(-1) ~snd_una:t.snd_una
        ~snd_nxt:t.snd_nxt ~acked ~in_flight:(flight t)
        ~limited:(Congestion.is_used c ~flight:before ~snd_una:t.snd_una ~snd_max:t.snd_max)
  | Partial -> partial t ~acked
  | Full -> Congestion.set_window c (Congestion.ssthresh c)

let on_sent t n = if Newreno_state.active t.newreno then Prr.on_sent t.recovery.prr n

let on_timeout t ~first =
  let c = t.congestion in
  if Newreno_state.active t.newreno then Congestion.set_window c (Congestion.ssthresh c);
  Congestion.on_timeout c ~flight:(flight t) ~first;
  Newreno_state.on_timeout t.newreno ~snd_max:t.snd_max
