open Weir_base
open Weir_core

let pp f (c : Tcb.t) =
  let rel x = Seq.diff x c.iss and got x = Seq.diff x c.irs in
  Fmt.pf f
    "%a: una %d nxt %d max %d head %d queued %d wnd %d; rcv nxt %d adv %d unread %d fin %b%s%s; \
     owed %d"
    Tcb.pp_state c.state (rel c.snd_una) (rel c.snd_nxt) (rel c.snd_max) (rel c.snd_head)
    (Send_queue.length c.snd) c.snd_wnd (got c.rcv_nxt) (got c.rcv_adv) (Byte_ring.length c.rcv)
    (c.rcv_fin >= 0)
    (if c.fin_queued then " fin queued" else "")
    (if c.fin_acked then " fin acked" else "")
    c.acks_owed

let synchronised (c : Tcb.t) =
  match c.state with Syn_sent | Syn_received | Closed -> false | _ -> true

(* The right edge is promised to the peer: there must be room up to it. *)
let receive_side must (c : Tcb.t) =
  let window = Seq.diff c.rcv_adv c.rcv_nxt in
  must "unread fit" (Byte_ring.length c.rcv <= Byte_ring.capacity c.rcv);
  if c.rcv_fin < 0 then must "what was promised fits" (window <= Byte_ring.free c.rcv);
  must "few ranges ahead" (List.length (Out_of_order.ranges c.ahead) <= Out_of_order.max_ranges);
  List.iter
    (fun (from, upto) ->
      must "ranges lie ahead" (Seq.lt c.rcv_nxt from && Seq.lt from upto && Seq.leq upto c.rcv_adv))
    (Out_of_order.ranges c.ahead)

(* The scoreboard is SND.UNA to SND.NXT, and its sums are those of its records. *)
let board must (c : Tcb.t) =
  let at = ref c.snd_una and in_flight = ref 0 and lost = ref 0 and sacked = ref 0 in
  Scoreboard.iter
    (fun first upto state ->
      must "records follow each other" (first = !at && Seq.lt first upto);
      at := upto;
      let n = Seq.diff upto first in
      match state with
      | `In_flight -> in_flight := !in_flight + n
      | `Lost -> lost := !lost + n
      | `Sacked -> incr sacked)
    c.board;
  must "all that was sent is on the board" (Scoreboard.is_empty c.board || !at = c.snd_nxt);
  must "bytes in flight" (!in_flight = Scoreboard.in_flight c.board);
  must "bytes lost" (!lost = Scoreboard.lost c.board);
  must "segments sacked" (!sacked = Scoreboard.sacked_segments c.board);
  let rate = Scoreboard.rate c.board in
  must "no more is delivered than was sent" (rate.delivered <= Seq.diff c.snd_max c.iss);
  must "samples are of what is delivered"
    (rate.sample >= 0 && rate.sample <= rate.delivered && rate.interval >= 0);
  must "what is lost is listed" (!lost = 0 = (Scoreboard.next_lost c.board < 0))

let may_send (c : Tcb.t) =
  match c.state with
  | Established | Close_wait | Fin_wait_1 | Closing | Last_ack -> true
  | _ -> false

(* A connection with something to send or to be acknowledged comes back to it
   by itself, whatever the peer does or leaves out. *)
let timed must (c : Tcb.t) =
  let end_ = Send_queue.length c.snd + Bool.to_int (c.fin_queued && not c.fin_acked) in
  let unsent = Seq.diff c.snd_nxt c.snd_head < end_ in
  must "what is to be sent or acknowledged is timed"
    (c.in_output
    || (not (Tcb.flight c > 0 || (unsent && may_send c)))
    || c.rtx_at <> Time.never || c.persist_at <> Time.never || c.pace_at <> Time.never);
  must "the earliest timer is in the heap"
    (c.timer_key
    <= List.fold_left Int.min c.rtx_at
         [
           c.persist_at;
           c.reo_at;
           c.pto_at;
           c.delayed_ack_at;
           c.keepalive_at;
           c.end_at;
           c.trim_at;
           c.pace_at;
         ]);
  must "a probe or loss timer runs ahead of a timeout"
    (c.in_output || (c.reo_at = Time.never && c.pto_at = Time.never) || c.rtx_at <> Time.never)

let send_side must (c : Tcb.t) =
  must "una <= nxt" (Seq.leq c.snd_una c.snd_nxt);
  must "nxt <= max" (Seq.leq c.snd_nxt c.snd_max);
  must "head <= una" (Seq.leq c.snd_head c.snd_una);
  must "una is head" (c.snd_una = c.snd_head || c.fin_acked);
  must "nothing is sent that is not queued"
    (c.state = Time_wait
    || Seq.diff c.snd_max c.snd_head <= Send_queue.length c.snd + Bool.to_int c.fin_queued);
  must "acknowledged FIN was queued" (c.fin_queued || not c.fin_acked);
  must "cwnd holds a segment" (Congestion.window c.congestion >= c.mss);
  must "cwnd is bounded" (Congestion.window c.congestion <= 1 lsl 30);
  timed must c

let check (c : Tcb.t) =
  let must what holds = if not holds then Alcotest.failf "%s: %a" what pp c in
  must "time moves" (c.timer_key >= c.shared.now || c.state = Closed);
  must "bounded debts" (c.acks_owed >= 0 && c.acks_owed < 100_000);
  if synchronised c then (
    receive_side must c;
    board must c;
    send_side must c)
