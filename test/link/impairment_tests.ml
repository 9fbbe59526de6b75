open Weir_link
open Weir_test

let show = Fmt.str "%a" Impairment.pp
let one_of l = QCheck2.Gen.(map (List.nth l) (int_bound (List.length l - 1)))
let probability = QCheck2.Gen.(oneof [ float_bound_inclusive 1.; one_of [ 0.; 0.01; 0.5; 1. ] ])

let gen =
  let open QCheck2.Gen in
  let time = oneof [ int_bound 1_000_000_000_000; map (fun n -> n * 1_000_000) (int_bound 1000) ] in
  let* loss =
    oneof
      [
        map (fun p -> Impairment.Steady p) probability;
        (let+ enter = probability
         and+ leave = probability
         and+ good = probability
         and+ bad = probability in
         Impairment.Bursts { enter; leave; good; bad });
      ]
  in
  let* duplicate = probability and* corrupt = probability and* truncate = probability in
  let* reorder = probability and* reorder_ns = map2 (fun n s -> n * s) time (one_of [ 1; -1 ]) in
  let* delay_ns = time and* jitter_ns = time in
  let* rate_bps = oneof [ return Impairment.unlimited; int_range 1 100_000_000_000 ] in
  let+ queue_bytes = int_range 1 10_000_000 and+ held_frames = int_range 1 100_000 in
  {
    Impairment.loss;
    duplicate;
    corrupt;
    truncate;
    reorder;
    reorder_ns;
    delay_ns;
    jitter_ns;
    rate_bps;
    queue_bytes;
    held_frames;
  }

let round_trip =
  QCheck2.Test.make ~name:"reading what was printed" ~count:2000 ~print:show gen (fun i ->
      Impairment.of_string (show i) = Ok i)

let never_raises =
  let part =
    QCheck2.Gen.(
      map (String.concat "")
        (list_size (int_bound 8)
           (one_of
              [
                "loss";
                "delay";
                "rate";
                "reorder";
                "bursts";
                "=";
                ":";
                ",";
                "%";
                "1";
                "-";
                ".";
                "ms";
                "kB";
                "e9";
                "0x";
                "99999999999999999999";
                "nan";
                " ";
              ])))
  in
  QCheck2.Test.make ~name:"any text gives an impairment that makes sense, or an error" ~count:20_000
    ~print:Fun.id part (fun s ->
      match Impairment.of_string s with
      | Ok i -> Impairment.check i = Ok ()
      | Error reason -> reason <> "")

let reads () =
  let ok text i =
    match Impairment.of_string text with
    | Ok j -> Alcotest.(check string) text (show i) (show j)
    | Error e -> Alcotest.failf "%s: %s" text e
  in
  let none = Impairment.none in
  ok "" none;
  ok "none" none;
  ok "loss=2%, delay=20ms" { none with loss = Steady 0.02; delay_ns = 20_000_000 };
  ok "rate=100mbit,queue=64kB" { none with rate_bps = 100_000_000; queue_bytes = 64_000 };
  ok "bursts=1%:25%" { none with loss = Bursts { enter = 0.01; leave = 0.25; good = 0.; bad = 1. } };
  ok "reorder=1%:-2ms,delay=1.5ms,held=10"
    { none with reorder = 0.01; reorder_ns = -2_000_000; delay_ns = 1_500_000; held_frames = 10 }

let refuses () =
  let error text want =
    match Impairment.of_string text with
    | Ok _ -> Alcotest.failf "%s was read" text
    | Error got -> Alcotest.(check string) text want got
  in
  error "loss=2" "loss is not from 0 to 1";
  error "loss=nan" "loss is not from 0 to 1";
  error "loss=x" "loss=x: not a probability such as 2% or 0.02";
  error "delay=20" "delay=20: the unit is one of s, ms, us, ns";
  error "delay=-1ms" "delay is negative";
  error "delay=99999999999999999999s" "delay=99999999999999999999s: not a number";
  error "delay=9999999s" "delay is above 1,000,000 s";
  error "rate=0bit" "rate is below 1";
  error "speed=3" "speed: no such impairment";
  error "loss" "loss: not NAME=VALUE";
  error "reorder=1%" "reorder=1%: not PROBABILITY:TIME";
  Alcotest.check_raises "wrap" (Invalid_argument "Impairment: loss is not from 0 to 1") (fun () ->
      let a, _ = Memory.pair () in
      ignore (Impair.wrap ~seed:1 ~outbound:{ Impairment.none with loss = Steady 2. } a))

let cases =
  [
    Suite.case "texts" reads;
    Suite.case "errors" refuses;
    Suite.qcheck round_trip;
    Suite.qcheck never_raises;
  ]
