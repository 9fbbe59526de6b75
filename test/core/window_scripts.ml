(* How much is sent: what a loss leaves of the window, how recovery comes down
   to it, and when the window grows. Segments are 1,000 bytes, the round trip
   10 ms. *)

open Script
open Weir_core

let zeros n = String.make n 'x'
let config = { Config.default with timestamps = false }
let reno = { config with congestion = [ Weir_core.Reno.algorithm ] }

let open_ t =
  send t ~flags:[ S ] ~mss:1000 ~sackok:true 0;
  after t 10;
  send t ~ack:1 1;
  ignore (connection t)

(* [n] segments at once; the first window has ten. *)
let flight t n =
  open_ t;
  write t (zeros (n * 1000));
  after t 10

let sack t upto = send t ~ack:1 ~sacks:[ (1001, (upto * 1000) + 1) ] 1

let one_of_ten t =
  note t "one lost of ten: FlightSize is ten, of which CUBIC keeps 0.7 (RFC 9438 §4.6)";
  flight t 10;
  List.iter (sack t) [ 2; 3; 4 ];
  window t;
  List.iter (sack t) [ 5; 6; 7; 8; 9; 10 ];
  window t;
  after t 10;
  send t ~ack:10_001 1;
  window t

let limited_transmit t =
  note t "what went beyond cwnd for the first two blocks is no part of it (RFC 5681 §3.2)";
  flight t 20;
  List.iter (sack t) [ 2; 3; 4 ];
  window t

let half_of_ten t =
  note t "Reno keeps half (RFC 5681 equation 4)";
  flight t 10;
  List.iter (sack t) [ 2; 3; 4 ];
  window t

let without_sack t =
  note t "the same by duplicates, limited transmit left out (RFC 5681 §3.2)";
  established t ~mss:1000;
  write t (zeros 20_000);
  after t 10;
  for _ = 1 to 3 do
    send t ~ack:1 1
  done;
  window t;
  note t "a timeout in recovery starts from what recovery would have left";
  for _ = 1 to 6 do
    send t ~ack:1 1
  done;
  window t;
  after t 1_000;
  window t

let by_one_ack t =
  note t "one ACK tells of seven, in two blocks: no reordering, and what is lost goes at once";
  flight t 10;
  send t ~ack:1 ~sacks:[ (4001, 10_001); (1001, 2001) ] 1;
  window t

let moved t =
  note t "an ACK that moves SND.UNA and tells of a loss: the flight is what it found";
  flight t 10;
  send t ~ack:5001 ~sacks:[ (6001, 9001) ] 1;
  window t

let probed t =
  note t "a loss that the tail probe repaired (RFC 8985 §7.4): the flight that its ACK found";
  flight t 10;
  send t ~ack:4001 1;
  (* The last of the six is lost, and the probe repairs it. *)
  after t 40;
  write t (zeros 3000);
  send t ~ack:13_001 1;
  window t

let timed_out t =
  note t "a timeout: what is unacknowledged, selectively or not (RFC 5681 §3.1)";
  flight t 10;
  sack t 2;
  send t ~ack:2001 1;
  (* Reordering is known now: blocks alone prove nothing. *)
  send t ~ack:2001 ~sacks:[ (7001, 10_001) ] 1;
  window t;
  after t 300;
  window t

let lost_twice t =
  note t "a retransmission is lost: the threshold comes down once more (RFC 5681 §4.3)";
  flight t 20;
  List.iter (sack t) [ 2; 3; 4; 5; 6; 7; 8; 9; 10 ];
  window t;
  after t 10;
  (* What went after the retransmission arrives, it does not. *)
  sack t 14;
  window t

let next_window t =
  note t "so it does for what went since, but not for what went before (RFC 5681 §4.3)";
  flight t 40;
  List.iter (sack t) [ 2; 3; 4; 5; 6; 7; 8; 9; 10 ];
  window t;
  after t 10;
  (* The hole is filled; the last segment of before is missing. *)
  send t ~ack:11_001 1;
  send t ~ack:11_001 ~sacks:[ (12_001, 13_001) ] 1;
  window t;
  (* And one of after. *)
  send t ~ack:11_001 ~sacks:[ (14_001, 15_001); (12_001, 13_001) ] 1;
  window t;
  after t 10;
  send t ~ack:16_001 1;
  window t

(* -- RFC 9937 ------------------------------------------------------------- *)

(* Twenty in flight, and more to send. *)
let twenty t =
  open_ t;
  write t (zeros 42_000);
  after t 10;
  send t ~ack:10_001 1;
  after t 10

let block t first upto = send t ~ack:10_001 ~sacks:[ ((first * 1000) + 1, (upto * 1000) + 1) ] 1

let one_of_twenty t =
  note t "PRR, one lost of twenty: one for every two (RFC 9937 §6.2)";
  twenty t;
  for i = 12 to 30 do
    block t 11 i
  done;
  window t;
  after t 10;
  send t ~ack:31_001 1;
  window t

(* Fifteen are lost of the twenty, and what limited transmit sent comes too. *)
let fifteen t =
  twenty t;
  for i = 26 to 32 do
    block t 25 i
  done;
  window t;
  after t 10

let beyond = (25_001, 32_001)

let fifteen_of_twenty t =
  note t "PRR, fifteen of twenty lost: as much goes as arrived, then one more with each safe ACK";
  fifteen t;
  List.iter (fun i -> send t ~ack:((i * 1000) + 1) ~sacks:[ beyond ] 1) [ 11; 12; 13; 14 ];
  window t

let unsafe t =
  note t "an ACK that moves SND.UNA but tells of another loss is not safe: no more than arrived";
  fifteen t;
  (* Of the retransmissions the third passes the second. *)
  send t ~ack:11_001 ~sacks:[ (12_001, 13_001); beyond ] 1;
  window t

let without_blocks t =
  note t "PRR without SACK: a duplicate is a segment that arrived, and ssthresh is what is left";
  established t ~mss:1000;
  write t (zeros 42_000);
  after t 10;
  send t ~ack:10_001 1;
  after t 10;
  for _ = 1 to 18 do
    send t ~ack:10_001 1
  done;
  window t;
  after t 10;
  note t "another hole is filled by the partial ACK, of which duplicates had told";
  send t ~ack:20_001 1;
  window t;
  after t 10;
  send t ~ack:32_001 1;
  window t

(* Duplicates cost a peer nothing; they must not buy more than was out. *)
let many_duplicates () =
  let t = host ~config:reno () in
  established t ~mss:1000;
  write t (zeros 42_000);
  for _ = 1 to 1_000 do
    send t ~ack:1 1
  done;
  let sent = Weir_core.Tcb.flight (connection t) in
  (* The flight, limited transmit, and half of it again. *)
  if sent > 17_000 then Alcotest.failf "%d bytes in flight for nothing" sent

(* RFC 6582 §3.2 step 1, and RFC 3042: just after a recovery three duplicates may
   be answers to copies, but two of them let new data go. *)
let after_recovery () =
  let t = host ~config:reno () in
  let c () = connection t in
  let duplicates ack n =
    for _ = 1 to n do
      send t ~ack 1
    done
  in
  established t ~mss:1000;
  write t (zeros 42_000);
  duplicates 1 3;
  send t ~ack:12_001 1;
  let flight = Weir_core.Tcb.flight (c ()) in
  duplicates 12_001 4;
  Alcotest.(check int) "two more" (flight + 2_000) (Weir_core.Tcb.flight (c ()));
  Alcotest.(check int) "one recovery" 1 (c ()).shared.counters.tcp_fast_retransmits;
  send t ~ack:13_001 1;
  duplicates 13_001 3;
  Alcotest.(check int) "the next" 2 (c ()).shared.counters.tcp_fast_retransmits

let late_proof t =
  note t "the reordering timer starts recovery: one segment goes, then as much as arrives";
  flight t 20;
  sack t 2;
  (* So there is reordering, and blocks alone prove nothing. *)
  send t ~ack:2001 1;
  send t ~ack:2001 ~sacks:[ (8001, 10_001) ] 1;
  window t;
  after t 4;
  window t;
  send t ~ack:2001 ~sacks:[ (8001, 11_001) ] 1;
  send t ~ack:2001 ~sacks:[ (8001, 12_001) ] 1;
  window t

let said_nothing t =
  note t "an ACK that delivers nothing changes nothing (RFC 9937 §6.2)";
  twenty t;
  for i = 12 to 15 do
    block t 11 i
  done;
  window t;
  block t 11 15;
  window t

(* -- when the window may be used ------------------------------------------ *)

(* A window of forty, then a peer that shuts its own. *)
let shut t =
  flight t 10;
  send t ~ack:10_001 1;
  write t (zeros 20_000);
  after t 10;
  send t ~ack:30_001 ~win:0 1;
  write t (zeros 32_000);
  window t

let reopened t =
  note t "the answer to a probe opens the window: no more than the restart window (RFC 5681 §4.1)";
  shut t;
  after t 1_480;
  send t ~ack:30_001 1;
  window t

let probe_taken t =
  note t "the same if the probe's byte was taken";
  shut t;
  after t 1_480;
  send t ~ack:30_002 1;
  window t

let reopened_at_once t =
  note t "but within a timeout of the last data the window is as it was";
  shut t;
  after t 100;
  send t ~ack:30_001 1;
  window t

(* -- when it grows --------------------------------------------------------- *)

let one_by_one t =
  note t "ten that filled the window, acknowledged two at a time: all of it was of use";
  flight t 10;
  List.iter (fun i -> send t ~ack:((i * 1000) + 1) 1) [ 2; 4; 6; 8; 10 ];
  window t;
  note t "half of the window then: what goes on growing is not known to be of use (RFC 7661 §4.2)";
  write t (zeros 10_000);
  after t 10;
  List.iter (fun i -> send t ~ack:((i * 1000) + 1) 1) [ 12; 14; 16; 18; 20 ];
  window t

let one_by_one_without_sack t =
  note t "the same without SACK";
  established t ~mss:1000;
  write t (zeros 10_000);
  after t 10;
  List.iter (fun i -> send t ~ack:((i * 1000) + 1) 1) [ 2; 4; 6; 8; 10 ];
  window t;
  write t (zeros 10_000);
  after t 10;
  List.iter (fun i -> send t ~ack:((i * 1000) + 1) 1) [ 12; 14; 16; 18; 20 ];
  window t

let cases =
  [
    case ~config "flight_one_of_ten" one_of_ten;
    case ~config "flight_limited_transmit" limited_transmit;
    case ~config:reno "flight_half" half_of_ten;
    case ~over_v6:Own ~config "flight_without_sack" without_sack;
    case ~config "flight_by_one_ack" by_one_ack;
    case ~config "flight_moved" moved;
    case ~config "flight_probed" probed;
    case ~config "flight_timed_out" timed_out;
    case ~config "flight_lost_twice" lost_twice;
    case ~config "flight_next_window" next_window;
    case ~config:reno "prr_one_of_twenty" one_of_twenty;
    case ~config:reno "prr_fifteen_of_twenty" fifteen_of_twenty;
    case ~config:reno "prr_unsafe" unsafe;
    case ~config:reno "prr_without_sack" without_blocks;
    Weir_test.Suite.case "duplicates buy no more than was out" many_duplicates;
    Weir_test.Suite.case "duplicates after a recovery" after_recovery;
    case ~config "prr_late_proof" late_proof;
    case ~config:reno "prr_said_nothing" said_nothing;
    case ~config "restart_after_probes" reopened;
    case ~config "restart_probe_taken" probe_taken;
    case ~config "restart_too_early" reopened_at_once;
    case ~config "grows_by_rounds" one_by_one;
    case ~config "grows_without_sack" one_by_one_without_sack;
  ]
