(* Selective acknowledgement in traces: what we tell a peer, and what we make of
   what a peer tells. Segments are 1,000 bytes and the round trip 10 ms. *)

open Script
open Weir_core
open White_box

let zeros n = String.make n 'x'
let config = { Config.default with timestamps = false }

let open_ ?ts t =
  let stamp v = Option.map (fun () -> (v, -1)) ts in
  send t ~flags:[ S ] ~mss:(if ts = None then 1000 else 1012) ~sackok:true ?ts:(stamp 100) 0;
  after t 10;
  send t ~ack:1 ?ts:(stamp 101) 1;
  ignore (connection t)

let data t seq = send t ~ack:1 ~data:"0123456789" seq

let receiver t =
  note t "blocks: the latest first, four at most, gone once the gap is filled (RFC 2018 §4)";
  open_ t;
  List.iter (data t) [ 21; 41; 61; 31; 81; 101; 121 ];
  data t 1;
  data t 11;
  after t 50

let receiver_with_timestamps t =
  note t "timestamps leave room for three";
  open_ t ~ts:();
  List.iter (fun seq -> send t ~ack:1 ~data:"0123456789" ~ts:(110, -1) seq) [ 21; 41; 61; 81 ]

let duplicates t =
  note t "D-SACK: below the gap, in part, above it, and once each (RFC 2883 §4)";
  open_ t;
  data t 1;
  data t 1;
  data t 6;
  data t 31;
  send t ~ack:1 ~data:"012345678901234" 26;
  data t 31;
  data t 51

let duplicates_in_order t =
  note t "what fills the gap repeats what stood beyond it: that is told too (RFC 2883 §4)";
  open_ t;
  data t 11;
  send t ~ack:1 ~data:"012345678901234" 1;
  data t 41;
  data t 61;
  note t "up to the next gap, of several the first";
  send t ~ack:1 ~data:(zeros 50) 21;
  read t 100;
  note t "nor if bytes before it are old";
  data t 91;
  send t ~ack:1 ~data:(zeros 40) 61

let data_waits t =
  note t "blocks need an ACK of their own: data that could carry it come after";
  open_ t;
  write t (zeros 900);
  write t "b";
  send t ~ack:901 ~data:"0123456789" 11;
  after t 10

(* Ten segments, of which the first is acknowledged after 10 ms. *)
let ten t =
  open_ t;
  write t (zeros 10_000);
  after t 10;
  send t ~ack:1001 1

let three_sacked t =
  note t "one lost: known at the third block, sent again at once (RFC 8985 §6.2, RFC 9937)";
  ten t;
  write t (zeros 20_000);
  send t ~ack:1001 ~sacks:[ (2001, 3001) ] 1;
  send t ~ack:1001 ~sacks:[ (2001, 4001) ] 1;
  send t ~ack:1001 ~sacks:[ (2001, 5001) ] 1;
  send t ~ack:1001 ~sacks:[ (2001, 6001) ] 1;
  send t ~ack:1001 ~sacks:[ (2001, 7001) ] 1;
  after t 10;
  send t ~ack:10_001 1

let reordering_window t =
  note t "one block is no proof: a quarter of the round trip must pass (RFC 8985 §6.2)";
  ten t;
  send t ~ack:1001 ~sacks:[ (2001, 3001) ] 1;
  after t 2;
  after t 1

let reordered t =
  note t "once something has come late, three blocks are no proof either";
  ten t;
  send t ~ack:1001 ~sacks:[ (2001, 3001) ] 1;
  send t ~ack:3001 1;
  send t ~ack:3001 ~sacks:[ (4001, 7001) ] 1;
  after t 1;
  send t ~ack:7001 1;
  after t 15

let lost_again t =
  note t "a retransmission that is lost is found by what was sent after it (RFC 5681 §4.3)";
  ten t;
  write t (zeros 20_000);
  let threshold () = Congestion.ssthresh (connection t).congestion in
  send t ~ack:1001 ~sacks:[ (2001, 8001) ] 1;
  let once = threshold () in
  after t 10;
  send t ~ack:1001 ~sacks:[ (2001, 12_001) ] 1;
  after t 10;
  Alcotest.(check int) "not for the same loss" once (threshold ());
  send t ~ack:1001 ~sacks:[ (2001, 13_001) ] 1;
  if threshold () > once * 3 / 4 then Alcotest.failf "%d after %d" (threshold ()) once;
  after t 10;
  send t ~ack:13_001 1;
  Alcotest.(check int) "no timeout" 0 (Tcp.shared (tcp t)).counters.tcp_timeouts

let tail_probe t =
  note t "the tail is lost: after two round trips the last segment again (RFC 8985 §7.3)";
  ten t;
  send t ~ack:8001 1;
  after t 31;
  send t ~ack:8001 ~sacks:[ (9001, 10_001) ] 1;
  after t 10;
  send t ~ack:10_001 1;
  after t 500

let probe_of_new_data t =
  note t "a probe is new data if there are any";
  open_ t;
  write t (zeros 15_000);
  after t 10;
  send t ~ack:2001 1;
  after t 25

let needless_probe t =
  note t "only the ACK was late: D-SACK says so, and the window stays";
  ten t;
  send t ~ack:9001 1;
  after t 80;
  send t ~ack:10_001 1;
  send t ~ack:10_001 ~sacks:[ (9001, 10_001) ] 1;
  Alcotest.(check int) "no threshold" max_int (Congestion.ssthresh (connection t).congestion)

let repaired_by_probe t =
  note t "the probe repaired a loss: the window is lowered all the same (RFC 8985 §7.4)";
  ten t;
  send t ~ack:9001 1;
  after t 80;
  send t ~ack:10_001 1;
  write t (zeros 1000);
  send t ~ack:11_001 1;
  Alcotest.(check bool) "a threshold" true (Congestion.ssthresh (connection t).congestion < max_int)

let reneging t =
  note t "the peer drops what it had selectively acknowledged (RFC 2018 §8)";
  ten t;
  send t ~ack:1001 ~sacks:[ (2001, 10_001) ] 1;
  after t 300;
  send t ~ack:2001 1;
  after t 10;
  send t ~ack:4001 1;
  after t 10;
  send t ~ack:8001 1;
  after t 10;
  send t ~ack:10_001 1;
  after t 1_000

let timeout t =
  note t "silence: the timeout doubles, one segment at a time";
  ten t;
  after t 3_000;
  send t ~ack:2001 1;
  send t ~ack:10_001 1

let undone_by_dsack t =
  note t "what was sent again had only been late: the window comes back (RFC 3708)";
  ten t;
  let c = (connection t).congestion in
  let before = Congestion.window c in
  send t ~ack:1001 ~sacks:[ (2001, 5001) ] 1;
  send t ~ack:5001 1;
  Alcotest.(check bool) "lower" true (Congestion.ssthresh c < before);
  send t ~ack:5001 ~sacks:[ (1001, 2001) ] 1;
  Alcotest.(check bool) "as before" true (Congestion.window c >= before);
  Alcotest.(check int) "counted" 1 (Tcp.shared (tcp t)).counters.tcp_undone

(* Copies that the network made, or that were sent before, prove nothing. *)
let other_duplicates () =
  let reduced t =
    Alcotest.(check int) "not undone" 0 (Tcp.shared (tcp t)).counters.tcp_undone;
    Alcotest.(check int) "recovering" 1 (Tcp.shared (tcp t)).counters.tcp_fast_retransmits
  in
  let t = host ~config () in
  ten t;
  send t ~ack:1001 ~sacks:[ (2001, 5001) ] 1;
  send t ~ack:1001 ~sacks:[ (1, 1001); (2001, 5001) ] 1;
  reduced t;
  let t = host ~config () in
  ten t;
  send t ~ack:8001 1;
  (* The probe: 9001 goes again. *)
  after t 31;
  send t ~ack:8001 ~sacks:[ (9001, 10_001) ] 1;
  send t ~ack:8001 ~sacks:[ (9001, 10_001); (9001, 10_001) ] 1;
  reduced t;
  (* The copy of 8001 that the recovery sent was needless too. *)
  send t ~ack:8001 ~sacks:[ (8001, 9001); (8001, 10_001) ] 1;
  Alcotest.(check int) "undone" 1 (Tcp.shared (tcp t)).counters.tcp_undone

(* All ACKs are lost: the one that the timeout's retransmission draws covers
   what went only once, long ago. A path with a quarter of the frames lost came
   to a timeout of a minute so (weir sim bulk --impair loss=0.25,delay=5ms). *)
let late_ack () =
  let t = host ~config () in
  ten t;
  send t ~ack:10_001 1;
  let c = connection t in
  let before = Rto.srtt_ns c.rto in
  write t (zeros 4_000);
  (* The last by the probe, then the first by the timeout. *)
  after t 300;
  Alcotest.(check int) "timeouts" 1 (Tcp.shared (tcp t)).counters.tcp_timeouts;
  send t ~ack:14_001 1;
  Alcotest.(check int) "no sample" before (Rto.srtt_ns c.rto);
  write t (zeros 1_000);
  after t 10;
  send t ~ack:15_001 1;
  if Rto.srtt_ns c.rto > before then Alcotest.failf "%d ns" (Rto.srtt_ns c.rto)

(* An ACK that comes in one batch with the next. *)
let sacking t sacks =
  let c = connection t in
  let at n = Seq.add c.iss n in
  {
    Weir_wire.Tcp.base with
    src_port = c.remote_port;
    dst_port = c.local_port;
    seq = c.rcv_nxt;
    ack = c.snd_una;
    window = 65_535;
    sacks = List.map (fun (l, r) -> (at l, at r)) sacks;
  }

let undone_unsent t =
  note t "what was taken for lost comes before cwnd lets it go again";
  ten t;
  let c = (connection t).congestion in
  let before = Congestion.window c in
  let deliver sacks =
    let k = connection t in
    Tcp.input (tcp t)
      (Weir_wire.Packet.between ~source:k.remote ~destination:k.local)
      ~mss:1460 (sacking t sacks) Bytes.empty ~data:0
  in
  deliver [ (5001, 8001) ];
  Alcotest.(check bool) "recovery" true ((connection t).recovery.phase = Fast);
  deliver [ (1001, 8001) ];
  Alcotest.(check bool) "over" true ((connection t).recovery.phase = Open);
  Alcotest.(check bool) "the window" true (Congestion.window c >= before);
  after t 0

let undone_by_timestamps t =
  note t "the ACK echoes a time before the retransmission (RFC 3522)";
  open_ t ~ts:();
  write t (zeros 10_000);
  let sent_at = t |> last_ts in
  after t 10;
  send t ~ack:1001 ~ts:(110, sent_at) 1;
  send t ~ack:1001 ~sacks:[ (2001, 5001) ] ~ts:(110, sent_at) 1;
  after t 1;
  send t ~ack:5001 ~ts:(111, sent_at) 1;
  Alcotest.(check int) "counted" 1 (Tcp.shared (tcp t)).counters.tcp_undone

let lies t =
  note t "blocks beyond what was sent, backwards, empty and across SND.UNA say nothing";
  ten t;
  List.iter
    (fun block -> send t ~ack:1001 ~sacks:[ block ] 1)
    [ (20_001, 21_001); (9001, 11_002); (5001, 4001); (5001, 5001); (501, 3001) ];
  Alcotest.(check int) "counted" 5 (Tcp.shared (tcp t)).counters.tcp_sacks_ignored;
  Alcotest.(check int) "nothing is marked" 0 (Scoreboard.sacked_segments (connection t).board)

let not_permitted t =
  note t "blocks of a peer that did not say SACK are nothing; three duplicates are";
  established t ~mss:1000;
  write t (zeros 10_000);
  for _ = 1 to 3 do
    send t ~ack:1 ~sacks:[ (1001, 2001) ] 1
  done

let overtaken t =
  note t "an ACK that another has overtaken: what its blocks tell counts (RFC 6675 §5)";
  ten t;
  send t ~ack:3001 1;
  send t ~ack:1001 ~sacks:[ (4001, 7001) ] 1;
  note t "of what is acknowledged by now they say nothing, and an ancient one is not believed";
  send t ~ack:2001 ~sacks:[ (2001, 3001) ] 1;
  send t ~ack:(-70_000) ~sacks:[ (8001, 10_001) ] 1;
  Alcotest.(check int) "honest" 0 (Tcp.shared (tcp t)).counters.tcp_sacks_ignored;
  Alcotest.(check int) "three of them" 3 (Scoreboard.sacked_segments (connection t).board)

let fin_lost t =
  note t "a lost FIN goes again with its number";
  open_ t;
  write t (zeros 1000);
  after t 10;
  send t ~ack:1001 1;
  write t (zeros 2500);
  shutdown t;
  after t 10;
  send t ~ack:3001 1;
  after t 80;
  send t ~ack:3502 1;
  state t

let fin_ahead t =
  note t "a FIN ahead of a gap: its number is in the block";
  open_ t;
  send t ~ack:1 ~data:"0123456789" ~flags:[ F ] 11;
  data t 1;
  state t

let all =
  [
    ("sack_receiver", receiver);
    ("sack_timestamps", receiver_with_timestamps);
    ("dsack", duplicates);
    ("dsack_in_order", duplicates_in_order);
    ("sack_before_data", data_waits);
    ("rack_three_sacked", three_sacked);
    ("rack_window", reordering_window);
    ("rack_reordered", reordered);
    ("rack_lost_again", lost_again);
    ("tlp_last_segment", tail_probe);
    ("tlp_new_data", probe_of_new_data);
    ("tlp_needless", needless_probe);
    ("tlp_repair", repaired_by_probe);
    ("sack_reneging", reneging);
    ("sack_timeout", timeout);
    ("undo_dsack", undone_by_dsack);
    ("undo_unsent", undone_unsent);
    ("undo_eifel", undone_by_timestamps);
    ("sack_lies", lies);
    ("sack_not_permitted", not_permitted);
    ("sack_overtaken", overtaken);
    ("sack_fin", fin_lost);
    ("sack_fin_ahead", fin_ahead);
  ]

let cases =
  Weir_test.Suite.case "other duplicates undo nothing" other_duplicates
  :: Weir_test.Suite.case "an ACK of a retransmission times nothing else" late_ack
  :: List.map
       (fun (name, script) ->
         let timestamps = name = "sack_timestamps" || name = "undo_eifel" in
         let over_v6 = if name = "sack_timeout" then Own else Same in
         case ~over_v6 ~config:{ config with timestamps } name script)
       all
