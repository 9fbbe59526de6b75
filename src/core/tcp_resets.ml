open Tcp_state

(* RFC 7323 §3.2: a RST's timestamp may tell the peer that it is no forgery. *)
let stamped (c : Tcb.t) (h : Segment.t) =
  if not c.timestamps then h
  else { h with ts_val = Tcb.timestamp_now c; ts_ecr = (if h.ack >= 0 then c.ts_recent else 0) }

let of_connection (c : Tcb.t) =
  stamped c
    {
      Segment.base with
      src_port = c.local_port;
      dst_port = c.remote_port;
      rst = true;
      seq = Tcp_emit.bare_seq c;
      ack = c.rcv_nxt;
    }

let abort t (c : Tcb.t) =
  c.orphan <- true;
  (match c.state with Syn_sent | Time_wait | Closed -> () | _ -> t.shared.send_reset c);
  Tcb.close c (Some Aborted)

(* §3.10.7.1: a segment without a connection is answered by a RST that its sender accepts. [as_of]
   makes it the RST of a connection. *)
let refuse ?(as_of = Fun.id) t ~src ~dst (h : Segment.t) =
  if not h.rst then (
    t.shared.counters.tcp_out_resets <- t.shared.counters.tcp_out_resets + 1;
    let length = h.data_length + Bool.to_int h.syn + Bool.to_int h.fin in
    let answer = { Segment.base with src_port = h.dst_port; dst_port = h.src_port; rst = true } in
    t.reply ~src:dst ~dst:src
      (as_of
         (if h.ack >= 0 then { answer with seq = h.ack }
          else { answer with ack = Seq.add h.seq length })))
