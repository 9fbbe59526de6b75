open Weir_base
open Tcb

(* The MSS and the offloads are read again when a route or a path has changed, and during the search
   for a path's MTU. *)
let see_path t =
  let { generation; offload; _ } = t.shared.paths in
  Tcp_path.follow t;
  let { Offload.partial; longest; gathers } = offload t.remote in
  let data = longest - Tcp_path.headers t in
  t.path_seen <- (if t.path.searching then -1 else generation ());
  t.partial <- partial;
  t.gathers <- gathers;
  t.most <- Int.max t.mss (data - (data mod t.mss))

let may_send_data t =
  match t.state with
  | Established | Close_wait | Fin_wait_1 | Closing | Last_ack -> true
  | Syn_sent | Syn_received | Fin_wait_2 | Time_wait | Closed -> false

(* A segment as it stands in the scoreboard, the FIN's number counted. *)
let emit_record t ~seq ~upto b ~off =
  let left = Send_queue.length t.snd - Seq.diff seq t.snd_head in
  let size = Seq.diff upto seq in
  let len = Int.max 0 (Int.min left size) in
  Tcp_emit.data t ~seq ~len ~fin:(size > len) b ~off

let on_sent t n = if t.sack then Sack_recovery.on_sent t n else Recovery.on_sent t n

let send_again t i =
  Scoreboard.sent_again t.board i ~now:t.shared.now;
  on_sent t (Seq.diff (Scoreboard.end_of_record t.board i) (Scoreboard.first_of t.board i))

(* RFC 6675 §5 step C: lost segments are sent again as far as cwnd allows. The first one is sent
   again even if the windows are full (step 4.3, RFC 6298 §5.4). *)
let may_resend t i =
  let upto = Scoreboard.end_of_record t.board i in
  let seq = Scoreboard.first_of t.board i in
  let pipe = Scoreboard.in_flight t.board in
  seq = t.snd_una
  || (pipe = 0 || pipe + Seq.diff upto seq <= Congestion.window t.congestion)
     && Seq.leq upto (Seq.add t.snd_una t.snd_wnd)

let[@inline] is_held t = t.pace_rate > 0 && Pacing.holds t

let emit_lost t i b ~off =
  let seq = Scoreboard.first_of t.board i and upto = Scoreboard.end_of_record t.board i in
  if t.pace_rate > 0 then Pacing.sends t (Seq.diff upto seq);
  if seq = t.snd_una && not (Recovery_state.impatient t.recovery) then t.rtx_at <- Time.never;
  Tcp_emit.set_retransmission t;
  Recovery_state.on_sent_again t.recovery ~upto ~now:t.shared.now;
  send_again t i;
  arm t;
  emit_record t ~seq ~upto b ~off

(* Each segment of a long frame can be lost by itself. *)
let rec record t ~seq ~len ~fin =
  let now = t.shared.now in
  if len <= t.mss then Scoreboard.sent t.board ~seq ~upto:(Seq.add seq (len + Bool.to_int fin)) ~now
  else
    let upto = Seq.add seq t.mss in
    Scoreboard.sent t.board ~seq ~upto ~now;
    record t ~seq:upto ~len:(len - t.mss) ~fin

let note_sent t ~seq ~len ~fin =
  record t ~seq ~len ~fin;
  on_sent t (len + Bool.to_int fin)

(* The persist timer ran out. If the window has room, this sends as much data as it takes, which is
   then in flight. Otherwise it sends one byte beyond the window (RFC 9293 §3.8.6.1) and leaves
   SND.NXT as it is: the byte is sent again by the next probe, or with the data once the window
   opens. *)
let emit_probe t b ~off =
  t.probe <- false;
  let queued = Send_queue.length t.snd in
  let len = Int.min queued (Int.max 1 (Int.min t.snd_wnd t.mss)) in
  let fin = t.fin_queued && len = queued in
  let last_sent_at = t.last_sent_at in
  let n = Tcp_emit.data t ~seq:t.snd_una ~len ~fin b ~off in
  (* Not even a mark may be lost on a probe (RFC 3168 §6.1.6). *)
  t.shared.out_ecn <- 0;
  if len > t.snd_wnd then t.last_sent_at <- last_sent_at
  else if len > 0 then (
    let upto = Seq.add t.snd_una (len + Bool.to_int fin) in
    if t.snd_nxt = t.snd_una then note_sent t ~seq:t.snd_una ~len ~fin;
    t.snd_nxt <- Seq.max t.snd_nxt upto;
    Tcp_emit.arm_retransmission t);
  n

(* Nothing is in flight and the window forbids sending: start the persist timer. *)
let arm_persist t =
  if t.persist_at = Time.never && t.rtx_at = Time.never then (
    t.persist_at <- t.shared.now + Rto.after t.rto ~doublings:t.probes;
    arm t)

(* Zero-window probes do not count as data in flight. *)
let idle_restart t =
  if t.snd_nxt = t.snd_una then (
    let c = t.congestion and now = t.shared.now in
    if now - t.last_sent_at > Rto.current t.rto then Congestion.on_idle c;
    if Congestion.own_recovery c then (
      Congestion.on_restart c ~now;
      Pacing.update t))

(* How many bytes beyond [outstanding] the two windows allow to be sent: cwnd limits the bytes in
   the network (RFC 6675 §5 step C). *)
let allowed t ~outstanding =
  if Scoreboard.is_full t.board then 0
  else
    Int.min (t.snd_wnd - outstanding) (Congestion.window t.congestion - Scoreboard.in_flight t.board)

let emit_new t ~len ~fin b ~off =
  let seq = t.snd_nxt in
  let upto = Seq.add seq (len + Bool.to_int fin) in
  Tcp_emit.set_retransmission t;
  if t.pace_rate > 0 then Pacing.sends t len;
  note_sent t ~seq ~len ~fin;
  let n = Tcp_emit.data t ~seq ~len ~fin b ~off in
  t.snd_nxt <- upto;
  if len mod t.mss > 0 then t.snd_sml <- upto;
  arm t;
  n

(* Nagle's algorithm (RFC 9293 §3.7.4) as Minshall amended it: a short segment
   waits for an earlier short one, but not for full ones, whose receiver may
   hold back its ACK. *)
let short_in_flight t = Seq.lt t.snd_una t.snd_sml

(* RFC 8985 §7.3: one new segment whatever cwnd is, or again the one that
   was sent last. *)
let emit_tail_probe t b ~off =
  let e = t.recovery in
  e.tlp_due <- false;
  let outstanding = Seq.diff t.snd_nxt t.snd_una in
  let unsent = Send_queue.length t.snd - Seq.diff t.snd_nxt t.snd_head in
  let len = Int.min (Int.min unsent t.mss) (t.snd_wnd - outstanding) in
  let i = Scoreboard.newest t.board in
  if len > 0 && (len = t.mss || len = unsent) && not (Scoreboard.is_full t.board) then (
    let n = emit_new t ~len ~fin:(t.fin_queued && len = unsent) b ~off in
    e.tlp_is_retrans <- false;
    e.tlp_end <- t.snd_nxt;
    t.pto_at <- Time.never;
    n)
  else if i < 0 || e.phase = Timeout then 0
  else
    let seq = Scoreboard.first_of t.board i and upto = Scoreboard.end_of_record t.board i in
    if e.phase = Fast then Recovery_state.on_sent_again e ~upto ~now:t.shared.now;
    send_again t i;
    e.tlp_is_retrans <- true;
    e.tlp_end <- t.snd_nxt;
    t.pto_at <- Time.never;
    Tcp_emit.arm_retransmission t;
    emit_record t ~seq ~upto b ~off

(* While the window is not full, delivery rate samples show the application's rate, not the
   path's (draft-cheng-iccrg-delivery-rate-estimation-02 §3.4). *)
let note_idle_window t =
  if Scoreboard.in_flight t.board < Congestion.window t.congestion then
    Scoreboard.limited_by_app t.board

(* As many whole segments as one frame takes, and the short end if it may go too. *)
let frame_data t ~most ~unsent ~allowed =
  let len = Int.max 0 (Int.min (Int.min unsent most) allowed) in
  if len <= t.mss then len
  else
    let short = len mod t.mss in
    if short = 0 || (len = unsent && (t.fin_queued || t.nodelay || not (short_in_flight t))) then
      len
    else len - short

(* Bytes of data for which there is room in [b], and in the scoreboard. *)
let most t b ~off =
  if t.most = t.mss || off + t.most + 60 > Bytes.length b then t.mss
  else
    let most = if t.pace_rate = 0 then t.most else Int.min t.most t.pace_most in
    Int.min most (t.mss * Int.max 1 (Scoreboard.room t.board))

let send_data t b ~off =
  let sent = Seq.diff t.snd_nxt t.snd_head in
  let queued = Send_queue.length t.snd in
  let unsent = queued - sent in
  if unsent < 0 || (unsent = 0 && not t.fin_queued) then (
    note_idle_window t;
    0)
  else (
    idle_restart t;
    let in_flight = Seq.diff t.snd_nxt t.snd_una in
    let allowed = allowed t ~outstanding:in_flight in
    let len = frame_data t ~most:(most t b ~off) ~unsent ~allowed in
    let again = Seq.lt t.snd_nxt t.snd_max in
    let fin = t.fin_queued && len = unsent in
    let worth =
      len >= t.mss || fin
      || len > 0
         && ((len = unsent && (t.nodelay || not (short_in_flight t)))
            || 2 * len >= t.max_snd_wnd
            || again)
    in
    if worth then if is_held t then 0 else emit_new t ~len ~fin b ~off
    else (
      if unsent > 0 && in_flight = 0 then arm_persist t;
      if unsent < t.mss then note_idle_window t;
      0))

let send_lost t i b ~off = if may_resend t i && not (is_held t) then emit_lost t i b ~off else 0

(* Whether the timeout was spurious is not known yet. The ACK of new data is waited for (RFC 5682 §3.1
   step 2); without new data, recovery goes on. *)
let send_undecided t i b ~off =
  let n = send_data t b ~off in
  if n > 0 || Seq.lt t.recovery.recover t.snd_nxt then n else send_lost t i b ~off

(* Retransmissions come before new data. *)
let send_something t b ~off =
  let i = Scoreboard.next_lost t.board in
  if i < 0 then send_data t b ~off
  else if t.recovery.frto = Sent_new && t.snd_nxt = t.snd_max then send_undecided t i b ~off
  else send_lost t i b ~off

let data_or_ack t b ~off =
  (* If more than one ACK is owed they are duplicate ACKs, and the peer must get each. The last may be
   sent with data, unless it has SACK blocks. *)
  let n =
    if may_send_data t && (t.acks_owed = 0 || (t.acks_owed = 1 && not (Tcp_emit.needs_own_ack t)))
    then send_something t b ~off
    else 0
  in
  if n > 0 then n else if t.acks_owed > 0 then Tcp_emit.ack t b ~off else 0

let probe_or_data t b ~off =
  if t.probe then
    if Send_queue.length t.snd > 0 || (t.fin_queued && not t.fin_acked) then emit_probe t b ~off
    else (
      t.probe <- false;
      0)
  else if t.keepalive_probe then (
    t.keepalive_probe <- false;
    Tcp_emit.ack t ~seq:(Seq.add t.snd_una (-1)) b ~off)
  else data_or_ack t b ~off

(* Data behind a probe, so that the peer reports its loss by SACK. *)
let behind_probe = 3

let emit_path_probe t ~size b ~off =
  let mss = t.mss in
  Tcp_path.probe_sent t ~size;
  (* One packet, and one record. *)
  t.mss <- size;
  let n = emit_new t ~len:size ~fin:false b ~off in
  t.mss <- mss;
  n

(* RFC 4821 §7.4: -1 if no probe is to be sent, 0 if it must wait until the windows allow it. *)
let path_probe t b ~off =
  let size = if may_send_data t then Tcp_path.probe_size t else 0 in
  let outstanding = Seq.diff t.snd_nxt t.snd_una in
  let needed = size + (behind_probe * t.mss) in
  let unsent = Send_queue.length t.snd - Seq.diff t.snd_nxt t.snd_head in
  if
    size = 0 || unsent < needed
    || Congestion.window t.congestion < needed
    || t.snd_wnd - outstanding < size
    || off + size + Tcp_path.header t > Bytes.length b
    || t.acks_owed > 1 || Tcp_emit.has_sack_blocks t
  then -1
  else if allowed t ~outstanding >= size then emit_path_probe t ~size b ~off
  else if Scoreboard.in_flight t.board > 0 then 0
  else -1

let next_seen t b ~off =
  let n = if t.recovery.tlp_due then emit_tail_probe t b ~off else 0 in
  if n > 0 then n else probe_or_data t b ~off

let next_unseen t b ~off =
  see_path t;
  let n = if t.path.searching then path_probe t b ~off else -1 in
  if n > 0 then n
  else if n < 0 then next_seen t b ~off
  else if t.acks_owed > 0 then Tcp_emit.ack t b ~off
  else 0

let next t b ~off =
  match t.state with
  | Closed -> 0
  | Syn_sent | Syn_received ->
      if t.held then 0
      else if t.snd_nxt = t.iss then Tcp_emit.syn t b ~off
      else if t.acks_owed > 0 && t.state = Syn_received then Tcp_emit.ack t b ~off
      else 0
  | Established | Fin_wait_1 | Fin_wait_2 | Close_wait | Closing | Last_ack | Time_wait ->
      if t.path_seen <> t.shared.paths.generation () then next_unseen t b ~off
      else next_seen t b ~off
