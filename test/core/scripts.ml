(* Each script is a situation of an RFC; its trace is kept in traces/. *)

open Script
open Weir_base
open Weir_core
open White_box

let zeros n = String.make n 'x'
let quiet = { Config.default with timestamps = false }

let handshake t =
  note t "three-way handshake with every option, then data both ways (RFC 9293 §3.5)";
  established t ~ws:7 ~ts:true;
  send t ~ack:1 ~data:"hello" ~flags:[ P ] ~ts:(102, -1) 1;
  read t 100;
  write t "world";
  send t ~ack:6 ~ts:(103, -1) 6;
  after t 100;
  state t

let simultaneous_open t =
  note t "both SYNs cross (RFC 9293 §3.5, figure 7)";
  connect t;
  send t ~flags:[ S ] ~mss:1460 0;
  state t;
  send t ~flags:[ S ] ~ack:1 ~mss:1460 0;
  state t;
  write t "data";
  send t ~ack:5 1

let simultaneous_close t =
  note t "both FINs cross (figure 13)";
  established t;
  close t;
  send t ~flags:[ F ] ~ack:1 1;
  state t;
  send t ~ack:2 2;
  state t;
  after t 61_000;
  state t

let half_close t =
  note t "we stop sending and go on receiving (figure 12)";
  established t;
  write t "request";
  shutdown t;
  send t ~ack:9 1;
  state t;
  send t ~ack:9 ~data:"late answer" 1;
  read t 100;
  send t ~ack:9 ~flags:[ F ] 12;
  read t 100;
  state t;
  note t "a FIN again restarts TIME-WAIT, a RST does not end it (RFC 1337)";
  after t 30_000;
  send t ~ack:9 ~flags:[ F ] 12;
  send t ~flags:[ R ] 13;
  after t 59_000;
  state t;
  after t 2_000;
  state t

let passive_close t =
  note t "the peer closes first";
  established t;
  send t ~ack:1 ~data:"bye" ~flags:[ F ] 1;
  read t 10;
  read t 10;
  state t;
  write t "so long";
  close t;
  state t;
  send t ~ack:9 5;
  state t

let resets t =
  note t "RFC 5961: a RST in the window but not next is challenged, an exact one resets";
  established t;
  send t ~flags:[ R ] 100;
  state t;
  send t ~flags:[ R ] 100_000;
  send t ~flags:[ S ] 50;
  state t;
  send t ~flags:[ R ] 1;
  state t

let challenges t =
  note t "RFC 5961 §7: ten challenges a second, no more";
  established t;
  for _ = 1 to 12 do
    send t ~flags:[ R ] 100
  done;
  after t 1_000;
  send t ~flags:[ R ] 100

let reset_of_nothing t =
  note t "segments for no connection (§3.10.7.1) and a SYN-SENT that is refused";
  send t ~port:6000 ~ack:77 ~data:"who?" 5;
  send t ~port:6000 ~flags:[ F ] 5;
  send t ~port:6000 ~flags:[ R ] 5;
  connect t;
  send t ~flags:[ R ] ~ack:7 0;
  state t;
  send t ~ack:7 0;
  send t ~flags:[ R ] ~ack:1 0;
  state t

let syn_lost t =
  note t "SYNs without an answer: backoff from 1 s, then give up";
  connect t;
  after t 200_000;
  state t

let out_of_order t =
  note t "a gap: duplicate ACKs at once, then one ACK for all";
  established t;
  send t ~ack:1 ~data:"cc" 5;
  send t ~ack:1 ~data:"bb" 3;
  send t ~ack:1 ~data:"dd" ~flags:[ F ] 7;
  send t ~ack:1 ~data:"aabbcc" 1;
  read t 100;
  read t 100;
  state t

let overlaps t =
  note t "old, overlapping and beyond the window";
  established t;
  send t ~ack:1 ~data:"abcdef" 1;
  send t ~ack:1 ~data:"abcdef" 1;
  send t ~ack:1 ~data:"efgh" 5;
  send t ~ack:1 ~data:"zz" 2_000_000;
  read t 100;
  send t ~ack:1 ~data:"i" 9;
  after t 50;
  read t 100

let retransmission t =
  note t "RTO: doubling, go back, Karn (RFC 6298)";
  established t;
  write t (zeros 3000);
  after t 8_000;
  send t ~ack:1461 1;
  after t 100;
  send t ~ack:2921 1;
  send t ~ack:3001 1;
  after t 10_000

let fast_retransmit t =
  note t "three duplicates, a partial ACK, the end of recovery (RFC 6582)";
  established t;
  write t (zeros 14_600);
  for _ = 1 to 4 do
    send t ~ack:1 1
  done;
  send t ~ack:4381 1;
  send t ~ack:14_601 1;
  after t 1_000

let zero_window t =
  note t "the peer shuts its window: probes back off and go on (§3.8.6.1), then it opens";
  established t ~win:1000;
  write t (zeros 2000);
  send t ~ack:1001 ~win:0 1;
  after t 3_000;
  send t ~ack:1001 ~win:0 1;
  after t 10_000;
  send t ~ack:1002 ~win:65_535 1;
  send t ~ack:2001 1;
  after t 1_000

let small_window t =
  note t "a window worth no segment is used when the persist timer runs out, and once (§3.8.6.2.1)";
  established t ~win:60_000;
  send t ~ack:1 ~win:500 1;
  write t (zeros 2000);
  after t 250;
  send t ~ack:501 ~win:500 1;
  after t 250;
  send t ~ack:1001 ~win:60_000 1;
  send t ~ack:2001 1

let slow_reader t =
  note t "our user does not read: the window closes, probes are refused, reading opens it";
  established t;
  let rec fill seq =
    if seq < 16_384 then (
      send t ~ack:1 ~data:(zeros (min 1460 (16_384 - seq))) (seq + 1);
      fill (seq + 1460))
  in
  fill 0;
  after t 100;
  send t ~ack:1 ~data:"x" 16_385;
  read t 100;
  read t 10_000;
  read t 10_000;
  send t ~ack:1 ~data:"x" 16_385;
  after t 100

let nagle t =
  note t "Nagle holds small segments until the ACK; NODELAY does not (§3.7.4)";
  established t;
  write t "a";
  write t "b";
  write t "c";
  send t ~ack:2 1;
  Tcp.set_nodelay (connection t) true;
  write t "d";
  write t "e";
  send t ~ack:6 1

let delayed_ack t =
  note t "a small segment waits 40 ms, and so does another beside it (§3.8.6.3)";
  established t;
  send t ~ack:1 ~data:"one" 1;
  after t 39;
  after t 2;
  send t ~ack:1 ~data:"two" 4;
  send t ~ack:1 ~data:"three" 7;
  after t 40

let paws t =
  note t "an old timestamp is an old segment (RFC 7323 §5)";
  established t ~ts:true;
  send t ~ack:1 ~data:"new" ~ts:(200, -1) 1;
  send t ~ack:1 ~data:"old" ~ts:(150, -1) 4;
  send t ~ack:1 ~data:"none" 4;
  send t ~ack:1 ~data:"ok" ~ts:(201, -1) 4;
  read t 100

let keepalive t =
  note t "keepalive: probes after silence, then the connection is given up (§3.8.4)";
  established t;
  Tcp.set_keepalive (connection t) (Some { idle = Time.s 10; interval = Time.s 1; probes = 3 });
  after t 10_500;
  send t ~ack:1 1;
  after t 9_000;
  after t 10_000;
  state t

let reborn t =
  note t "a later SYN replaces a connection in TIME-WAIT (RFC 6191)";
  established t;
  close t;
  send t ~ack:2 ~flags:[ F ] 1;
  state t;
  send t ~flags:[ S ] ~mss:1460 500;
  state t

let close_unread t =
  note t "closing with unread data resets (RFC 2525 §2.17)";
  established t;
  send t ~ack:1 ~data:"unread" 1;
  close t;
  state t

let data_after_close t =
  note t "data for a user that has gone are answered by RST";
  established t;
  close t;
  send t ~ack:2 1;
  state t;
  send t ~ack:2 ~data:"hello?" 1;
  state t

let acks_out_of_range t =
  note t "ACKs of what was never sent, and ancient ones, are challenged (RFC 5961 §5)";
  established t;
  send t ~ack:5000 ~data:"evil" 1;
  send t ~ack:(-200_000) ~data:"evil" 1;
  send t ~ack:1 ~data:"good" 1;
  read t 100

let lost_syn_ack t =
  note t "the SYN-ACK is lost: the SYN again, and the timer";
  send t ~flags:[ S ] ~mss:1460 0;
  send t ~flags:[ S ] ~mss:1460 0;
  after t 1_500;
  send t ~ack:1 ~data:"go" 1;
  read t 10

let small_mss t =
  note t "a peer without MSS gets 536, one with a silly MSS gets 88";
  send t ~flags:[ S ] 0;
  send t ~ack:1 1;
  write t (zeros 600);
  send t ~ack:601 1

let all =
  [
    ("handshake", None, handshake);
    ("simultaneous_open", Some quiet, simultaneous_open);
    ("simultaneous_close", None, simultaneous_close);
    ("half_close", None, half_close);
    ("passive_close", None, passive_close);
    ("resets", None, resets);
    ("challenges", None, challenges);
    ("reset_of_nothing", None, reset_of_nothing);
    ("syn_lost", None, syn_lost);
    ("out_of_order", None, out_of_order);
    ("overlaps", None, overlaps);
    ("retransmission", None, retransmission);
    ("fast_retransmit", None, fast_retransmit);
    ("zero_window", None, zero_window);
    ("small_window", None, small_window);
    ("slow_reader", Some { Config.default with receive_buffer = 16_384 }, slow_reader);
    ("nagle", None, nagle);
    ("delayed_ack", None, delayed_ack);
    ("paws", None, paws);
    ("keepalive", None, keepalive);
    ("reborn", None, reborn);
    ("close_unread", None, close_unread);
    ("data_after_close", None, data_after_close);
    ("acks_out_of_range", None, acks_out_of_range);
    ("lost_syn_ack", None, lost_syn_ack);
    ("small_mss", None, small_mss);
  ]

(* Lengths of segments by default, and on a path that swallows long ones. *)
let over_v6 name = if List.mem name [ "retransmission"; "small_mss" ] then Own else Same

let cases =
  List.map (fun (name, config, script) -> case ~over_v6:(over_v6 name) ?config name script) all
