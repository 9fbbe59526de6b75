open Weir_base
open Tcb

let tell_algorithm t ~pipe ~acked =
  let c = t.congestion in
  Congestion.on_ack c ~now:t.shared.now ~srtt:(Rto.srtt_ns t.rto) ~rtt:(Rack.sample t.rack)
    ~snd_una:t.snd_una ~snd_nxt:t.snd_nxt ~acked ~in_flight:(Scoreboard.in_flight t.board)
    ~limited:(Congestion.is_used c ~flight:pipe ~snd_una:t.snd_una ~snd_max:t.snd_max)

let pace t ~advanced =
  let board = t.board and c = t.congestion and prr = t.recovery.prr in
  let delivered = Scoreboard.delivered board and newly_lost = Scoreboard.newly_lost board in
  Congestion.pace c
    (if delivered > 0 || Prr.begins prr then
       Prr.window prr ~pipe:(Scoreboard.in_flight board) ~ssthresh:(Congestion.ssthresh c)
         ~delivered
         ~safe:(advanced && newly_lost = 0)
         ~mss:t.mss
     else
       (* Without this, the lost bytes that left the pipe would allow more to be sent than before. *)
       Congestion.window c - newly_lost)

let reduced_now t = Scoreboard.stamp t.board ~now:t.shared.now

let begin_fast t ~acked ~unknown =
  t.shared.counters.tcp_fast_retransmits <- t.shared.counters.tcp_fast_retransmits + 1;
  Congestion.remember t.congestion;
  (* One reduction for a round trip (RFC 3168 §6.1.2). *)
  if not (Ecn.responds t) then Congestion.reduce t.congestion ~flight:(flight t + acked);
  Ecn.reduced t;
  Recovery_state.enter t.recovery Fast ~at:(reduced_now t) ~snd_una:t.snd_una ~recover:t.snd_max;
  Prr.start t.recovery.prr ~flight:unknown

let finish t =
  if t.recovery.phase = Fast then Congestion.settle t.congestion;
  Congestion.recovered t.congestion;
  Rack.on_recovered t.rack;
  Recovery_state.leave t.recovery

let on_timeout t ~first ~sent_before =
  let e = t.recovery and c = t.congestion in
  if e.phase <> Timeout then (
    (* Fast recovery had its own reason: it stays even if the timeout was spurious. *)
    if e.phase = Fast then Congestion.settle c;
    Congestion.remember c);
  Congestion.on_timeout c ~flight:(flight t) ~first;
  Ecn.reduced t;
  if e.phase = Timeout then (
    e.recover <- t.snd_max;
    e.reduced_at <- reduced_now t)
  else Recovery_state.enter e Timeout ~at:(reduced_now t) ~snd_una:t.snd_una ~recover:t.snd_max;
  e.frto <- (if t.sack && not t.timestamps then Sent_first else No);
  Scoreboard.on_timeout t.board ~sent_before;
  t.reo_at <- Time.never;
  t.pto_at <- Time.never

(* The acknowledged segment was sent within the millisecond of the echoed timestamp. *)
let echo_at t (h : Segment.t) =
  if t.timestamps && h.ts_ecr <> 0 then
    let age = (timestamp_now t - h.ts_ecr) land 0xffff_ffff in
    if age < 0x8000_0000 then (((t.shared.now / 1_000_000) - age + 1) * 1_000_000) - 1 else max_int
  else max_int

let answers_original t ~echo_at =
  let e = t.recovery in
  e.may_undo && e.again_end >= 0 && Seq.leq e.again_end t.snd_una && echo_at < e.first_again_at

let undo t =
  t.shared.counters.tcp_undone <- t.shared.counters.tcp_undone + 1;
  if t.recovery.phase = Fast then Rack.on_undone t.rack;
  Congestion.undo t.congestion;
  Ecn.undone t;
  Scoreboard.forgive t.board;
  Recovery_state.undone t.recovery ~snd_max:t.snd_max

let on_sent t bytes = if t.recovery.phase = Fast then Prr.on_sent t.recovery.prr bytes
