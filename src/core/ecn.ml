open Weir_wire
open Tcb

(* -- handshake ----------------------------------------------------------- *)

let request t =
  let asks = t.shared.config.ecn = Request && t.snd_max = t.iss in
  t.ecn <- (if asks then Ecn_state.asked else Ecn_state.off);
  asks

(* Both flags in a SYN, ECE alone in a SYN-ACK. A host whose own SYN did not ask may not use ECN. *)
let agree t (h : Segment.t) =
  let is_setup = h.ece && h.cwr = (h.ack < 0) in
  let willing =
    match t.state with Syn_sent -> t.ecn.requested | _ -> t.shared.config.ecn <> Off
  in
  t.ecn <- (if is_setup && willing then Ecn_state.create () else Ecn_state.off)

let again t (syn : Segment.t) = if not (syn.ece && syn.cwr) then t.ecn <- Ecn_state.off

(* -- receiver ------------------------------------------------------------ *)

(* A change is acknowledged at once: a sender with one segment in each round trip would otherwise
   wait for the delayed ACK. *)
let set_echo t echo =
  if t.ecn.echo <> echo then (
    t.ecn.echo <- echo;
    t.acks_owed <- Int.max 1 t.acks_owed;
    want_output t)

let on_data t (h : Segment.t) =
  let marked = t.shared.ecn_in = Packet.ce in
  if marked then t.shared.counters.tcp_ce_marks <- t.shared.counters.tcp_ce_marks + 1;
  if marked then set_echo t true else if h.cwr then set_echo t false

(* -- sender -------------------------------------------------------------- *)

(* True until the segment with CWR, the first one after [cwr_end], is acknowledged. The second
   comparison is false for a [cwr_end] so old that the first is meaningless. *)
let responds t =
  let cwr_end = t.ecn.cwr_end in
  cwr_end >= 0 && Seq.leq t.snd_una cwr_end && Seq.leq cwr_end t.snd_max

let reduced t =
  if t.ecn.on then (
    t.ecn.cwr_due <- true;
    t.ecn.cwr_end <- t.snd_max)

let undone t =
  if t.ecn.on then (
    t.ecn.cwr_due <- false;
    t.ecn.cwr_end <- -1)

let on_echo t ~acked =
  if t.recovery.phase = Open && not (responds t) then (
    let c = t.congestion in
    t.shared.counters.tcp_ecn_responses <- t.shared.counters.tcp_ecn_responses + 1;
    Congestion.on_mark c ~flight:(flight t + acked);
    reduced t)

let mark t (h : Segment.t) ~again =
  if not again then (
    t.shared.out_ecn <- Packet.ect_0;
    if t.ecn.cwr_due then (
      t.ecn.cwr_due <- false;
      h.cwr <- true))
