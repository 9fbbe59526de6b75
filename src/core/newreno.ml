open Weir_base
open Tcb

(* RFC 6582 §3.2 step 1: until data beyond [recover] are acknowledged, unnecessary retransmissions
   cause duplicates too. *)
let may_enter t = t.recovery.phase = Open && Seq.lt t.recovery.recover t.snd_una

(* Limited transmit, after two duplicates, does not need that check (RFC 3042). *)
let tells_of_arrival t =
  match t.recovery.phase with
  | Fast -> true
  | Timeout -> false
  | Open -> may_enter t || Scoreboard.sacked_segments t.board < Rack.dup_thresh - 1

let begin_ack t =
  Rack.begin_ack t.rack ~now:t.shared.now ~echo_at:max_int;
  Scoreboard.begin_ack t.board

let end_ack t ~pipe ~acked =
  let delivered = Scoreboard.delivered t.board in
  Scoreboard.end_ack t.board t.rack;
  if Congestion.own_recovery t.congestion then (
    if delivered > 0 then Recovery.tell_algorithm t ~pipe ~acked:delivered)
  else if t.recovery.phase = Fast then Recovery.pace t ~advanced:(acked > 0)
  else if acked > 0 then Recovery.tell_algorithm t ~pipe ~acked;
  Pacing.update t

(* Segments sent during the recovery are not marked: a peer can send any number of duplicates. *)
let on_duplicate t =
  let e = t.recovery and board = t.board in
  if tells_of_arrival t then (
    let pipe = Scoreboard.in_flight board in
    begin_ack t;
    Scoreboard.duplicate board t.rack ~upto:(if e.phase = Fast then e.recover else t.snd_max);
    if
      may_enter t
      && Scoreboard.sacked_segments board >= Rack.dup_thresh
      && not (Tcp_path.report_counts t || Tcp_path.first_is_probe t)
    then (
      Recovery.begin_fast t ~acked:0 ~unknown:pipe;
      Scoreboard.lose_first board ~upto:e.recover);
    end_ack t ~pipe ~acked:0;
    want_output t)

let on_new_ack t (h : Segment.t) ~acked =
  let e = t.recovery and board = t.board in
  let pipe = Scoreboard.in_flight board in
  begin_ack t;
  Scoreboard.ack board t.rack ~upto:t.snd_una;
  if e.phase = Fast && Seq.lt t.snd_una e.recover then (
    (* A partial ACK: the first segment is now the next hole. *)
    e.partials <- e.partials + 1;
    ignore (Tcp_path.first_is_probe t : bool);
    Scoreboard.lose_first board ~upto:e.recover;
    end_ack t ~pipe ~acked)
  else
    let was_fast = e.phase = Fast in
    Scoreboard.forget_duplicates board;
    if e.phase = Timeout && Recovery.answers_original t ~echo_at:(Recovery.echo_at t h) then
      Recovery.undo t;
    if e.phase <> Open && Seq.leq e.recover t.snd_una then Recovery.finish t;
    Recovery_state.follow e ~snd_una:t.snd_una;
    end_ack t ~pipe ~acked:(if was_fast then 0 else acked)

let on_timeout t ~first = Recovery.on_timeout t ~first ~sent_before:Time.never
