(* BBR on paths where losses are no congestion, beside CUBIC, on short and long queues, with senders
   that have little to send, and when the path changes. *)

open Weir_base
open Weir_core
open Weir_link
open Weir_test

let mbit n = n * 1_000_000
let config = { Config.default with send_buffer = 16_000_000; receive_buffer = 16_000_000 }

let path ?(loss = 0.) ?(queue = 250_000) ~rate delay_ns =
  {
    Impairment.none with
    loss = Steady (loss /. 100.);
    delay_ns;
    rate_bps = mbit rate;
    queue_bytes = queue;
  }

let one ?(seed = 5) ?(bytes = 10_000_000) ?(limit = Time.s 3_600) name ~there ~back =
  let r = Bulk.run ~seed ~config ~limit ~there ~back [ (name, bytes, 0) ] in
  (List.hd r.flows, r.world)

let lossy_row out (rate, ms, loss, bytes) =
  let there = path ~loss ~rate (Time.ms ms) and back = path ~loss ~rate (Time.ms ms) in
  Printf.bprintf out "%-34s"
    (Fmt.str "%d MB, %d Mbit/s, %d ms, %g%%" (bytes / 1_000_000) rate (2 * ms) loss);
  List.iter
    (fun name ->
      let f, _ = one ~bytes name ~there ~back in
      if name = "bbr" && rate = 20 && bytes < 20_000_000 && Bulk.mbit f < 13. then
        Alcotest.failf "%d ms, %g%%: %.1f of 20 Mbit/s" (2 * ms) loss (Bulk.mbit f);
      Printf.bprintf out "  %7.2f %7.2f %6.1f"
        (float_of_int (f.ended - f.began) /. 1e9)
        (Bulk.mbit f)
        (Bulk.queueing_ms f ~base:(Time.ms (2 * ms))))
    [ "cubic"; "bbr" ];
  Buffer.add_char out '\n'

let lossy () =
  let out = Buffer.create 1_000 in
  Printf.bprintf out
    "# Random loss each way: seconds, Mbit/s and mean queueing delay in ms of CUBIC and of BBR\n\
     %-34s  %23s  %22s\n"
    "path (round trip)" "CUBIC" "BBR";
  List.iter (lossy_row out)
    (List.concat_map
       (fun (rate, bytes) ->
         List.concat_map
           (fun ms -> List.map (fun loss -> (rate, ms, loss, bytes)) [ 0.; 0.5; 1.; 2. ])
           [ 12; 25; 50 ])
       [ (20, 10_000_000); (100, 10_000_000) ]
    @ [ (20, 50, 1., 100_000_000); (20, 12, 2., 100_000_000) ]);
  Suite.expected ~file:"test/core/traces/bbr.expected" (Buffer.contents out)

(* -- beside others ---------------------------------------------------------- *)

let share flows = List.map Bulk.mbit flows

(* Two flows of a minute at one bottleneck; the second begins two seconds later. *)
let together ~rate ~ms ~queue (first, second) =
  let there = path ~queue ~rate (Time.ms ms) and back = path ~rate (Time.ms ms) in
  let endless = 1_000_000_000 in
  Bulk.run ~config ~limit:(Time.s 60) ~there ~back
    [ (first, endless, 0); (second, endless, Time.s 2) ]

let coexistence () =
  let out = Buffer.create 1_000 in
  Printf.bprintf out
    "# Two flows for a minute at 20 Mbit/s, 40 ms: Mbit/s of each, mean queueing delay in ms, drops\n";
  List.iter
    (fun ((first, second), kb) ->
      let r = together ~rate:20 ~ms:20 ~queue:(kb * 1_000) (first, second) in
      let delays = List.map (Bulk.queueing_ms ~base:(Time.ms 40)) r.flows in
      Printf.bprintf out "%-6s and %-6s queue %4d kB:  %a  delay %a  drops %d\n" first second kb
        (fun b -> List.iter (Printf.bprintf b " %5.2f"))
        (share r.flows)
        (fun b -> List.iter (Printf.bprintf b " %5.1f"))
        delays (World.overflowed r.world))
    (List.concat_map
       (fun names -> List.map (fun kb -> (names, kb)) [ 50; 100; 200; 400 ])
       [ ("bbr", "cubic"); ("cubic", "bbr"); ("bbr", "bbr"); ("cubic", "cubic") ]);
  Suite.expected ~file:"test/core/traces/bbr_sharing.expected" (Buffer.contents out)

(* -- short queues ------------------------------------------------------------ *)

let short_queues () =
  let out = Buffer.create 1_000 in
  Printf.bprintf out
    "# 20 MB at 50 Mbit/s, 40 ms by queue: Mbit/s, queueing delay in ms, drops; CUBIC and BBR\n";
  List.iter
    (fun kb ->
      let there = path ~queue:(kb * 1_000) ~rate:50 (Time.ms 20) in
      let back = path ~rate:50 (Time.ms 20) in
      Printf.bprintf out "%5d kB" kb;
      List.iter
        (fun name ->
          let f, w = one ~bytes:20_000_000 name ~there ~back in
          Printf.bprintf out "  %7.2f %6.1f %6d" (Bulk.mbit f)
            (Bulk.queueing_ms f ~base:(Time.ms 40))
            (World.overflowed w))
        [ "cubic"; "bbr" ];
      Buffer.add_char out '\n')
    [ 8; 15; 30; 60; 125; 250; 1_000; 4_000 ];
  Suite.expected ~file:"test/core/traces/bbr_queues.expected" (Buffer.contents out)

(* -- the path changes --------------------------------------------------------- *)

(* Goodput in Mbit/s and the smoothed round trip in ms of each second. *)
let by_second ~after =
  let base = path ~rate:20 (Time.ms 20) in
  let seconds = Array.make 42 (0., 0) and last = ref 0 and una = ref 0 in
  let watch (c : Tcb.t) =
    let s = (c.shared.now / Time.s 1) - 1_000 in
    if s > !last then (
      if !una > 0 then
        seconds.(s) <-
          (float_of_int (Seq.diff c.snd_una !una) *. 8e-6, Rto.srtt_ns c.rto / 1_000_000);
      last := s;
      una := c.snd_una)
  in
  ignore
    (Bulk.run ~config ~limit:(Time.s 40) ~there:base ~back:base ~watch
       ~changes:[ (Time.s 15, after) ]
       [ ("bbr", 1_000_000_000, 0) ]);
  seconds

(* From [since] seconds on, the rate is within [low, high] on average, and the round trip at most
   [rtt] ms in most seconds. *)
let settles what ~after ~since ~rate:(low, high) ~rtt () =
  let seconds = Array.to_list (Array.sub (by_second ~after) since (40 - since)) in
  let n = List.length seconds in
  let mean = List.fold_left (fun sum (rate, _) -> sum +. rate) 0. seconds /. float_of_int n in
  let calm = List.length (List.filter (fun (_, ms) -> ms <= rtt) seconds) in
  if mean < low || mean > high then Alcotest.failf "%s: %.2f Mbit/s" what mean;
  if calm * 4 < n * 3 then Alcotest.failf "%s: %d of %d seconds with little queue" what calm n

let base = path ~rate:20 (Time.ms 20)

let changes () =
  settles "a longer path" ~since:27 ~rate:(17.5, 19.2) ~rtt:95
    ~after:{ base with delay_ns = Time.ms 60 }
    ();
  settles "a shorter path" ~since:17 ~rate:(17.5, 19.2) ~rtt:30
    ~after:{ base with delay_ns = Time.ms 5 }
    ();
  settles "a faster path" ~since:17 ~rate:(66., 77.) ~rtt:50
    ~after:{ base with rate_bps = mbit 80 }
    ();
  settles "a slower path" ~since:29 ~rate:(4.5, 4.9) ~rtt:75
    ~after:{ base with rate_bps = mbit 5 }
    ()

(* 4 Mbit/s of an application on a path of 50: no queue, and no estimate that falls to the
   application's rate. *)
let app_limited () =
  let there = path ~rate:50 (Time.ms 20) in
  let r =
    Bulk.run ~config ~limit:(Time.s 30) ~there ~back:there ~most:5_000 [ ("bbr", 1_000_000_000, 0) ]
  in
  let f = List.hd r.flows in
  let rate = Bulk.mbit f and queue = Bulk.queueing_ms f ~base:(Time.ms 40) in
  if rate < 3.95 || queue > 2. then Alcotest.failf "%.2f Mbit/s, %.2f ms" rate queue;
  if f.connection.pace_rate < 1_000_000 then
    Alcotest.failf "it paces at %d bytes/s" f.connection.pace_rate

(* A mark in each round trip of two seconds: as after losses the window falls towards what the path
   holds, 100 kB, and grows again with the next probe. *)
let marked () =
  let windows = Array.make 42 0 and next = ref (Time.s 1_010) in
  let watch (c : Tcb.t) =
    let now = c.shared.now in
    if now >= !next && now < Time.s 1_012 then (
      next := now + Time.ms 40;
      Congestion.on_mark c.congestion ~flight:100_000);
    let second = (now / Time.s 1) - 1_000 in
    if second >= 0 && second < 42 then windows.(second) <- Congestion.window c.congestion
  in
  let r =
    Bulk.run ~config ~limit:(Time.s 40) ~there:base ~back:base ~watch [ ("bbr", 1_000_000_000, 0) ]
  in
  let before = windows.(9) and lowered = windows.(11) and after = windows.(38) in
  if before < 180_000 || lowered > 150_000 || after < 180_000 then
    Alcotest.failf "windows of %d, %d and %d bytes" before lowered after;
  let rate = Bulk.mbit (List.hd r.flows) in
  if rate < 17.5 then Alcotest.failf "%.2f Mbit/s" rate

(* -- invariants ------------------------------------------------------------------ *)

let gains (s : Bbr_model.state) =
  match s with
  | Startup -> (277, 200)
  | Drain -> (50, 200)
  | Down -> (90, 200)
  | Cruise | Refill -> (100, 200)
  | Up -> (125, 225)
  | Probe_rtt -> (100, 50)

let check (t : Bbr_model.t) c (a : Congestion.ack) =
  let must what holds = if not holds then Alcotest.failf "BBR: %s" what in
  let window = Congestion.window c and mss = Congestion.mss c in
  must "four segments at least" (window >= 4 * mss);
  must "a bounded window" (window <= 1 lsl 30);
  must "within the long-term bound"
    (match t.state with
    | Down | Refill | Up -> window <= Int.max (4 * mss) t.inflight_longterm
    | _ -> true);
  must "within the short-term bound" (window <= Int.max (4 * mss) t.inflight_shortterm);
  must "bounds are above 0" (t.inflight_longterm > 0 && t.inflight_shortterm > 0);
  must "a pace once there is a round trip" (t.pacing_rate > 0 || a.srtt <= 0);
  must "the bandwidth is the least of its bounds" (t.bw = Int.min t.max_bw t.bw_shortterm);
  must "the maximum holds the sample" (a.rate.app_limited || t.max_bw >= t.delivery_rate);
  must "of two cycles" (t.max_bw = Int.max t.max_bw_now t.max_bw_before);
  must "the minimum is the least" (t.min_rtt <= t.probe_rtt_min_delay);
  must "of the sample" (a.rtt < 1_000 || t.min_rtt <= a.rtt || a.rtt > Time.s 30);
  must "what ran ahead is no more than a window was" (Bbr_model.extra_acked t >= 0);
  must "gains of the state" (gains t.state = (t.pacing_gain, t.cwnd_gain));
  must "the start is over in other states" (t.full_bw_reached || not (Bbr_model.is_in_probe_bw t))

let checked =
  let b = Bbr.behaviour in
  Congestion.Algorithm
    {
      b with
      on_ack =
        (fun t c a ->
          b.on_ack t c a;
          check t c a);
    }

let plans =
  let open QCheck2.Gen in
  let chance = oneof [ pure 0.; float_bound_inclusive 0.08 ] in
  let* seed = int_bound 1_000_000_000
  and* mtu = oneof_list [ 576; 1500; 9000 ]
  and* delay_ns = oneof_list [ Time.us 10; Time.ms 1; Time.ms 30; Time.ms 400 ]
  and* rate_bps = oneof_list [ 300_000; mbit 5; mbit 100; Impairment.unlimited ]
  and* queue_bytes = oneof_list [ 20_000; 262_144 ]
  and* size = oneof [ int_bound 60_000; int_bound 2_000_000 ]
  and* sack = oneof_list [ true; true; true; false ]
  and* timestamps = bool
  and* offload = bool
  and* most = oneof_list [ 1_000; max_int ] in
  let* loss = chance and* reorder = chance and* duplicate = chance and* jitter = chance in
  let net =
    {
      Impairment.none with
      delay_ns;
      rate_bps;
      queue_bytes;
      loss = Steady loss;
      reorder;
      reorder_ns = delay_ns / 2;
      duplicate;
      jitter_ns = int_of_float (jitter *. float_of_int delay_ns *. 10.);
    }
  in
  let config = { Config.default with congestion = [ checked ]; sack; timestamps } in
  let size = if most = 1_000 || rate_bps = 300_000 then size / 20 else size in
  pure
    {
      Transfer.plan with
      seed;
      mtu;
      offload;
      configs = (config, config);
      there = net;
      back = net;
      sizes = (size, size / 3);
      most;
      ending = Both_shut;
    }

let print (p : Transfer.plan) =
  Fmt.str "seed %d, mtu %d, offload %b, sizes %d and %d, sack %b, ts %b, most %d, %a" p.seed p.mtu
    p.offload (fst p.sizes) (snd p.sizes) (fst p.configs).sack (fst p.configs).timestamps p.most
    Impairment.pp p.there

let invariants =
  QCheck2.Test.make ~name:"bounds and filters, on any network" ~count:(Suite.iterations 400) ~print
    plans (fun plan ->
      ignore (Transfer.run ~check:true ~limit:(Time.s 36_000) plan);
      true)

let cases =
  [
    Suite.case "random loss" lossy;
    Suite.case "beside CUBIC and itself" coexistence;
    Suite.case "short queues" short_queues;
    Suite.case "the path changes" changes;
    Suite.case "little to send" app_limited;
    Suite.case "marks" marked;
    Suite.qcheck invariants;
  ]
