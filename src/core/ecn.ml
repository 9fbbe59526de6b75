open Weir_wire
open Tcb

(* -- handshake ----------------------------------------------------------- *)

let request t =
  t.ecn_requested <- t.shared.config.ecn = Request && t.snd_max = t.iss;
  t.ecn_requested

(* Both flags in a SYN, ECE alone in a SYN-ACK. A host whose own SYN did not ask may not use ECN. *)
let agree t (h : Segment.t) =
  let is_setup = h.ece && h.cwr = (h.ack < 0) in
  let willing =
    match t.state with Syn_sent -> t.ecn_requested | _ -> t.shared.config.ecn <> Off
  in
  t.ecn <- is_setup && willing

let again t (syn : Segment.t) = if not (syn.ece && syn.cwr) then t.ecn <- false

(* -- receiver ------------------------------------------------------------ *)

(* A change is acknowledged at once: a sender with one segment in each round trip would otherwise
   wait for the delayed ACK. *)
let set_echo t echo =
  if t.ecn_echo <> echo then (
    t.ecn_echo <- echo;
    t.acks_owed <- Int.max 1 t.acks_owed;
    want_output t)

let on_data t (h : Segment.t) =
  let marked = t.shared.ecn_in = Packet.ce in
  if marked then t.shared.counters.tcp_ce_marks <- t.shared.counters.tcp_ce_marks + 1;
  if marked then set_echo t true else if h.cwr then set_echo t false

(* -- sender -------------------------------------------------------------- *)

(* True until the segment with CWR, the first one after [cwr_end], is acknowledged. The second
   comparison is false for a [cwr_end] so old that the first is meaningless. *)
let responds t = t.cwr_end >= 0 && Seq.leq t.snd_una t.cwr_end && Seq.leq t.cwr_end t.snd_max

let reduced t =
  if t.ecn then (
    t.cwr_due <- true;
    t.cwr_end <- t.snd_max)

let undone t =
  t.cwr_due <- false;
  t.cwr_end <- -1

let on_echo t ~acked =
  if t.recovery.phase = Open && not (responds t) then (
    let c = t.congestion in
    t.shared.counters.tcp_ecn_responses <- t.shared.counters.tcp_ecn_responses + 1;
    Congestion.on_mark c ~flight:(flight t + acked);
    reduced t)

let mark t (h : Segment.t) ~again =
  if not again then (
    t.shared.out_ecn <- Packet.ect_0;
    if t.cwr_due then (
      t.cwr_due <- false;
      h.cwr <- true))
