(* Bytes over bad networks: what is read is what was written, in bounded time. *)

open Weir_base
open Weir_core
open Weir_link
open Weir_test

let buffers n = { Config.default with send_buffer = n; receive_buffer = n }

let network ?(loss = 0.) ?(reorder = 0.) ?(duplicate = 0.) ?(corrupt = 0.) ?(truncate = 0.) delay =
  {
    Impairment.none with
    loss = Steady loss;
    duplicate;
    corrupt;
    truncate;
    reorder;
    reorder_ns = delay / 2;
    delay_ns = delay;
    jitter_ns = delay / 10;
  }

let plans =
  let open QCheck2.Gen in
  let chance = oneof [ pure 0.; float_bound_inclusive 0.08 ] in
  let* seed = int_bound 1_000_000_000
  and* over_v6 = bool
  and* mtu = oneof_list [ 576; 1280; 1500; 9000 ]
  and* delay = oneof_list [ Time.us 10; Time.ms 1; Time.ms 30; Time.ms 400 ]
  and* size = pair (int_bound 60_000) (int_bound 60_000)
  and* buffer =
    pair (oneof_list [ 2_000; 9_000; 65_535; 300_000 ]) (oneof_list [ 1_500; 20_000; 1_048_576 ])
  and* timestamps = pair bool bool
  and* sack = oneof_list [ true; true; true; false ]
  and* offload = bool
  and* nodelay = bool
  and* most = oneof_list [ 17; 1000; max_int ]
  and* ending = oneof_list Transfer.[ Both_shut; Answer_after_end; Close_at_once ] in
  let* loss = chance and* reorder = chance and* duplicate = chance and* corrupt = chance in
  let* truncate = chance in
  let net = network ~loss ~reorder ~duplicate ~corrupt ~truncate delay in
  let config n timestamps = { (buffers n) with timestamps; nodelay; sack } in
  let size = if most = 17 then (fst size / 20, snd size / 20) else size in
  pure
    {
      Transfer.seed;
      over_v6 = over_v6 && mtu >= 1_280;
      mtu;
      offload;
      configs = (config (fst buffer) (fst timestamps), config (snd buffer) (snd timestamps));
      there = net;
      back = net;
      sizes = size;
      most;
      ending;
    }

let print (p : Transfer.plan) =
  Fmt.str
    "seed %d, IPv6 %b, mtu %d, offload %b, sizes %d and %d, buffers %d and %d, ts %b %b, sack %b, \
     %s at a time, %s, %a"
    p.seed p.over_v6 p.mtu p.offload (fst p.sizes) (snd p.sizes) (fst p.configs).send_buffer
    (snd p.configs).send_buffer (fst p.configs).timestamps (snd p.configs).timestamps
    (fst p.configs).sack
    (if p.most = max_int then "all" else string_of_int p.most)
    (match p.ending with
    | Both_shut -> "both shut"
    | Answer_after_end -> "answer after the end"
    | Close_at_once -> "close at once")
    Impairment.pp p.there

let many =
  QCheck2.Test.make ~name:"any network, buffers, MTU and ending" ~count:(Suite.iterations 4_000)
    ~print plans (fun plan ->
      ignore (Transfer.run ~check:true ~limit:(Time.s 36_000) plan);
      true)

let large () =
  List.iter
    (fun (seed, loss, delay, buffer) ->
      let net = network ~loss ~reorder:0.01 ~duplicate:0.005 ~corrupt:0.002 delay in
      ignore
        (Transfer.run ~limit:(Time.s 36_000)
           {
             Transfer.plan with
             seed;
             sizes = (6_000_000, 3_000_000);
             configs = (buffers buffer, buffers buffer);
             there = net;
             back = net;
           }))
    [
      (1, 0., Time.us 50, 1 lsl 20);
      (2, 0.01, Time.ms 2, 1 lsl 18);
      (3, 0.03, Time.ms 10, 1 lsl 20);
      (4, 0.001, Time.ms 50, 1 lsl 22);
    ]

(* Mbit/s of virtual time for 4 MB over 10 ms each way at 100 Mbit/s. *)
let throughput () =
  let out = Buffer.create 1000 in
  let sizes = [ 16; 64; 256; 1024; 4096 ] and losses = [ 0.; 0.1; 1.; 3.; 10. ] in
  Printf.bprintf out "# 4 MB at 100 Mbit/s, 10 ms each way: Mbit/s by loss and buffer size\n%8s"
    "loss";
  List.iter (fun kb -> Printf.bprintf out "%9s" (Printf.sprintf "%d kB" kb)) sizes;
  Buffer.add_char out '\n';
  List.iter
    (fun loss ->
      Printf.bprintf out "%7.1f%%" loss;
      List.iter
        (fun kb ->
          let net =
            {
              (network ~loss:(loss /. 100.) (Time.ms 10)) with
              rate_bps = 100_000_000;
              jitter_ns = 0;
            }
          in
          let total = if loss >= 3. then 1_000_000 else 4_000_000 in
          let r =
            Transfer.run ~limit:(Time.s 36_000)
              {
                Transfer.plan with
                seed = 5;
                sizes = (total, 0);
                configs = (buffers (kb * 1024), buffers (kb * 1024));
                there = net;
                back = net;
                ending = Close_at_once;
              }
          in
          Printf.bprintf out "%9.2f" (float_of_int (total * 8) /. float_of_int r.took *. 1e3))
        sizes;
      Buffer.add_char out '\n')
    losses;
  Suite.expected ~file:"test/core/traces/throughput.expected" (Buffer.contents out)

(* The same seed gives the same frames at the same times; another seed others. *)
let determinism () =
  let digest seed =
    let net = network ~loss:0.02 ~reorder:0.05 ~duplicate:0.02 ~corrupt:0.01 (Time.ms 3) in
    let r =
      Transfer.run ~record:true
        { Transfer.plan with seed; sizes = (2_000_000, 2_000_000); there = net; back = net }
    in
    if r.frames < 4_000 then Alcotest.failf "a short trace: %d frames" r.frames;
    r.digest
  in
  let one = digest 11 in
  Alcotest.(check string) "same seed" one (digest 11);
  Alcotest.(check bool) "other seed" false (String.equal one (digest 12))

let cases =
  [
    Suite.qcheck many;
    Suite.case "several MB both ways" large;
    Suite.case "throughput by loss and buffer" throughput;
    Suite.case "same seed, same frames" determinism;
  ]
