(* Pacing: what a queue in the network drops with and without it, how evenly data leave, how often
   a connection wakes its host for it, and that frames stay long. *)

open Weir_base
open Weir_core
open White_box
open Weir_link
open Weir_test

let mbit n = n * 1_000_000

let path ?(queue = 262_144) ~rate delay_ns =
  { Impairment.none with delay_ns; rate_bps = rate; queue_bytes = queue }

let transfer ?(offload = false) ?(bytes = 4_000_000) ?(config = Config.default) ~pacing there =
  let config = { config with pacing } in
  Transfer.run ~check:true
    {
      Transfer.plan with
      seed = 4;
      offload;
      sizes = (bytes, 0);
      configs = (config, config);
      there;
      back = { there with queue_bytes = 262_144 };
      ending = Close_at_once;
    }

let goodput bytes (r : Transfer.result) = float_of_int (bytes * 8) /. float_of_int r.took *. 1e3

(* Queues from a few frames to more than a window. *)
let short_queues () =
  let out = Buffer.create 1_000 in
  Printf.bprintf out
    "# 4 MB by rate, delay each way and queue: Mbit/s and drops by the queue, not paced and paced\n\
     %-28s %10s %8s %10s %8s\n"
    "path" "Mbit/s" "drops" "Mbit/s" "drops";
  List.iter
    (fun (rate, ms, kb) ->
      let p = path ~queue:(kb * 1_000) ~rate:(mbit rate) (Time.ms ms) in
      Printf.bprintf out "%-28s" (Fmt.str "%d Mbit/s, %d ms, %d kB" rate ms kb);
      List.iter
        (fun pacing ->
          let r = transfer ~pacing p in
          Printf.bprintf out " %10.1f %8d" (goodput 4_000_000 r) (World.overflowed r.world))
        [ false; true ];
      Buffer.add_char out '\n')
    [
      (10, 10, 15);
      (10, 50, 15);
      (10, 50, 60);
      (100, 5, 30);
      (100, 10, 30);
      (100, 10, 120);
      (100, 50, 30);
      (100, 50, 120);
      (100, 50, 1_000);
      (1_000, 10, 60);
      (1_000, 10, 250);
      (1_000, 50, 250);
    ];
  Suite.expected ~file:"test/core/traces/pacing.expected" (Buffer.contents out)

(* -- a rate of the algorithm's own ------------------------------------------ *)

let at_rate rate =
  let set c = Congestion.set_window c (10_000 * Congestion.mss c) in
  Congestion.Algorithm
    {
      name = "steady";
      rate_samples = false;
      own_recovery = true;
      initial_window = (fun ~mss -> 10 * mss);
      start = set;
      on_ack = (fun () c _ -> set c);
      on_lost = (fun () _ -> ());
      threshold = (fun () _ ~flight:_ ~window -> window);
      on_event = (fun () c _ -> set c);
      pacing_rate = (fun () _ -> rate);
    }

type watch = {
  mutable waits : int;
  mutable last : Time.t;
  mutable departures : (Time.t * int) list;
}

(* Bytes sent by the first host, and how often its connection waited for its pace. *)
let watched ?(offload = false) ?(bytes = 4_000_000) ?(algorithm = Cubic.algorithm) net =
  let config =
    {
      Config.default with
      congestion = [ algorithm ];
      send_buffer = 16_000_000;
      receive_buffer = 16_000_000;
    }
  in
  let w =
    World.pair ~seed:4 ~offload ~configs:(config, config) ~there:net ~back:net ~check:true ()
  in
  let a = World.first w and b = World.second w in
  let l = World.listen b 80 in
  let c = World.connect w a b 80 in
  let seen = { waits = 0; last = Time.never; departures = [] } in
  let stream = Stream.create ~seed:1 ~total:bytes in
  let served = ref None in
  World.on_frame w (fun h _ len ->
      if h == a && len > 100 then seen.departures <- (World.now w, len - 66) :: seen.departures);
  World.app w (fun () ->
      if !served = None then served := Tcp.accept l;
      if c.pace_at <> seen.last then (
        seen.last <- c.pace_at;
        if c.pace_at <> Time.never then seen.waits <- seen.waits + 1);
      if Tcb.connected c then Stream.write stream c;
      Option.iter (Stream.read stream) !served);
  let began = World.now w in
  if not (World.run w ~limit:(began + Time.s 600) (fun () -> Stream.all_read stream)) then
    Alcotest.fail "not finished";
  (c, seen, World.now w - began)

(* No span carries more than the rate and a millisecond's burst. *)
let even () =
  List.iter
    (fun (rate, bytes) ->
      let _, seen, took =
        watched ~bytes ~algorithm:(at_rate rate) (path ~rate:(mbit 10_000) (Time.ms 20))
      in
      let ideal = bytes * 1_000 / (rate / 1_000_000) in
      if took > (ideal * 11 / 10) + Time.ms 400 then
        Alcotest.failf "%d bytes/s: %a, not %a" rate Time.pp took Time.pp ideal;
      let departures = Array.of_list (List.rev seen.departures) in
      (* After the first window and the ACKs of it. *)
      let span = Time.ms 10 and burst = (rate / 1_000 * 3) + 3_000 in
      let sum = ref 0 and oldest = ref 60 in
      for i = !oldest to Array.length departures - 1 do
        let at, n = departures.(i) in
        sum := !sum + n;
        while fst departures.(!oldest) <= at - span do
          sum := !sum - snd departures.(!oldest);
          incr oldest
        done;
        if !sum > (rate / 100) + burst then Alcotest.failf "%d bytes/s: %d bytes in 10 ms" rate !sum
      done;
      let most = (took / Time.ms 1) + 1 in
      if seen.waits > most then Alcotest.failf "%d waits in %a" seen.waits Time.pp took)
    [ (1_000_000, 1_000_000); (10_000_000, 4_000_000); (100_000_000, 20_000_000) ]

(* Pace at which the window leaves: no waits on a short path, bounded ones on a long one. *)
let wakes () =
  let c, seen, _ = watched (path ~queue:60_000 ~rate:(mbit 1_000) (Time.us 300)) in
  Alcotest.(check int) "0.6 ms: not paced" 0 seen.waits;
  Alcotest.(check int) "no rate" 0 c.pace_rate;
  let c, seen, took = watched ~bytes:20_000_000 (path ~rate:(mbit 1_000) (Time.ms 10)) in
  if seen.waits = 0 || seen.waits > took / Time.ms 1 then
    Alcotest.failf "%d waits in %a" seen.waits Time.pp took;
  Alcotest.(check bool) "a rate" true (c.pace_rate > 0)

let frame_lengths rate bytes =
  let _, seen, _ =
    watched ~offload:true ~bytes ~algorithm:(at_rate rate) (path ~rate:(mbit 10_000) (Time.ms 20))
  in
  List.fold_left (fun most (_, n) -> Int.max most n) 0 seen.departures

let long_frames () =
  if frame_lengths 125_000_000 20_000_000 < 60_000 then Alcotest.fail "1 Gbit/s: short frames";
  let n = frame_lengths 12_500_000 8_000_000 in
  if n > 14_480 then Alcotest.failf "100 Mbit/s: a frame of %d bytes" n

(* What was idle may send ten segments at once; the rest follows at the pace. *)
let after_idle () =
  let net = path ~rate:(mbit 1_000) (Time.ms 50) in
  let w = World.pair ~seed:4 ~there:net ~back:net ~check:true () in
  let a = World.first w and b = World.second w in
  let l = World.listen b 80 in
  let c = World.connect w a b 80 in
  World.pass w (Time.ms 300);
  let s = Option.get (Tcp.accept l) in
  let at_once = ref 0 and text = Bytes.make 30_000 'x' and got = Bytes.create 60_000 in
  World.on_frame w (fun h _ len -> if h == a && len > 100 then incr at_once);
  let turn what want =
    at_once := 0;
    ignore (Tcp.write c text ~off:0 ~len:30_000);
    World.settle w;
    Alcotest.(check int) what want !at_once;
    World.pass w (Time.s 5);
    while Tcp.read s got ~off:0 ~len:60_000 > 0 do
      ()
    done
  in
  turn "the first window" 10;
  turn "after idle" 10;
  turn "and again" 10

let cases =
  [
    Suite.case "drops of short queues" short_queues;
    Suite.case "a rate is kept, evenly" even;
    Suite.case "few wake-ups, none on short paths" wakes;
    Suite.case "frames stay long at high rates" long_frames;
    Suite.case "ten segments at once after idle" after_idle;
  ]
