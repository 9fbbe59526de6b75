open Weir_base
open Tcb

let give_up t =
  (match t.state with
  | Syn_sent | Syn_received ->
      t.shared.counters.tcp_failed_opens <- t.shared.counters.tcp_failed_opens + 1
  | _ -> ());
  close t (Some t.soft_error)

(* An ICMP error from before the first retry was about other segments. *)
let forget_soft_error t = if connected t then t.soft_error <- Timed_out

let limit t =
  match t.state with
  | Syn_sent | Syn_received -> t.shared.config.syn_retries
  | _ -> t.shared.config.retries

let silent t = t.shared.now - t.last_received_at > t.shared.config.rto_max * 2

(* A FIN beyond a closed window is a probe of it, and a peer that answers is alive. *)
let waits_for_window t =
  match t.state with
  | Syn_sent | Syn_received -> false
  | _ -> t.snd_wnd = 0 && not (t.orphan || silent t)

let gives_up t =
  if User_timeout.is_set t then User_timeout.over t
  else t.retries >= limit t && not (waits_for_window t)

let out_of_time t =
  if t.retries = 0 then User_timeout.begins t ~at:(t.shared.now - Rto.current t.rto);
  gives_up t

(* RFC 6298 §5.4 to §5.7: the earliest segment is retransmitted, the timeout doubles, and sending
   restarts from SND.UNA. *)
let retransmission t =
  t.rtx_at <- Time.never;
  if Tcp_path.report_counts t then (
    (* The segments were too long: this is no sign of congestion. *)
    t.rtx_at <- t.shared.now + Rto.current t.rto;
    want_output t)
  else if out_of_time t then give_up t
  else (
    t.shared.counters.tcp_timeouts <- t.shared.counters.tcp_timeouts + 1;
    let first = t.retries = 0 in
    if first then forget_soft_error t;
    t.retries <- t.retries + 1;
    Rto.back_off t.rto;
    t.timed_end <- -1;
    (match t.state with
    | Syn_sent | Syn_received -> t.snd_nxt <- t.iss
    | _ ->
        if t.sack then Sack_recovery.on_timeout t ~first else Newreno.on_timeout t ~first;
        Tcp_path.on_timeout t;
        t.rtx_at <- User_timeout.clamp t (t.shared.now + Rto.current t.rto));
    want_output t)

(* A peer that keeps its window closed cannot make an orphan hold its buffer for ever. A connection
   with a user may wait while the peer answers. *)
let persist t =
  t.persist_at <- Time.never;
  if t.probes = 0 then User_timeout.begins t ~at:t.shared.now;
  if User_timeout.over t || (t.probes >= t.shared.config.retries && (t.orphan || silent t)) then
    give_up t
  else (
    if t.probes = 0 then forget_soft_error t;
    t.probes <- t.probes + 1;
    t.probe <- true;
    t.persist_at <- User_timeout.clamp t (t.shared.now + Rto.after t.rto ~doublings:t.probes);
    want_output t)

let delayed_ack t =
  t.delayed_ack_at <- Time.never;
  t.acks_owed <- Int.max 1 t.acks_owed;
  want_output t

(* As in Linux, a user timeout takes the place of the number of probes. *)
let unanswered t (k : Config.keepalive) =
  if User_timeout.is_set t then
    t.keepalive_sent > 0 && t.shared.now - t.last_received_at >= t.user_timeout
  else t.keepalive_sent >= k.probes

let keepalive t =
  t.keepalive_at <- Time.never;
  match t.keepalive with
  | None -> ()
  | Some k ->
      if flight t > 0 then t.keepalive_at <- t.shared.now + k.interval
      else if unanswered t k then give_up t
      else (
        if t.keepalive_sent = 0 then forget_soft_error t;
        t.keepalive_sent <- t.keepalive_sent + 1;
        t.keepalive_probe <- true;
        t.keepalive_at <- t.shared.now + k.interval;
        want_output t)

let idle_before_trim = Time.s 1

(* Zero-window probes are no activity: the waiting data need no larger buffer. *)
let trim t =
  let active = Int.max t.last_sent_at t.last_received_at in
  let idle = t.shared.now - active >= idle_before_trim in
  if idle || t.snd_wnd = 0 then (
    Send_queue.trim t.snd;
    Scoreboard.trim_storage t.board;
    Byte_ring.trim t.rcv);
  t.trim_at <- (if idle then Time.never else active + idle_before_trim)

let expire t =
  let now = t.shared.now in
  if t.end_at <= now then (
    match t.state with
    | Fin_wait_2 -> close t None
    | _ ->
        (* No user waits for the data that an orphan still has to send. *)
        t.shared.send_reset t;
        close t (Some Timed_out))
  else (
    if t.reo_at <= now then Sack_recovery.on_reorder_timer t;
    if t.pto_at <= now then Sack_recovery.on_probe_timer t;
    if t.rtx_at <= now then retransmission t;
    if t.persist_at <= now then persist t;
    if t.pace_at <= now then Pacing.expire t;
    if t.delayed_ack_at <= now then delayed_ack t;
    if t.keepalive_at <= now then keepalive t;
    if t.trim_at <= now then trim t);
  arm t
