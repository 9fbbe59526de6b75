open Weir_base
include Tcb_record

let want_output t =
  if not t.in_output then (
    t.in_output <- true;
    Fifo.push t.shared.output (Connection t))

let ack_now t =
  t.acks_owed <- t.acks_owed + 1;
  want_output t

let flight t = Seq.diff t.snd_max t.snd_una
let peer_finished t = t.rcv_fin >= 0 && Seq.diff t.rcv_nxt t.rcv_fin > 0
let readable t = Byte_ring.length t.rcv > 0 || peer_finished t || t.state = Closed

(* How far a writer may be ahead of the windows, so that it writes more before all is sent. A peer
   with a closed window takes no more memory than this, a peer with small windows less. *)
let send_reserve t = Int.min 32_768 (Int.max 8_192 (4 * t.max_snd_wnd))

(* On such paths 1 MB is enough for 4 Gbit/s, and a larger buffer does not fit into the processor's
   caches. *)
let short_path = Time.ms 2
let short_path_buffer = 1 lsl 20

let send_room t =
  let unsent = Send_queue.length t.snd - Int.max 0 (Seq.diff t.snd_max t.snd_head) in
  let may_go =
    Int.min (Congestion.window t.congestion - Scoreboard.in_flight t.board) (t.snd_wnd - flight t)
  in
  let free = Send_queue.free t.snd in
  let free =
    if Rto.srtt_ns t.rto >= short_path then free
    else Int.min free (short_path_buffer - Send_queue.length t.snd)
  in
  Int.max 0 (Int.min free (send_reserve t + Int.max 0 may_go - unsent))

let writable t =
  t.state = Closed || t.fin_queued
  || send_room t >= Int.min (send_reserve t) (Send_queue.capacity t.snd) / 3

let push_ready t =
  if not t.in_ready then (
    t.in_ready <- true;
    Fifo.push t.shared.ready (Connection t))

(* The peer has acknowledged all data and our FIN. *)
let peer_has_all t =
  match t.state with Closed | Time_wait -> true | Fin_wait_2 -> t.orphan | _ -> false

let connected t = match t.state with Syn_sent | Syn_received -> false | _ -> true

let notify t =
  if t.want_readable && readable t then (
    t.want_readable <- false;
    push_ready t);
  if t.want_writable && writable t then (
    t.want_writable <- false;
    push_ready t);
  if t.want_connected && connected t then (
    t.want_connected <- false;
    push_ready t);
  if t.want_closed && peer_has_all t then (
    t.want_closed <- false;
    push_ready t)

let relief_interval = Time.ms 100

let want_relief shared =
  if shared.relief_at = Time.never then shared.relief_at <- shared.now + relief_interval

let starve t =
  if not t.starved then (
    t.starved <- true;
    Fifo.push t.shared.hungry (Connection t);
    want_relief t.shared)

let feed t =
  t.starved <- false;
  if t.want_writable then (
    t.want_writable <- false;
    push_ready t)

let listener_ready l =
  if not l.l_in_ready then (
    l.l_in_ready <- true;
    Fifo.push l.l_shared.ready (Listener l))

let[@inline] earliest t =
  Int.min t.pace_at
    (Int.min
       (Int.min (Int.min t.rtx_at t.persist_at) (Int.min t.delayed_ack_at t.keepalive_at))
       (Int.min (Int.min t.reo_at t.pto_at) (Int.min t.end_at t.trim_at)))

let forget_timer t =
  if t.timer_slot >= 0 then Heap.remove t.shared.timers t.timer_slot;
  t.timer_key <- Time.never

(* A deadline that moves later does not change the heap: when the entry expires, nothing is due and
   it is armed again. So restarting the retransmission timer on each ACK costs no heap operation. *)
let arm t =
  let at : int = earliest t in
  if at < t.timer_key then (
    forget_timer t;
    t.timer_key <- at;
    Heap.add t.shared.timers ~key:at t)

let set_state t state = t.state <- state

let stop_timers t =
  t.rtx_at <- Time.never;
  t.reo_at <- Time.never;
  t.pto_at <- Time.never;
  t.persist_at <- Time.never;
  t.pace_at <- Time.never;
  t.delayed_ack_at <- Time.never;
  t.keepalive_at <- Time.never;
  t.end_at <- Time.never;
  t.trim_at <- Time.never;
  t.probe <- false;
  t.keepalive_probe <- false;
  t.recovery.tlp_due <- false

let leave t =
  Budget.give t.shared.budget connection_cost;
  t.shared.on_closed t

let close t error =
  if t.state <> Closed then (
    let gone = t.state = Time_wait in
    (match (t.parent, t.state) with
    | Some l, Syn_received -> l.half_open_count <- l.half_open_count - 1
    | _ -> ());
    t.state <- Closed;
    t.error <- error;
    stop_timers t;
    forget_timer t;
    t.acks_owed <- 0;
    Send_queue.clear t.snd;
    Scoreboard.clear t.board;
    t.ahead <- Out_of_order.empty;
    if t.orphan then Byte_ring.clear t.rcv;
    if not gone then leave t;
    notify t)

let enter_time_wait t =
  stop_timers t;
  forget_timer t;
  t.state <- Time_wait;
  Send_queue.clear t.snd;
  Scoreboard.clear t.board;
  t.shared.on_time_wait t;
  leave t;
  notify t

let timestamp shared ~offset = ((shared.now / 1_000_000) + offset) land 0xffff_ffff
let timestamp_now t = timestamp t.shared ~offset:t.ts_offset
