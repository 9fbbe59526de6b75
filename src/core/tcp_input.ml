open Weir_base
open Tcb

type verdict = Done | Reply_reset | Other_handshake

(* RFC 9293 §3.7.1: a peer that names no MSS gets the default. *)
let default_mss t = if Weir_wire.Ip.is_v4 t.remote then 536 else 1_220

(* A peer with a smaller MSS could make us send almost only headers. *)
let least_mss = 88

let learn_options t (h : Segment.t) =
  let peer = if h.mss < 0 then default_mss t else Int.max least_mss h.mss in
  t.timestamps <- h.ts_val >= 0 && t.shared.config.timestamps;
  if t.timestamps then (
    t.ts_recent <- h.ts_val;
    t.ts_recent_at <- t.shared.now);
  t.sack <- h.sack_permitted && t.shared.config.sack;
  if h.user_timeout >= 0 then User_timeout.received t h;
  Ecn.agree t h;
  t.mss_limit <- (Int.min peer t.local_mss - if t.timestamps then 12 else 0);
  t.mss <- Tcp_path.goal t;
  t.path_seen <- -1;
  t.rcv_mss <- Int.min (default_mss t) t.mss;
  Congestion.set_mss t.congestion t.mss;
  Congestion.set_sack t.congestion t.sack;
  Scoreboard.set_bounds t.board ~mss:t.mss ~buffer:t.shared.config.send_buffer;
  if h.window_scale >= 0 then (
    t.snd_scale <- h.window_scale;
    t.rcv_scale <- window_scale t.shared);
  t.irs <- h.seq;
  t.rcv_nxt <- Seq.add h.seq 1;
  t.rcv_adv <- Seq.add t.rcv_nxt (Int.min 65_535 t.rcv_limit);
  t.last_ack_sent <- t.rcv_nxt;
  (* The window in a SYN is never scaled (RFC 7323 §2.2). *)
  t.snd_wnd <- h.window;
  t.max_snd_wnd <- h.window;
  t.snd_wl1 <- h.seq;
  t.snd_wl2 <- (if h.ack >= 0 then h.ack else t.iss)

let arm_keepalive t =
  match t.keepalive with
  | None -> t.keepalive_at <- Time.never
  | Some k ->
      t.keepalive_sent <- 0;
      t.keepalive_at <- t.shared.now + k.idle;
      arm t

let established t =
  (match t.parent with
  | Some l when t.state = Syn_received ->
      l.half_open_count <- l.half_open_count - 1;
      if l.listening && not l.intercepts then (
        Queue.push t l.accepted;
        listener_ready l)
  | _ -> ());
  set_state t (if t.fin_queued then Fin_wait_1 else Established);
  t.rtx_at <- Time.never;
  if t.retries > 0 then (
    Rto.after_lost_syn t.rto;
    Congestion.after_lost_syn t.congestion);
  t.retries <- 0;
  arm_keepalive t;
  Tcp_receiver.admit t;
  want_output t

(* RFC 5961 §7: at most so many challenge ACKs per connection and second, so that forged segments
   cause little traffic. *)
let most_challenges = 10

let challenge_ack t =
  if t.shared.now - t.challenge_at >= Time.s 1 then (
    t.challenge_at <- t.shared.now;
    t.challenges <- 0);
  if t.challenges < most_challenges then (
    t.challenges <- t.challenges + 1;
    t.shared.counters.tcp_challenge_acks <- t.shared.counters.tcp_challenge_acks + 1;
    ack_now t)

let take_rtt_sample t ~ack (h : Segment.t) =
  if t.timed_end >= 0 then (
    if Seq.leq t.timed_end ack then (
      Rto.sample t.rto (t.shared.now - t.timed_at);
      t.timed_end <- -1))
  else if t.timestamps && h.ts_ecr <> 0 then
    (* After a retransmission only the echoed timestamp tells which copy is acknowledged (RFC 7323 §4). *)
    let ms = (timestamp_now t - h.ts_ecr) land 0xffff_ffff in
    if ms < 60_000 then Rto.sample t.rto (Time.ms ms)

(* -- SYN-SENT: §3.10.7.3 ------------------------------------------------- *)

(* The rest of the segment, after the SYN's sequence number. *)
let text_and_fin t (h : Segment.t) b ~data =
  if h.data_length > 0 then Tcp_receiver.text t h b ~data;
  Tcp_receiver.note_fin t h;
  Tcp_receiver.fin t

let behind_syn (h : Segment.t) = { h with seq = Seq.add h.seq 1; syn = false }

let syn_sent t (h : Segment.t) b ~data =
  let acceptable_ack = h.ack >= 0 && Seq.lt t.iss h.ack && Seq.leq h.ack t.snd_max in
  (* First, the ACK bit. *)
  if h.ack >= 0 && not acceptable_ack then if h.rst then Done else Reply_reset
  else if h.rst then (
    (* Second, the RST bit. *)
    if acceptable_ack then (
      t.shared.counters.tcp_failed_opens <- t.shared.counters.tcp_failed_opens + 1;
      close t (Some Refused));
    Done)
  else if h.syn then (
    (* Fourth, the SYN bit. *)
    learn_options t h;
    if acceptable_ack then (
      take_rtt_sample t ~ack:h.ack h;
      t.snd_una <- h.ack;
      (* The timer may have scheduled our SYN for retransmission. *)
      t.snd_nxt <- Seq.max t.snd_nxt t.snd_una;
      established t;
      ack_now t;
      text_and_fin t (behind_syn h) b ~data)
    else (
      (* Simultaneous open: our SYN is sent again with an ACK. *)
      set_state t Syn_received;
      Tcp_receiver.keep t h b ~data;
      t.snd_nxt <- t.iss;
      t.rtx_at <- Time.never;
      want_output t);
    notify t;
    Done)
  else Done

(* -- all later states: §3.10.7.4 ----------------------------------------- *)

let segment_length (h : Segment.t) = h.data_length + Bool.to_int h.syn + Bool.to_int h.fin

(* RFC 7323 §5.3 R1: an old timestamp means an old segment, unless ours has
   been kept so long that the peer's clock may have wrapped. *)
let paws_rejects t (h : Segment.t) =
  t.timestamps && (not h.rst) && h.ts_val >= 0 && Seq.lt h.ts_val t.ts_recent
  && t.shared.now - t.ts_recent_at < Time.s (24 * 86_400)

(* First step: is any of it in the window? *)
let acceptable (h : Segment.t) ~rcv_nxt ~window =
  let from = Seq.diff h.seq rcv_nxt in
  let length = segment_length h in
  if length = 0 then
    (* An ACK without data from a peer with a full window in flight is exactly at the window's edge. *)
    if h.rst then from = 0 || (from > 0 && from < window) else from >= 0 && from <= window
  else if window = 0 then false
  else (from >= 0 && from < window) || (from < 0 && from + length > 0)

let unacceptable t (h : Segment.t) =
  t.shared.counters.tcp_duplicate <- t.shared.counters.tcp_duplicate + 1;
  if not h.rst then
    if (h.data_length > 0 || h.fin) && not h.syn then (
      Tcp_receiver.note_duplicate t h;
      ack_now t)
    else
      (* Without data it may be a keepalive probe, or part of an ACK loop between two stacks; with SYN it
   may be forged (RFC 5961 §4.2). *)
      challenge_ack t

(* Second step, with RFC 5961 §3.2. *)
let reset t (h : Segment.t) =
  if h.seq <> t.rcv_nxt then challenge_ack t
  else
    match t.state with
    | Syn_received when t.parent = None -> close t (Some Refused)
    | Closing | Last_ack -> close t None
    | _ -> close t (Some Reset)

(* Fifth step in SYN-RECEIVED. *)
let ack_of_syn t (h : Segment.t) =
  if Seq.lt t.snd_una h.ack && Seq.leq h.ack t.snd_max then (
    take_rtt_sample t ~ack:h.ack h;
    t.snd_una <- h.ack;
    t.snd_nxt <- Seq.max t.snd_nxt t.snd_una;
    t.snd_wnd <- h.window lsl t.snd_scale;
    t.max_snd_wnd <- Int.max t.max_snd_wnd t.snd_wnd;
    t.snd_wl1 <- h.seq;
    t.snd_wl2 <- h.ack;
    established t;
    true)
  else false

let update_send_window t (h : Segment.t) =
  if Seq.lt t.snd_wl1 h.seq || (t.snd_wl1 = h.seq && Seq.leq t.snd_wl2 h.ack) then (
    let wnd = h.window lsl t.snd_scale in
    if wnd > t.snd_wnd then (
      (* The window may have opened: stop the persist timer. *)
      t.persist_at <- Time.never;
      (* Data sent beyond a closed window are not lost yet. *)
      if t.snd_wnd = 0 && not t.orphan then t.retries <- 0;
      want_output t);
    t.snd_wnd <- wnd;
    t.max_snd_wnd <- Int.max t.max_snd_wnd wnd;
    t.snd_wl1 <- h.seq;
    t.snd_wl2 <- h.ack)

(* New data are acknowledged. *)
let advance_una t (h : Segment.t) ~acked =
  if not t.sack then take_rtt_sample t ~ack:h.ack h;
  t.retries <- 0;
  t.probes <- 0;
  let queued = Send_queue.length t.snd in
  let of_ring = Seq.diff h.ack t.snd_head in
  if of_ring > queued then t.fin_acked <- true;
  let data = Int.min of_ring queued in
  Send_queue.drop t.snd data;
  t.snd_head <- Seq.add t.snd_head data;
  t.snd_una <- h.ack;
  t.snd_nxt <- Seq.max t.snd_nxt t.snd_una;
  (* Just behind SND.UNA, or the comparison would wrap after 2 GB. *)
  if Seq.lt t.snd_sml t.snd_una then t.snd_sml <- t.snd_una;
  if not t.sack then Newreno.on_new_ack t h ~acked;
  (* The probe may have been the last byte: nothing is left to send. *)
  if data = queued && (t.fin_acked || not t.fin_queued) then (
    t.persist_at <- Time.never;
    t.probe <- false);
  if flight t = 0 then t.rtx_at <- Time.never
  else if not (Recovery_state.impatient t.recovery) then
    t.rtx_at <- t.shared.now + Rto.current t.rto;
  want_output t

(* RFC 5681 §2's definition, while the retransmission timer runs: answers to
   window probes look the same. *)
let is_duplicate_ack t (h : Segment.t) =
  h.ack = t.snd_una && h.data_length = 0 && (not h.fin)
  && flight t > 0
  && t.rtx_at <> Time.never
  && h.window lsl t.snd_scale = t.snd_wnd

(* Fifth step; false if the segment is to be dropped. *)
let ack t (h : Segment.t) =
  if h.ack < 0 then false
  else if Seq.lt t.snd_max h.ack then (
    challenge_ack t;
    false)
  else if Seq.diff t.snd_una h.ack > Int.max t.max_snd_wnd 65_535 then (
    (* RFC 5961 §5: too old to be valid. *)
    challenge_ack t;
    false)
  else
    let acked = Seq.diff h.ack t.snd_una in
    if acked > 0 then advance_una t h ~acked
    else if (not t.sack) && is_duplicate_ack t h then Newreno.on_duplicate t;
    (* A reordered ACK may have SACK blocks for which later ACKs had no room (RFC 6675 §5). *)
    if t.sack && (acked >= 0 || h.sacks <> []) then
      Sack_recovery.on_ack t h ~acked:(Int.max 0 acked);
    if Seq.leq t.snd_una h.ack then update_send_window t h;
    if h.ece && t.ecn.on && acked >= 0 then Ecn.on_echo t ~acked;
    true

(* What the ACK of our FIN means in each state. *)
let after_ack t =
  if t.fin_acked then
    match t.state with
    | Fin_wait_1 ->
        set_state t Fin_wait_2;
        if t.orphan then t.end_at <- t.shared.now + t.shared.config.orphan_timeout
    | Closing -> enter_time_wait t
    | Last_ack -> close t None
    | _ -> ()

(* RFC 7323 §4.3, but only after the ACK was checked: a forged timestamp would make all valid
   segments look old. *)
let remember_timestamp t (h : Segment.t) =
  if t.timestamps && h.ts_val >= 0 && Seq.leq h.seq t.last_ack_sent then
    if Seq.leq t.ts_recent h.ts_val then (
      t.ts_recent <- h.ts_val;
      t.ts_recent_at <- t.shared.now)

(* RFC 9293 §3.6.1 and RFC 2525 §2.17: data that arrive after the user has closed both
   directions are lost, so the peer gets a RST. *)
let data_for_nobody t (h : Segment.t) =
  (t.orphan || t.rcv_shut) && h.data_length > 0
  && Seq.lt t.rcv_nxt (Seq.add h.seq h.data_length)
  && match t.state with Fin_wait_1 | Fin_wait_2 -> true | _ -> false

let in_window t (h : Segment.t) b ~data =
  if h.rst then (
    reset t h;
    Done)
  else if h.syn then (
    (* Fourth step, RFC 5961 §4.2. *)
    challenge_ack t;
    Done)
  else if t.state = Syn_received && h.ack >= 0 && not (ack_of_syn t h) then Reply_reset
  else if not (ack t h) then Done
  else if data_for_nobody t h then (
    close t (Some (if t.orphan then Aborted else Reset));
    Reply_reset)
  else (
    remember_timestamp t h;
    if h.user_timeout >= 0 then User_timeout.received t h;
    after_ack t;
    if t.state <> Closed then (
      text_and_fin t h b ~data;
      arm t;
      notify t);
    Done)

(* With a closed window the first byte is no more acceptable, but the ACK and
   RST of a segment that is otherwise next must count (§3.10.7.4). *)
let next_but_no_room t (h : Segment.t) =
  h.seq = t.rcv_nxt && (not h.syn) && Seq.diff t.rcv_adv t.rcv_nxt <= 0 && segment_length h > 0

(* The peer's SYN again. Without ACK, our SYN-ACK was lost; with ACK, it completes a simultaneous
   open (§3.5, figure 7). *)
let syn_again t (h : Segment.t) b ~data =
  if h.ack < 0 then (
    Ecn.again t h;
    t.snd_nxt <- t.iss;
    want_output t;
    Done)
  else
    (* A SYN's window is not scaled. *)
    let scale = t.snd_scale in
    ack_now t;
    t.snd_scale <- 0;
    let verdict = in_window t (behind_syn h) b ~data in
    t.snd_scale <- scale;
    verdict

let synchronised t (h : Segment.t) b ~data =
  if paws_rejects t h then (
    t.shared.counters.tcp_paws_dropped <- t.shared.counters.tcp_paws_dropped + 1;
    ack_now t;
    Done)
  else if t.timestamps && h.ts_val < 0 && not h.rst then Done (* RFC 7323 §3.2 *)
  else if t.state = Syn_received && h.syn && (not h.rst) && h.seq = t.irs then syn_again t h b ~data
  else if acceptable h ~rcv_nxt:t.rcv_nxt ~window:(Int.max 0 (Seq.diff t.rcv_adv t.rcv_nxt)) then
    in_window t h b ~data
  else if next_but_no_room t h then (
    ack_now t;
    (* A FIN alone needs no room. *)
    in_window t { h with data_length = 0; fin = h.fin && h.data_length = 0 } b ~data)
  else (
    unacceptable t h;
    Done)

(* An ACK of a SYN-ACK that was not [t]'s, or another SYN, from a peer that has not answered yet. *)
let of_other_handshake t (h : Segment.t) =
  t.parent <> None && (not h.rst)
  && if h.ack >= 0 then (not h.syn) && h.ack <> Seq.add t.iss 1 else h.syn && h.seq <> t.irs

let segment t (h : Segment.t) b ~data =
  t.last_received_at <- t.shared.now;
  if t.keepalive_at <> Time.never then arm_keepalive t;
  match t.state with
  | Closed -> Reply_reset
  | Syn_sent -> syn_sent t h b ~data
  | Syn_received when of_other_handshake t h -> Other_handshake
  | _ -> synchronised t h b ~data
