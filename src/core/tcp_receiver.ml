open Weir_base
open Tcb

(* An ACK has room for one D-SACK: keep the latest. *)
let note_range t first last =
  if t.sack && Seq.lt first last then (
    t.dsack_left <- first;
    t.dsack_right <- last)

let note_duplicate t (h : Segment.t) =
  let last = Seq.add h.seq h.data_length in
  note_range t h.seq (if Seq.lt t.rcv_nxt last then t.rcv_nxt else last)

(* Merges out-of-order ranges that [len] bytes from RCV.NXT reach. The first duplicate part is
   reported by D-SACK, unless the segment began with old bytes (RFC 2883 §4). *)
let join_ahead t ~seq ~len =
  (if t.dsack_left < 0 then
     match Out_of_order.overlap t.ahead seq (Seq.add seq len) with
     | Some (first, last) -> note_range t first last
     | None -> ());
  let upto, rest = Out_of_order.take t.ahead t.rcv_nxt in
  let more = Seq.diff upto t.rcv_nxt in
  t.ahead <- rest;
  if more > 0 then (
    Byte_ring.extend t.rcv more;
    t.rcv_nxt <- upto)

(* RFC 9293 §3.8.6.3: acknowledge at least every second full segment, or 2 RMSS. As in Linux, an
   ACK is sent as soon as more than one full segment is unacknowledged: a frame of several joined
   segments, or the short end of a message, after which nothing may follow. For a few small
   segments the delayed ACK timer is enough. A full segment is as long as the longest so far,
   because the peer's path may allow less than RMSS. *)
let note_unacked t ~len =
  if len > t.rcv_mss then t.rcv_mss <- Int.min len t.local_mss;
  if Seq.diff t.rcv_nxt t.last_ack_sent > t.rcv_mss then t.acks_owed <- Int.max 1 t.acks_owed
  else if t.delayed_ack_at = Time.never then
    t.delayed_ack_at <- t.shared.now + t.shared.config.delayed_ack

let deliver_in_order t b ~off ~len =
  Byte_ring.write t.rcv b ~off ~len;
  let seq = t.rcv_nxt in
  t.rcv_nxt <- Seq.add seq len;
  if not (Out_of_order.is_empty t.ahead) then (
    join_ahead t ~seq ~len;
    (* A gap was filled or remains: the sender must know at once. *)
    t.acks_owed <- Int.max 1 t.acks_owed);
  note_unacked t ~len;
  if t.acks_owed > 0 then want_output t

let store_ahead t b ~off ~seq ~len =
  t.shared.counters.tcp_out_of_order <- t.shared.counters.tcp_out_of_order + 1;
  (match Out_of_order.overlap t.ahead seq (Seq.add seq len) with
  | Some (first, last) -> note_range t first last
  | None -> ());
  (match Out_of_order.add t.ahead seq (Seq.add seq len) with
  | Some ahead ->
      t.ahead <- ahead;
      Byte_ring.blit_ahead t.rcv ~at:(Seq.diff seq t.rcv_nxt) b ~off ~len
  | None -> ());
  ack_now t

(* The host's buffers are full: drop the segment. *)
let no_memory t =
  t.shared.counters.tcp_no_memory <- t.shared.counters.tcp_no_memory + 1;
  want_relief t.shared;
  ack_now t

(* Seventh step: the text, trimmed to the window on both sides. *)
let text t (h : Segment.t) b ~data =
  match t.state with
  | Established | Fin_wait_1 | Fin_wait_2 ->
      let skip = Int.max 0 (Seq.diff t.rcv_nxt h.seq) in
      let seq = Seq.add h.seq skip in
      let window = Int.max 0 (Seq.diff t.rcv_adv seq) in
      let len = Int.min (h.data_length - skip) window in
      (* Data beyond the peer's FIN are ignored. *)
      let len = if t.rcv_fin < 0 then len else Int.min len (Seq.diff t.rcv_fin seq) in
      if skip > 0 && len > 0 then note_duplicate t h;
      if t.ecn.on && len > 0 then Ecn.on_data t h;
      if len > 0 then
        if not (Byte_ring.affords t.rcv (Seq.diff seq t.rcv_nxt + len)) then no_memory t
        else if seq = t.rcv_nxt then deliver_in_order t b ~off:(data + skip) ~len
        else store_ahead t b ~off:(data + skip) ~seq ~len
      else if h.data_length > 0 then ack_now t
  | _ -> ()

let keep t (h : Segment.t) b ~data =
  let len = Int.min h.data_length (Int.min t.local_mss (Seq.diff t.rcv_adv t.rcv_nxt)) in
  (* The peer sends it again if there is no memory for it. *)
  if len > 0 && Byte_ring.affords t.rcv len then
    match Out_of_order.add t.ahead t.rcv_nxt (Seq.add t.rcv_nxt len) with
    | Some ahead ->
        t.ahead <- ahead;
        Byte_ring.blit_ahead t.rcv ~at:0 b ~off:data ~len
    | None -> ()

let admit t =
  if not (Out_of_order.is_empty t.ahead) then (
    join_ahead t ~seq:t.rcv_nxt ~len:0;
    t.acks_owed <- Int.max 1 t.acks_owed;
    want_output t)

(* Eighth step. A FIN that came ahead of a gap waits in [rcv_fin]. *)
let note_fin t (h : Segment.t) =
  match t.state with
  | (Established | Fin_wait_1 | Fin_wait_2) when h.fin ->
      let at = Seq.add h.seq h.data_length in
      if t.rcv_fin < 0 && Seq.leq t.rcv_nxt at && Seq.leq at t.rcv_adv then t.rcv_fin <- at;
      if t.acks_owed = 0 then ack_now t
  | _ -> ()

let fin t =
  if t.rcv_fin >= 0 && t.rcv_fin = t.rcv_nxt then (
    t.rcv_nxt <- Seq.add t.rcv_nxt 1;
    t.ahead <- Out_of_order.empty;
    t.acks_owed <- Int.max 1 t.acks_owed;
    want_output t;
    match t.state with
    | Established -> set_state t Close_wait
    | Fin_wait_1 -> if t.fin_acked then enter_time_wait t else set_state t Closing
    | Fin_wait_2 -> enter_time_wait t
    | _ -> ())
