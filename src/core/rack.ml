open Weir_base

type t = {
  mutable xmit_at : Time.t;
  mutable rtt : int;
  mutable fack : Seq.t;
  mutable reordering_seen : bool;
  mutable reo_wnd_mult : int;
  mutable reo_wnd_persist : int;
  mutable dsack_round : Seq.t;
  (* Minimum round trips of the current and the previous period. *)
  mutable least : int;
  mutable least_before : int;
  mutable least_since : Time.t;
  (* The current ACK. *)
  mutable now : Time.t;
  mutable echo_at : Time.t;
  mutable sample : int;
  mutable again : bool;
}

let dup_thresh = 3
let recoveries_to_forget = 16
let least_span = Time.s 150

let create ~iss =
  {
    xmit_at = 0;
    rtt = -1;
    fack = iss;
    reordering_seen = false;
    reo_wnd_mult = 1;
    reo_wnd_persist = 0;
    dsack_round = -1;
    least = max_int;
    least_before = max_int;
    least_since = 0;
    now = 0;
    echo_at = max_int;
    sample = -1;
    again = false;
  }

let begin_ack t ~now ~echo_at =
  t.now <- now;
  t.echo_at <- echo_at;
  t.sample <- -1;
  t.again <- false

let is_past t ~sent_at = t.xmit_at > sent_at
let min_rtt t = Int.min t.least t.least_before

let note_rtt t rtt =
  if t.now - t.least_since > least_span then (
    t.least_before <- t.least;
    t.least <- max_int;
    t.least_since <- t.now);
  if rtt < t.least then t.least <- rtt

(* §6.2 steps 1 to 3. *)
let delivered t ~sent_at ~end_seq ~retransmitted =
  if Seq.lt t.fack end_seq then t.fack <- end_seq
  else if Seq.lt end_seq t.fack && not retransmitted then t.reordering_seen <- true;
  let rtt = Int.max 0 (t.now - sent_at) in
  (* If a retransmission caused the ACK, only that segment gives a sample: the others that the ACK
   covers may have waited for the timeout. *)
  if retransmitted then (
    t.again <- true;
    t.sample <- -1);
  if not (retransmitted && (sent_at > t.echo_at || rtt < min_rtt t)) then (
    (* Without a timestamp it is unknown which copy the ACK is for. *)
    if (not retransmitted) || t.echo_at < max_int then (
      note_rtt t rtt;
      if retransmitted || not t.again then t.sample <- rtt);
    t.rtt <- rtt;
    if sent_at > t.xmit_at then t.xmit_at <- sent_at)

(* §6.2 step 4: once a round trip. *)
let on_dsack t ~snd_nxt =
  if t.dsack_round < 0 then (
    t.dsack_round <- snd_nxt;
    if t.reo_wnd_mult < 256 then t.reo_wnd_mult <- t.reo_wnd_mult + 1;
    t.reo_wnd_persist <- recoveries_to_forget)

let on_advance t ~snd_una =
  if t.dsack_round >= 0 && Seq.leq t.dsack_round snd_una then t.dsack_round <- -1

let on_undone t = t.reordering_seen <- true

let on_recovered t =
  t.reo_wnd_persist <- Int.max 0 (t.reo_wnd_persist - 1);
  if t.reo_wnd_persist = 0 then t.reo_wnd_mult <- 1

let reo_wnd t ~in_recovery ~sacked ~srtt =
  if (not t.reordering_seen) && (in_recovery || sacked >= dup_thresh) then 0
  else
    let least = min_rtt t in
    if least = max_int then 0 else Int.min (t.reo_wnd_mult * (least / 4)) (Int.max 0 srtt)

let now t = t.now
let rtt t = t.rtt
let sample t = t.sample
