(* Timeouts that were needless: the path was slow for a while. Segments are 1,000 bytes and the round
   trip 10 ms; nothing tells of the probe that is sent before the timeout. *)

open Script
open Weir_core

let zeros n = String.make n 'x'
let plain = { Config.default with timestamps = false }
let stamped = { Config.default with timestamps = true }

(* Ten segments in flight, and more to be sent; then nothing for 300 ms. *)
let spike ?ts ?(sackok = true) t =
  let stamp v = Option.map (fun () -> (v, -1)) ts in
  send t ~flags:[ S ] ~mss:(if ts = None then 1000 else 1012) ~sackok ?ts:(stamp 100) 0;
  after t 10;
  send t ~ack:1 ?ts:(stamp 101) 1;
  write t (zeros 5_000);
  after t 10;
  send t ~ack:5001 ?ts:(stamp 111) 1;
  write t (zeros 30_000);
  window t;
  let echo = last_ts t in
  after t 300;
  window t;
  echo

let decided_at_once t =
  note t "no timestamps: an ACK of a segment that was not sent again (RFC 5682 §3.1)";
  ignore (spike t : int);
  send t ~ack:7001 1;
  window t;
  send t ~ack:9001 1;
  window t

let decided_by_new_data t =
  note t
    "an ACK for each segment: the first may be for the copy, new data are sent, the second decides";
  ignore (spike t : int);
  send t ~ack:6001 1;
  window t;
  send t ~ack:7001 1;
  window t

let real t =
  note t "the segment was lost indeed: the new data cause a duplicate, and the rest is sent again";
  ignore (spike t : int);
  send t ~ack:6001 1;
  send t ~ack:6001 ~sacks:[ (16_001, 17_001) ] 1;
  window t;
  send t ~ack:7001 1;
  window t

let all_acknowledged t =
  note t "only the ACKs were lost, or the copy filled the only hole: the threshold stays";
  ignore (spike t : int);
  let end_ = Seq.diff (connection t).snd_max (connection t).iss in
  send t ~ack:end_ 1;
  window t

let stamps t =
  note t "with timestamps the first ACK tells: it echoes the original's (RFC 3522)";
  let echo = spike ~ts:() t in
  send t ~ack:6001 ~ts:(112, echo) 1;
  window t

let stamps_without_sack t =
  note t "the same without SACK";
  let echo = spike ~ts:() ~sackok:false t in
  send t ~ack:6001 ~ts:(112, echo) 1;
  window t;
  send t ~ack:7001 ~ts:(112, echo) 1;
  window t

let stamps_of_copy t =
  note t "the echo is the copy's: the loss was real";
  ignore (spike ~ts:() ~sackok:false t : int);
  send t ~ack:6001 ~ts:(112, -1) 1;
  window t

let all =
  [
    ("frto_at_once", plain, decided_at_once);
    ("frto_new_data", plain, decided_by_new_data);
    ("frto_real", plain, real);
    ("frto_all", plain, all_acknowledged);
    ("frto_eifel", stamped, stamps);
    ("frto_eifel_no_sack", stamped, stamps_without_sack);
    ("frto_copy", stamped, stamps_of_copy);
  ]

let cases = List.map (fun (name, config, script) -> case ~config name script) all
