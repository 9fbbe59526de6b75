open Weir_base
open Tcb

(* The header that every segment of the connection starts from, in the one record
   there is for it. *)
let header t ~seq ~fin ~psh ~data_length =
  let room = Tcp_window.room t in
  let window = Tcp_window.receive_window t ~room in
  let unit = 1 lsl t.rcv_scale in
  (* Rounded up, so that the edge does not move back; but not again and again,
     or small segments would push it beyond the ring. *)
  let up = (window + unit - 1) lsr t.rcv_scale in
  let fits = up lsl t.rcv_scale < room + unit in
  let field = Int.min 65_535 (if fits then up else window lsr t.rcv_scale) in
  t.rcv_adv <- Seq.max t.rcv_adv (Seq.add t.rcv_nxt (field lsl t.rcv_scale));
  t.last_ack_sent <- t.rcv_nxt;
  t.acks_owed <- Int.max 0 (t.acks_owed - 1);
  t.delayed_ack_at <- Time.never;
  let h = t.shared.out in
  h.src_port <- t.local_port;
  h.dst_port <- t.remote_port;
  h.seq <- seq;
  h.ack <- t.rcv_nxt;
  h.window <- field;
  h.ts_val <- (if t.timestamps then timestamp_now t else -1);
  h.ts_ecr <- (if t.timestamps then t.ts_recent else 0);
  h.fin <- fin;
  h.psh <- psh;
  h.ece <- t.ecn.echo;
  h.cwr <- false;
  h.data_length <- data_length;
  h

(* How many segments [len] bytes of data are on the wire. *)
let segments t len = if len <= t.mss then 1 else (len + t.mss - 1) / t.mss

let emit t (h : Segment.t) ~length ~data_sum b ~off =
  let total = length + h.data_length in
  Segment.emit_header h ~length ~pseudo:(Checksum.add t.pseudo total) ~data_sum b ~off;
  t.shared.counters.tcp_out <- t.shared.counters.tcp_out + segments t h.data_length;
  total

let set_retransmission t =
  if t.rtx_at = Time.never then (
    let at = t.shared.now + Rto.current t.rto in
    t.rtx_at <- (if t.retries > 0 then User_timeout.clamp t at else at);
    t.persist_at <- Time.never)

let arm_retransmission t =
  set_retransmission t;
  arm t

(* A SYN carries the unscaled window and all options (RFC 7323 §2.2, §3.2). *)
let syn t b ~off =
  let buffer = Int.min 65_535 t.rcv_limit in
  let answering = t.state = Syn_received in
  let requests = (not answering) && Ecn.request t in
  let h =
    {
      (header t ~seq:t.iss ~fin:false ~psh:false ~data_length:0) with
      syn = true;
      ece = requests || (answering && t.ecn.on);
      cwr = requests;
      ack = (if answering then t.rcv_nxt else -1);
      window = buffer;
      user_timeout = User_timeout.option t;
      sack_permitted = (if answering then t.sack else t.shared.config.sack);
      mss = t.local_mss;
      (* A SYN-ACK has an option only if the SYN had it. In a SYN, the options are those of the
         configuration. *)
      window_scale =
        (if answering && t.rcv_scale = 0 && t.snd_scale = 0 then -1 else window_scale t.shared);
      ts_val =
        (if if answering then t.timestamps else t.shared.config.timestamps then timestamp_now t
         else -1);
    }
  in
  t.rcv_adv <- Seq.add t.rcv_nxt buffer;
  if t.snd_max = t.iss then (
    t.timed_end <- Seq.add t.iss 1;
    t.timed_at <- t.shared.now)
  else (
    t.timed_end <- -1;
    t.retransmitted <- t.retransmitted + 1;
    t.shared.counters.tcp_retransmitted <- t.shared.counters.tcp_retransmitted + 1);
  t.snd_nxt <- Seq.add t.iss 1;
  t.snd_max <- Seq.max t.snd_max t.snd_nxt;
  t.last_sent_at <- t.shared.now;
  arm_retransmission t;
  emit t h ~length:(Segment.length h) ~data_sum:0 b ~off

(* By cookie. *)
let syn_was_sent t =
  t.snd_nxt <- Seq.add t.iss 1;
  t.snd_max <- t.snd_nxt;
  t.rcv_adv <- Seq.add t.rcv_nxt (Int.min 65_535 t.rcv_limit)

(* A probe's byte counts too. But if the window shrank, a number beyond it would be out of window. *)
let bare_seq t =
  let edge = Seq.add t.snd_una t.snd_wnd in
  if Seq.leq t.snd_max edge then t.snd_max else edge

(* The FIN's number counts with the data before it. *)
let with_fin t ((left, right) as block) =
  if right = t.rcv_fin then (left, Seq.add right 1) else block

(* RFC 2018 §4, with a duplicate first (RFC 2883 §4). *)
let sack_blocks t =
  let ahead = List.map (with_fin t) (Out_of_order.blocks t.ahead) in
  if t.dsack_left < 0 then ahead
  else
    let duplicate = (t.dsack_left, t.dsack_right) in
    t.dsack_left <- -1;
    duplicate :: ahead

(* Text of a SYN is stored out of order, but it is not beyond a gap. *)
let has_sack_blocks t =
  t.sack && (not (Out_of_order.is_empty t.ahead && t.dsack_left < 0)) && t.state <> Syn_received

(* What is not told beside data. *)
let needs_own_ack t = has_sack_blocks t || t.uto_due

let ack ?(seq = -1) t b ~off =
  let h =
    header t ~seq:(if seq >= 0 then seq else bare_seq t) ~fin:false ~psh:false ~data_length:0
  in
  let h =
    if needs_own_ack t then (
      let user_timeout = if t.uto_due then User_timeout.option t else -1 in
      t.uto_due <- false;
      { h with user_timeout; sacks = (if has_sack_blocks t then sack_blocks t else []) })
    else h
  in
  emit t h ~length:(Segment.length h) ~data_sum:0 b ~off

(* What lies in one place stays there; what is before it is copied. *)
let lend t ~at ~len b ~off =
  let { shared = s; snd; _ } = t in
  let last = Send_queue.in_one_place snd ~at ~len in
  let before = len - last in
  Send_queue.peek snd ~at b ~off ~len:before;
  s.out_tail_at <- Send_queue.place snd ~at:(at + before) ~len:last;
  s.out_tail <- Send_queue.source snd ~at:(at + before);
  s.out_tail_len <- last

(* [len] bytes of data from sequence number [seq], and the FIN if asked. *)
let data t ~seq ~len ~fin b ~off =
  let psh = len > 0 && Seq.diff seq t.snd_head + len = Send_queue.length t.snd in
  let h = header t ~seq ~fin ~psh ~data_length:len in
  let length = Segment.length h in
  if t.ecn.on && len > 0 then Ecn.mark t h ~again:(Seq.lt seq t.snd_max);
  let at = Seq.diff seq t.snd_head and data = off + length in
  let data_sum =
    if t.partial then (
      if t.gathers && len > t.mss then lend t ~at ~len b ~off:data
      else Send_queue.peek t.snd ~at b ~off:data ~len;
      -1)
    else Send_queue.peek_sum t.snd ~at b ~off:data ~len
  in
  t.shared.out_partial <- t.partial;
  t.shared.out_segment_size <- (if len > t.mss then t.mss else 0);
  let last = Seq.add seq (len + Bool.to_int fin) in
  if Seq.lt seq t.snd_max then (
    t.timed_end <- -1;
    t.retransmitted <- t.retransmitted + 1;
    t.shared.counters.tcp_retransmitted <- t.shared.counters.tcp_retransmitted + 1)
  else if t.timed_end < 0 then (
    t.timed_end <- last;
    t.timed_at <- t.shared.now);
  t.snd_max <- Seq.max t.snd_max last;
  t.last_sent_at <- t.shared.now;
  emit t h ~length ~data_sum b ~off
