(* Bulk transfers over lossy paths: how fast, and by which means the losses
   were repaired. The figures stand in traces/recovery.expected. *)

open Weir_base
open Weir_core
open Weir_link
open Weir_test

type path = { label : string; there : Impairment.t; back : Impairment.t; bytes : int }

let counters w = Stack.counters (World.stack (World.first w))

let run ?(seed = 5) ?(config = Config.default) p =
  Transfer.run ~check:true ~limit:(Time.s 36_000)
    {
      Transfer.plan with
      seed;
      sizes = (p.bytes, 0);
      configs = (config, config);
      there = p.there;
      back = p.back;
      ending = Close_at_once;
    }

let mbit p (r : Transfer.result) = float_of_int (p.bytes * 8) /. float_of_int r.took *. 1e3

let net ?(loss = 0.) ?(rate = 1_000_000_000) delay_ns =
  { Impairment.none with loss = Steady (loss /. 100.); delay_ns; rate_bps = rate }

let steady delay loss =
  let n = net ~loss delay in
  {
    label = Fmt.str "%g ms, %g%%" (float_of_int delay /. 1e6) loss;
    there = n;
    back = n;
    bytes = (if loss >= 2. || delay > Time.ms 1 then 4_000_000 else 20_000_000);
  }

let steadies =
  List.concat_map
    (fun delay -> List.map (steady delay) [ 0.; 0.1; 1.; 2.; 5.; 10. ])
    [ Time.us 50; Time.ms 1; Time.ms 10; Time.ms 50 ]

let bursts = Impairment.Bursts { enter = 0.002; leave = 0.2; good = 0.; bad = 1. }

let others =
  let n = net (Time.ms 10) in
  let late = { n with reorder = 0.05; reorder_ns = Time.ms 1 } in
  let path label there back = { label; there; back; bytes = 4_000_000 } in
  [
    path "10 ms, 5% by 1 ms late" late late;
    path "10 ms, 5% by 8 ms late" { late with reorder_ns = Time.ms 8 } n;
    path "10 ms, 1% lost, 5% late" { late with loss = Steady 0.01 } n;
    path "10 ms, bursts of 5" { n with loss = bursts } n;
    path "10 ms, 30% of ACKs lost" n { n with loss = Steady 0.3 };
    path "10 ms, 2% doubled" { n with duplicate = 0.02 } { n with duplicate = 0.02 };
  ]

let row out p =
  let r = run p in
  let c = counters r.world in
  Printf.bprintf out "%-24s %8.2f %8d %8d %8d %8d %8d\n" p.label (mbit p r) c.tcp_retransmitted
    c.tcp_fast_retransmits c.tcp_tail_probes c.tcp_timeouts c.tcp_undone

let table () =
  let out = Buffer.create 3_000 in
  Printf.bprintf out
    "# 4 or 20 MB at 1 Gbit/s by delay each way and loss each way, and what repaired it\n\
     %-24s %8s %8s %8s %8s %8s %8s\n"
    "path" "Mbit/s" "again" "recover" "probes" "timeouts" "undone";
  List.iter (row out) (steadies @ others);
  Suite.expected ~file:"test/core/traces/recovery.expected" (Buffer.contents out)

(* What a window of Reno's size would carry at such a loss (Mathis et al.):
   waiting for timeouts falls far below it on a short path. *)
let mathis ~delay ~loss =
  let rtt = 2e-9 *. float_of_int delay in
  let bits = 1448. *. 8. *. 1.22 /. Float.sqrt (loss /. 100.) in
  Float.min 950. (bits /. rtt /. 1e6)

let bounds () =
  List.iter
    (fun (delay, loss) ->
      let p = steady delay loss in
      let rate seed =
        let r = run ~seed p in
        let c = counters r.world in
        if c.tcp_timeouts > 0 then
          Alcotest.failf "%s, seed %d: %d timeouts" p.label seed c.tcp_timeouts;
        mbit p r
      in
      (* On the short path one probe for a lost last segment takes longer than the
         whole transfer, so the middle one of three counts. *)
      let median = List.nth (List.sort Float.compare (List.map rate [ 1; 2; 3 ])) 1 in
      if median < 0.6 *. mathis ~delay ~loss then Alcotest.failf "%s: %.1f Mbit/s" p.label median)
    [
      (Time.us 50, 0.1);
      (Time.us 50, 1.);
      (Time.us 50, 2.);
      (Time.ms 1, 1.);
      (Time.ms 1, 2.);
      (Time.ms 10, 1.);
      (Time.ms 10, 2.);
      (Time.ms 50, 1.);
    ]

(* Late by less than a round trip: after the first mistakes the window is wide
   enough. *)
let reordered () =
  let n = net (Time.ms 10) in
  let late = { n with reorder = 0.05; reorder_ns = Time.ms 8 } in
  let r = run { label = "late"; there = late; back = n; bytes = 4_000_000 } in
  let c = counters r.world in
  if c.tcp_retransmitted > 20 then Alcotest.failf "%d sent again" c.tcp_retransmitted;
  if c.tcp_undone <> c.tcp_fast_retransmits then
    Alcotest.failf "%d recoveries, %d undone" c.tcp_fast_retransmits c.tcp_undone

(* Data both ways over a path that is bad in every manner. *)
let both_ways () =
  List.iter
    (fun (delay, loss, seconds) ->
      let n = { (net ~loss delay) with reorder = 0.02; reorder_ns = delay / 2; duplicate = 0.01 } in
      let r =
        Transfer.run ~check:true ~limit:(Time.s 36_000)
          {
            Transfer.plan with
            seed = 9;
            sizes = (2_000_000, 2_000_000);
            there = n;
            back = n;
            ending = Both_shut;
          }
      in
      if r.took > Time.s seconds then
        Alcotest.failf "%a each way, %g%%: %a" Time.pp delay loss Time.pp r.took)
    [ (Time.us 50, 1., 1); (Time.ms 10, 1., 6); (Time.ms 50, 2., 60); (Time.ms 10, 10., 60) ]

let cases =
  [
    Suite.case "speed and repairs by path" table;
    Suite.case "bounds at little loss" bounds;
    Suite.case "reordering is learnt" reordered;
    Suite.case "both ways" both_ways;
  ]
