open Weir_base
open Tcb

(* How long a peer may delay the ACK of a single segment (RFC 8985 §7.2, TLP.max_ack_delay): Linux
   and Weir wait 40 ms. *)
let max_ack_delay = Time.ms 50

(* The timers of the drivers at both ends may be this late. *)
let least_probe_margin = Time.ms 1

(* Also during fast recovery, where RFC 8985 §7.2 advises against it. There too the last segment of
   a flight may be lost, or the only ACK that a receiver with aggregation sends for the flight.
   Without the probe, only the timeout would end this. *)
let arm_probe t =
  let e = t.recovery in
  if e.phase = Timeout || e.tlp_end >= 0 || Scoreboard.in_flight t.board = 0 then
    t.pto_at <- Time.never
  else
    let srtt = Rto.srtt_ns t.rto in
    let span =
      if srtt < 0 then Time.s 1
      else if Scoreboard.records t.board = 1 then (2 * srtt) + max_ack_delay
      else (2 * srtt) + least_probe_margin
    in
    t.pto_at <- Int.min (t.shared.now + span) t.rtx_at

let on_sent t bytes =
  Recovery.on_sent t bytes;
  arm_probe t

(* -- SACK blocks --------------------------------------------------------- *)

(* RFC 2883 §4, RFC 8985 §5.3: the first block says so if it lies below the
   cumulative ACK or within the second. Very old blocks are ignored. *)
let is_dsack t (h : Segment.t) left right =
  Seq.lt left right
  && ((Seq.leq right h.ack && Seq.diff h.ack left <= Int.max t.max_snd_wnd 65_535)
     ||
     match h.sacks with
     | _ :: (left', right') :: _ -> Seq.leq left' left && Seq.leq right right'
     | _ -> false)

let rec take_blocks t blocks =
  match blocks with
  | [] -> ()
  | (left, right) :: rest ->
      if Seq.leq t.snd_una left && Seq.lt left right && Seq.leq right t.snd_max then
        Scoreboard.sack t.board t.rack ~left ~right
      else if Seq.leq right left || Seq.lt t.snd_una right then
        (* A block below the cumulative ACK is normal; this one is invalid. *)
        t.shared.counters.tcp_sacks_ignored <- t.shared.counters.tcp_sacks_ignored + 1;
      take_blocks t rest

(* The latest block is first (RFC 2018 §4). In that order one ACK with many blocks would look like
   reordering (RFC 8985 §6.2 step 3). *)
let take_in_order t blocks =
  take_blocks t
    (match blocks with
    | [] | [ _ ] -> blocks
    | _ -> List.sort (fun (a, _) (b, _) -> Seq.diff a b) blocks)

let blocks t (h : Segment.t) =
  match h.sacks with
  | [] -> false
  | (left, right) :: rest when is_dsack t h left right ->
      take_in_order t rest;
      true
  | all ->
      take_in_order t all;
      false

(* -- episodes ------------------------------------------------------------ *)

let set_window t ~pipe ~advanced =
  let delivered = Scoreboard.delivered t.board in
  match t.recovery.phase with
  | Fast when not (Congestion.own_recovery t.congestion) -> Recovery.pace t ~advanced
  | _ when delivered > 0 && (advanced || Congestion.own_recovery t.congestion) ->
      Recovery.tell_algorithm t ~pipe ~acked:delivered
  | _ -> ()

(* RFC 5681 §4.3: the loss of what went after the window was last reduced, a
   retransmission or the next window's data, is another sign of congestion. *)
let reduce_again t ~unknown =
  let e = t.recovery and c = t.congestion in
  let ssthresh = Congestion.ssthresh c in
  e.reduced_at <- Recovery.reduced_now t;
  Ecn.reduced t;
  if e.phase = Fast then (
    (* Start from the window that PRR aims at; PRR already handles the data in flight. *)
    Congestion.reduce_again c ~window:ssthresh;
    e.recover <- t.snd_max;
    Prr.start e.prr ~flight:unknown)
  else
    let window = Int.min (Congestion.window c) ssthresh in
    Congestion.reduce_again c ~window;
    Congestion.pace c (Int.min window (Congestion.ssthresh c))

(* RFC 8985 §6.2 steps 4 and 5. *)
let detect t ~acked ~unknown =
  let reo_wnd =
    Rack.reo_wnd t.rack ~in_recovery:(t.recovery.phase <> Open)
      ~sacked:(Scoreboard.sacked_segments t.board)
      ~srtt:(Rto.srtt_ns t.rto)
  in
  t.reo_at <- Scoreboard.detect t.board t.rack ~now:t.shared.now ~reo_wnd;
  if Scoreboard.newly_lost t.board > 0 && not (Tcp_path.explains_loss t) then (
    if t.recovery.phase = Open then Recovery.begin_fast t ~acked ~unknown
    else if Scoreboard.lost_sent_at t.board > t.recovery.reduced_at then reduce_again t ~unknown;
    want_output t)

(* All segments marked lost arrived before any was retransmitted. *)
let came_by_itself t =
  let e = t.recovery in
  e.phase = Fast && e.may_undo && e.again_end < 0 && Scoreboard.lost t.board = 0

(* Without timestamps (RFC 5682 §3.1). After a timeout only the first segment is sent again. The next
   ACK may be for it. Then new data are sent: if the following ACK is for segments that were not sent
   again, they were late, not lost. Otherwise it is a duplicate, which the new data caused. *)
let spurious_timeout t ~advanced =
  let e = t.recovery and board = t.board in
  if Scoreboard.late board && Seq.lt t.snd_una e.recover then e.may_undo
  else (
    e.frto <- (if e.frto = Sent_first && advanced then Sent_new else No);
    false)

(* RFC 3708 §2: every retransmission was unnecessary. *)
let on_dsack t (h : Segment.t) =
  t.shared.counters.tcp_dsacks <- t.shared.counters.tcp_dsacks + 1;
  Rack.on_dsack t.rack ~snd_nxt:t.snd_nxt;
  match h.sacks with
  | (_, right) :: _ when Recovery_state.needless t.recovery ~right && Scoreboard.lost t.board = 0 ->
      Recovery.undo t
  | _ -> ()

(* RFC 8985 §7.4.2: detects a loss that only the probe repaired. *)
let tail_probe_answered t (h : Segment.t) ~acked ~dsack =
  let e = t.recovery in
  if e.tlp_end >= 0 && Seq.leq e.tlp_end h.ack then
    if (not e.tlp_is_retrans) || dsack then e.tlp_end <- -1
    else if Seq.lt e.tlp_end h.ack then (
      e.tlp_end <- -1;
      if e.phase = Open then (
        Congestion.reduce t.congestion ~flight:(flight t + acked);
        Congestion.settle t.congestion;
        Ecn.reduced t))
    else if acked = 0 && h.sacks = [] && h.data_length = 0 then e.tlp_end <- -1

(* Once a round trip (RFC 6298 §3). *)
let sample_rtt t =
  let rtt = Rack.sample t.rack in
  if rtt >= 0 && (t.timed_end < 0 || Seq.leq t.timed_end t.snd_una) then (
    Rto.sample t.rto rtt;
    t.timed_end <- t.snd_max)

let take_ack t (h : Segment.t) ~acked =
  let e = t.recovery and board = t.board in
  let echo_at = Recovery.echo_at t h and advanced = acked > 0 in
  let pipe = Scoreboard.in_flight board in
  let unknown = pipe + Scoreboard.lost board in
  Rack.begin_ack t.rack ~now:t.shared.now ~echo_at;
  Scoreboard.begin_ack board;
  if advanced then (
    Scoreboard.ack board t.rack ~upto:t.snd_una;
    Rack.on_advance t.rack ~snd_una:t.snd_una;
    Recovery_state.on_advance e ~snd_una:t.snd_una);
  let dsack = blocks t h in
  if dsack then on_dsack t h;
  sample_rtt t;
  tail_probe_answered t h ~acked ~dsack;
  if
    e.phase <> Open
    && (came_by_itself t
       || (advanced && Recovery.answers_original t ~echo_at)
       || (e.frto <> No && spurious_timeout t ~advanced))
  then Recovery.undo t;
  if e.phase <> Open && Seq.leq e.recover t.snd_una then Recovery.finish t;
  detect t ~acked ~unknown;
  Scoreboard.end_ack board t.rack;
  set_window t ~pipe ~advanced;
  if Scoreboard.delivered board > 0 then (
    arm_probe t;
    Pacing.update t;
    want_output t)

(* Fast path: most ACKs to a receiver of data acknowledge nothing new. *)
let on_ack t (h : Segment.t) ~acked =
  if acked > 0 || t.recovery.tlp_end >= 0 || not (h.sacks = [] && Scoreboard.is_empty t.board) then
    take_ack t h ~acked

(* -- timers -------------------------------------------------------------- *)

let on_reorder_timer t =
  t.reo_at <- Time.never;
  let pipe = Scoreboard.in_flight t.board in
  Scoreboard.begin_ack t.board;
  detect t ~acked:0 ~unknown:(pipe + Scoreboard.lost t.board);
  if Scoreboard.newly_lost t.board > 0 then set_window t ~pipe ~advanced:false

let on_probe_timer t =
  t.pto_at <- Time.never;
  if Tcp_path.report_counts t || Tcp_path.probe_timed_out t then
    t.rtx_at <- t.shared.now + Rto.current t.rto
  else if t.snd_wnd > 0 && Scoreboard.in_flight t.board > 0 then (
    t.shared.counters.tcp_tail_probes <- t.shared.counters.tcp_tail_probes + 1;
    t.recovery.tlp_due <- true;
    t.rtx_at <- t.shared.now + Rto.current t.rto;
    want_output t)

let on_timeout t ~first =
  let reo_wnd = Rack.reo_wnd t.rack ~in_recovery:true ~sacked:0 ~srtt:(Rto.srtt_ns t.rto) in
  Recovery.on_timeout t ~first ~sent_before:(t.shared.now - Int.max 0 (Rack.rtt t.rack) - reo_wnd)
