(* What a program can tell from the kernel: ends, resets, short segments. *)

open Script
open White_box

let zeros n = String.make n 'x'

let reset_keeps_data t =
  note t "what arrived in order before a RST is still read, then the reset is told";
  established t;
  send t ~ack:1 ~data:"the answer" 1;
  send t ~ack:1 ~data:"beyond a gap" 20;
  send t ~flags:[ R ] 11;
  state t;
  read t 100;
  read t 100

let fin_then_reset t =
  note t "a RST after the FIN: all bytes up to the FIN are read before the end is told";
  established t;
  send t ~ack:1 ~data:"the answer" ~flags:[ F ] 1;
  write t "more of the question";
  send t ~flags:[ R ] 12;
  state t;
  read t 4;
  read t 100;
  read t 100

let receive_shut t =
  note t "shutting down receiving keeps what has come";
  established t;
  send t ~ack:1 ~data:"early" 1;
  Tcp.shutdown_receive (connection t);
  read t 100;
  send t ~ack:1 ~data:"late" 6;
  read t 100;
  note t "with both directions shut down, new data reset the connection (RFC 1122 §4.2.2.13)";
  shutdown t;
  send t ~ack:2 1;
  send t ~ack:2 ~data:"too late" 10;
  state t

let minshall t =
  note t "a short segment waits for an earlier short one only, not for full ones";
  established t;
  write t (zeros 2_053);
  note t "the next short one waits until the ACK covers the first";
  write t "abc";
  write t "def";
  send t ~ack:1_461 1;
  send t ~ack:2_054 1;
  note t "in a later answer likewise";
  send t ~ack:2_060 1;
  write t (zeros 1_500)

let all =
  [
    ("reset_keeps_data", reset_keeps_data);
    ("fin_then_reset", fin_then_reset);
    ("receive_shut", receive_shut);
    ("minshall", minshall);
  ]

let cases = List.map (fun (name, script) -> case name script) all
