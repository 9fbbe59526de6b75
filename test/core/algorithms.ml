(* Congestion controls of a program's own, through the public interface; and the
   delivery rates that they are told, against samples computed by hand. *)

open Weir_base
open Weir_core
open Weir_link
open Weir_test

(* -- a fixed window --------------------------------------------------------- *)

let fixed segments =
  let set _ c = Congestion.set_window c (segments * Congestion.mss c) in
  Congestion.Algorithm
    {
      name = "fixed";
      rate_samples = false;
      own_recovery = true;
      initial_window = (fun ~mss -> segments * mss);
      start = set ();
      on_ack = (fun () _ _ -> ());
      on_lost = (fun () _ -> ());
      threshold = (fun () _ ~flight:_ ~window -> window);
      on_event = (fun () c _ -> set () c);
      pacing_rate = (fun () _ -> 0);
    }

let with_algorithm a = { Config.default with congestion = [ a; Cubic.algorithm ] }

let obeys ~sackok () =
  let open Script in
  let t = host ~config:(with_algorithm (fixed 5)) () in
  established t ~mss:1000 ~sackok;
  write t (String.make 40_000 'x');
  let c = connection t in
  let five what = Alcotest.(check int) what 5_000 (Scoreboard.in_flight c.board) in
  five "at first";
  after t 10;
  send t ~ack:2001 1;
  five "after ACKs";
  after t 10;
  List.iter
    (fun i -> send t ~ack:2001 ?sacks:(if sackok then Some [ (3001, (i * 1000) + 1) ] else None) 1)
    [ 4; 5; 6 ];
  Alcotest.(check int) "a loss was found" 1 c.shared.counters.tcp_fast_retransmits;
  five "in recovery";
  send t ~ack:7001 1;
  five "after it";
  after t 1_000;
  Alcotest.(check int) "the window, after a timeout" 5_000 (Congestion.window c.congestion)

(* -- the estimator, by hand ------------------------------------------------- *)

type bench = { board : Scoreboard.t; rack : Rack.t; mutable nxt : Seq.t }

let bench () =
  let board = Scoreboard.create () in
  Scoreboard.set_bounds board ~mss:1_000 ~buffer:100_000;
  Scoreboard.set_rated board (Some (Delivery_rate.create ()));
  { board; rack = Rack.create ~iss:0; nxt = 0 }

let send b ms =
  Scoreboard.sent b.board ~seq:b.nxt ~upto:(b.nxt + 1_000) ~now:(Time.ms ms);
  b.nxt <- b.nxt + 1_000

let on_ack b ms f =
  Rack.begin_ack b.rack ~now:(Time.ms ms) ~echo_at:max_int;
  Scoreboard.begin_ack b.board;
  f ();
  Scoreboard.end_ack b.board b.rack

let ack b ms upto = on_ack b ms (fun () -> Scoreboard.ack b.board b.rack ~upto)
let sack b ms left right = on_ack b ms (fun () -> Scoreboard.sack b.board b.rack ~left ~right)

(* The bytes of a sample, in how many ms, and what was delivered in all. *)
let sample ?(limited = false) b what bytes ms delivered =
  let r = Scoreboard.rate b.board in
  Alcotest.(check (list int))
    what
    [ bytes; Time.ms ms; delivered ]
    [ r.sample; r.interval; r.delivered ];
  if bytes > 0 then (
    Alcotest.(check bool) (what ^ ": limited") limited r.app_limited;
    Alcotest.(check int) (what ^ ": rate") (bytes * 1_000 / ms) (Delivery_rate.bytes_per_second r))

let by_hand () =
  let b = bench () in
  List.iter (send b) [ 1_000; 1_010; 1_020 ];
  ack b 1_050 1_000;
  sample b "a lone ACK: a round trip" 1_000 50 1_000;
  send b 1_050;
  ack b 1_070 3_000;
  sample b "two at once: since the first was sent" 3_000 70 3_000;
  ack b 1_100 4_000;
  sample b "what came since the segment left" 3_000 50 4_000;
  ack b 1_100 4_000;
  sample b "nothing new: no sample" 0 0 4_000

let limited_by_app () =
  let b = bench () in
  send b 1_000;
  ack b 1_050 1_000;
  Scoreboard.limited_by_app b.board;
  send b 1_200;
  send b 1_210;
  ack b 1_250 2_000;
  sample b ~limited:true "the pause is not the network's" 1_000 50 2_000;
  send b 1_250;
  ack b 1_260 3_000;
  sample b ~limited:true "nor is it for the next" 2_000 60 3_000;
  ack b 1_300 4_000;
  sample b "sent after the pause" 2_000 50 4_000

let slow_to_send () =
  let b = bench () in
  send b 1_000;
  send b 1_080;
  ack b 1_100 1_000;
  sample b "a round trip" 1_000 100 1_000;
  send b 1_190;
  ack b 1_200 3_000;
  sample b "the flight took 190 ms to be sent, and 100 to be acknowledged" 2_000 190 3_000

(* It was the first copy that arrived. *)
let too_fast () =
  let b = bench () in
  send b 1_000;
  send b 1_001;
  ack b 1_050 1_000;
  Scoreboard.sent_again b.board 1 ~now:(Time.ms 1_052);
  ack b 1_060 2_000;
  sample b "faster than any round trip: no sample" 0 0 2_000

let counted_once () =
  let b = bench () in
  List.iter (send b) [ 1_000; 1_000; 1_000 ];
  sack b 1_050 1_000 3_000;
  sample b "by blocks" 2_000 50 2_000;
  Scoreboard.sent_again b.board 0 ~now:(Time.ms 1_060);
  ack b 1_110 3_000;
  sample b "the hole, since it went again" 1_000 50 3_000

(* Chosen on the way: what was in flight is counted, what follows is sampled. *)
let from_now_on () =
  let b = bench () in
  let rate = Scoreboard.rate b.board in
  Scoreboard.set_rated b.board None;
  send b 1_000;
  Scoreboard.set_rated b.board (Some rate);
  send b 1_010;
  ack b 1_050 1_000;
  sample b "no stamp" 0 0 1_000;
  ack b 1_060 2_000;
  Alcotest.(check int) "counted" 2_000 (Scoreboard.rate b.board).delivered

(* -- the estimator, in a connection ------------------------------------------ *)

type heard = { mutable rates : int list; mutable delivered : int }

let listener heard =
  let window c = Congestion.set_window c (100 * Congestion.mss c) in
  let on_ack () _ (a : Congestion.ack) =
    heard.delivered <- a.rate.delivered;
    if a.rate.sample > 0 && not a.rate.app_limited then
      heard.rates <- Delivery_rate.bytes_per_second a.rate :: heard.rates
  in
  Congestion.Algorithm
    {
      name = "listener";
      rate_samples = true;
      own_recovery = true;
      initial_window = (fun ~mss -> 100 * mss);
      start = window;
      on_ack;
      on_lost = (fun () _ -> ());
      threshold = (fun () _ ~flight:_ ~window -> window);
      on_event = (fun () c _ -> window c);
      pacing_rate = (fun () _ -> 0);
    }

let listen ~sack ~loss =
  let heard = { rates = []; delivered = 0 } in
  let config = { (with_algorithm (listener heard)) with sack } in
  let net = { Impairment.none with delay_ns = Time.ms 10; rate_bps = 20_000_000 } in
  ignore
    (Transfer.run ~check:true
       {
         Transfer.plan with
         seed = 3;
         sizes = (4_000_000, 0);
         configs = (config, Config.default);
         there = { net with loss = Steady loss };
         back = net;
         ending = Close_at_once;
       });
  Alcotest.(check int) "each byte, and the FIN" 4_000_001 heard.delivered;
  heard.rates

(* Eight of ten samples are within a twentieth of what the path takes. *)
let finds_bottleneck ~sack ~loss () =
  let rates = listen ~sack ~loss in
  let payload = 20_000_000 / 8 * 1_448 / 1_514 in
  let near = List.filter (fun x -> abs (x - payload) * 20 <= payload) rates in
  let n = List.length rates in
  if n < 500 || List.length near * 10 < n * 8 then
    Alcotest.failf "%d of %d samples near %d bytes/s" (List.length near) n payload

let counts_without_sack () = ignore (listen ~sack:false ~loss:0.01)

(* -- names ------------------------------------------------------------------ *)

let by_name () =
  let name = Alcotest.(check (option string)) in
  let find n = Option.map Congestion.name (Congestion.named n Config.default.congestion) in
  name "CUBIC" (Some "cubic") (find "cubic");
  name "Reno" (Some "reno") (find "reno");
  name "none other" None (find "fixed");
  let c = Congestion.create Cubic.algorithm ~mss:1_000 in
  Congestion.set_window c 30_000;
  Congestion.choose c Reno.algorithm;
  Alcotest.(check string) "chosen" "reno" (Congestion.name (Congestion.algorithm c));
  Alcotest.(check int) "from the window as it is" 30_000 (Congestion.window c)

let cases =
  [
    Suite.case "a fixed window is obeyed" (obeys ~sackok:true);
    Suite.case "the same without SACK" (obeys ~sackok:false);
    Suite.case "by name" by_name;
    Suite.case "delivery rates by hand" by_hand;
    Suite.case "delivery rates of a sender with nothing to send" limited_by_app;
    Suite.case "delivery rates over the longer time" slow_to_send;
    Suite.case "delivery rates are no faster than round trips" too_fast;
    Suite.case "delivered bytes count once" counted_once;
    Suite.case "delivery rates from now on" from_now_on;
    Suite.case "delivery rates find the bottleneck" (finds_bottleneck ~sack:true ~loss:0.);
    Suite.case "delivery rates with losses" (finds_bottleneck ~sack:true ~loss:0.005);
    Suite.case "delivery rates without SACK" (finds_bottleneck ~sack:false ~loss:0.);
    Suite.case "delivered bytes without SACK" counts_without_sack;
  ]
