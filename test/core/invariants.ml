open Weir_base
open Weir_core

let pp f (c : Tcb.t) =
  let rel x = Seq.diff x c.iss and got x = Seq.diff x c.irs in
  Fmt.pf f
    "%a: una %d nxt %d max %d head %d queued %d wnd %d; rcv nxt %d adv %d unread %d fin %b%s%s; \
     owed %d"
    Tcb.pp_state c.state (rel c.snd_una) (rel c.snd_nxt) (rel c.snd_max) (rel c.snd_head)
    (Byte_ring.length c.snd) c.snd_wnd (got c.rcv_nxt) (got c.rcv_adv) (Byte_ring.length c.rcv)
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
  if c.rcv_fin < 0 then
    must "what was promised fits" (c.rcv_closed || window <= Byte_ring.free c.rcv);
  must "few ranges ahead" (List.length (Ahead.ranges c.ahead) <= Ahead.max_ranges);
  List.iter
    (fun (from, upto) ->
      must "ranges lie ahead" (Seq.lt c.rcv_nxt from && Seq.lt from upto && Seq.leq upto c.rcv_adv))
    (Ahead.ranges c.ahead)

let send_side must (c : Tcb.t) =
  must "una <= nxt" (Seq.leq c.snd_una c.snd_nxt);
  must "nxt <= max" (Seq.leq c.snd_nxt c.snd_max);
  must "head <= una" (Seq.leq c.snd_head c.snd_una);
  must "una is head" (c.snd_una = c.snd_head || c.fin_acked);
  must "nothing is sent that is not queued"
    (c.state = Time_wait
    || Seq.diff c.snd_max c.snd_head <= Byte_ring.length c.snd + Bool.to_int c.fin_queued);
  must "acknowledged FIN was queued" (c.fin_queued || not c.fin_acked);
  must "cwnd holds a segment" (Congestion.window c.congestion >= c.mss);
  must "what is unacknowledged is timed"
    (Tcb.flight c = 0 || c.rtx_at <> Time.never || c.persist_at <> Time.never || c.in_output)

let check (c : Tcb.t) =
  let must what holds = if not holds then Alcotest.failf "%s: %a" what pp c in
  must "time moves" (c.timer_key >= c.shared.now || c.state = Closed);
  must "bounded debts" (c.acks_owed >= 0 && c.acks_owed < 100_000);
  if synchronised c then (
    receive_side must c;
    send_side must c)
