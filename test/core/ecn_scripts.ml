(* Explicit congestion notification in traces. Segments are 1,000 bytes and the round trip 10 ms. *)

open Script
open Weir_core

let zeros n = String.make n 'x'
let config = { Config.default with timestamps = false; nodelay = true }
let never = { config with ecn = Off }
let asking = { config with ecn = Request }

let open_ ?(flags = [ E; W ]) t =
  send t ~flags:(S :: flags) ~mss:1000 ~sackok:true 0;
  after t 10;
  send t ~ack:1 1;
  ignore (connection t)

let responds t =
  note t
    "asked for: data are capable, an echo lowers the window once, CWR says so (RFC 3168 §6.1.2)";
  open_ t;
  write t (zeros 8_000);
  after t 10;
  window t;
  send t ~flags:[ E ] ~ack:3001 1;
  window t;
  send t ~flags:[ E ] ~ack:5001 1;
  window t;
  note t "the next new data say so, once";
  write t (zeros 4_000);
  note t "the echo lasts until CWR has arrived: all before is one round trip";
  send t ~flags:[ E ] ~ack:8001 1;
  window t;
  note t "an echo of later data is another sign";
  send t ~flags:[ E ] ~ack:9001 1;
  window t;
  write t (zeros 1_000);
  after t 10;
  send t ~ack:12_001 1;
  note t "without an echo the window grows again";
  write t (zeros 5_000);
  after t 10;
  send t ~ack:15_001 1;
  window t

let echoes t =
  note t "a mark is told at once, and in every segment until CWR (§6.1.3)";
  open_ t;
  send t ~ack:1 ~mark:2 ~data:(zeros 1_000) 1;
  send t ~ack:1 ~mark:3 ~data:(zeros 1_000) 1_001;
  send t ~ack:1 ~mark:2 ~data:(zeros 1_000) 2_001;
  after t 50;
  write t "an answer";
  send t ~ack:10 ~mark:2 ~flags:[ W ] ~data:(zeros 1_000) 3_001;
  send t ~ack:10 ~mark:2 ~data:(zeros 1_000) 4_001;
  note t "CWR on a marked packet: the mark is newer";
  send t ~ack:10 ~mark:3 ~flags:[ W ] ~data:(zeros 1_000) 5_001;
  send t ~ack:10 ~mark:3 ~flags:[ W ] ~data:(zeros 1_000) 6_001;
  send t ~ack:10 ~mark:2 ~flags:[ W ] ~data:(zeros 1_000) 7_001;
  note t "marks on ACKs and beyond the window say nothing";
  send t ~ack:10 ~mark:3 8_001;
  send t ~ack:10 ~mark:3 ~data:"far" 900_000;
  read t 20_000;
  write t "none"

let not_asked t =
  note t "a peer that did not ask: neither capable packets, nor echoes, nor responses";
  open_ ~flags:[] t;
  write t (zeros 4_000);
  window t;
  send t ~flags:[ E ] ~ack:4001 1;
  window t;
  send t ~ack:4001 ~mark:3 ~data:(zeros 1_000) 1;
  after t 50

let half_asked t =
  note t "ECE alone is no request";
  open_ ~flags:[ E ] t;
  write t "x"

let refused t =
  note t "ECN is off here";
  open_ t;
  write t "x"

let asked_again t =
  note t "the peer's second SYN does not ask: nor is ECN used (§6.1.1.1)";
  send t ~flags:[ S; E; W ] ~mss:1000 ~sackok:true 0;
  send t ~flags:[ S ] ~mss:1000 ~sackok:true 0;
  send t ~ack:1 1;
  write t "x"

let asks t =
  note t "the host asks, the peer agrees";
  connect t;
  send t ~flags:[ S; E ] ~ack:1 ~mss:1000 ~sackok:true 0;
  write t (zeros 2_000);
  send t ~flags:[ E ] ~ack:2001 1;
  window t;
  write t "x"

let peer_declines flags t =
  note t "the host asks, the peer does not agree";
  connect t;
  send t ~flags ~ack:1 ~mss:1000 ~sackok:true 0;
  write t (zeros 2_000)

let falls_back t =
  note t "no answer to the SYN that asks: the next does not, and ECN is not used";
  connect t;
  after t 1_000;
  send t ~flags:[ S; E ] ~ack:1 ~mss:1000 ~sackok:true 0;
  write t (zeros 2_000)

let not_capable t =
  note t
    "retransmissions, probes of a closed window, ACKs and the FIN are not capable (§6.1.4 to 6)";
  open_ t;
  write t (zeros 3_000);
  after t 10;
  send t ~ack:1001 1;
  after t 400;
  send t ~ack:3001 ~win:0 1;
  write t "y";
  after t 900;
  send t ~ack:3002 1;
  close t

let with_loss t =
  note t "a loss in the round trip of an echo: one reduction";
  open_ t;
  write t (zeros 8_000);
  after t 10;
  send t ~flags:[ E ] ~ack:2001 1;
  window t;
  write t (zeros 1_000);
  send t ~flags:[ E ] ~ack:2001 ~sacks:[ (3001, 7001) ] 1;
  window t;
  note t "a loss tells of itself by CWR too";
  after t 10;
  send t ~ack:8001 1;
  write t (zeros 8_000);
  after t 10;
  send t ~ack:9001 ~sacks:[ (10_001, 13_001) ] 1;
  write t (zeros 3_000);
  window t;
  send t ~ack:9001 ~sacks:[ (10_001, 15_001) ] 1

let all =
  [
    ("ecn_responds", config, responds);
    ("ecn_echoes", config, echoes);
    ("ecn_not_asked", config, not_asked);
    ("ecn_half_asked", config, half_asked);
    ("ecn_off", never, refused);
    ("ecn_asked_again", config, asked_again);
    ("ecn_asks", asking, asks);
    ("ecn_declined", asking, peer_declines [ S ]);
    ("ecn_misunderstood", asking, peer_declines [ S; E; W ]);
    ("ecn_falls_back", asking, falls_back);
    ("ecn_not_capable", config, not_capable);
    ("ecn_with_loss", config, with_loss);
  ]

let cases = List.map (fun (name, config, script) -> case ~config name script) all
