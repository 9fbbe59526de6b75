(* The edges of a connection's life: resets, text that comes with a SYN, the
   end of TIME-WAIT, errors of routers, and when an ACK is worth sending. *)

open Script

let abort_with_timestamps t =
  note t "a RST carries a timestamp (RFC 7323 §3.2)";
  established t ~ts:true;
  send t ~ack:1 ~data:"unread" ~ts:(102, -1) 1;
  abort t;
  state t

let answer_with_timestamps t =
  note t "so does the answer to data for a user that has gone; without ACK it echoes nothing";
  established t ~ts:true;
  close t;
  send t ~ack:2 ~ts:(102, -1) 1;
  send t ~ack:2 ~data:"hello?" ~ts:(103, -1) 1;
  state t

let cases =
  [
    case "reset_timestamps" abort_with_timestamps;
    case "reset_answer_timestamps" answer_with_timestamps;
  ]
