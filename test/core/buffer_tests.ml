(* Buffers that grow with the path: what long paths carry with the default bounds, larger and smaller
   ones; and that short paths and slow readers keep them small. *)

open Weir_base
open Weir_core
open White_box
open Weir_link
open Weir_test

let path ~rate delay_ns =
  { Impairment.none with delay_ns; rate_bps = rate * 1_000_000; queue_bytes = 8_000_000 }

let buffers n = { Config.default with send_buffer = n; receive_buffer = n }

(* Mbit/s over the last half of the bytes. *)
let later_rate ~config ~rate ~ms bytes =
  let net = path ~rate (Time.ms ms) in
  let r = Bulk.run ~config ~there:net ~back:net [ ("cubic", bytes, 0) ] in
  let f = List.hd r.flows in
  float_of_int (bytes / 2 * 8) /. float_of_int (f.ended - f.half_at) *. 1e3

let long_paths () =
  let out = Buffer.create 1_000 in
  Printf.bprintf out
    "# Mbit/s of the later half of 80 MB over 100 ms, by the path's rate and the buffers' bound\n\
     %-12s %10s %10s %10s\n"
    "path" "1 MB" "default" "32 MB";
  List.iter
    (fun rate ->
      let show config = Printf.bprintf out " %10.1f" (later_rate ~config ~rate ~ms:50 80_000_000) in
      Printf.bprintf out "%-12s" (Fmt.str "%d Mbit/s" rate);
      show (buffers (1 lsl 20));
      show Config.default;
      show (buffers (32 lsl 20));
      Buffer.add_char out '\n')
    [ 100; 250; 500; 1_000 ];
  Suite.expected ~file:"test/core/traces/buffers.expected" (Buffer.contents out)

(* The receiver's bound after 20 MB or 20 s; it reads all, or [most] bytes each 10 ms. *)
let limit_after ?most ~ms () =
  let net = { (path ~rate:500 (Time.us (1_000 * ms / 2))) with queue_bytes = 2_000_000 } in
  let w = World.pair ~seed:3 ~there:net ~back:net ~check:true () in
  let l = World.listen (World.second w) 80 in
  let c = World.connect w (World.first w) (World.second w) 80 in
  let stream = Stream.create ~seed:1 ~total:20_000_000 in
  let served = ref None in
  World.app w (fun () ->
      if !served = None then served := Tcp.accept l;
      if Tcb.connected c then Stream.write stream c;
      if most = None then Option.iter (Stream.read stream) !served);
  let rec wake () =
    Option.iter (fun s -> Stream.read stream ?most s) !served;
    World.at w (World.now w + Time.ms 10) wake
  in
  if most <> None then wake ();
  let finished () = Stream.all_read stream in
  ignore (World.run w ~limit:(World.now w + Time.s 20) finished : bool);
  (Option.get !served).rcv_limit

let is_small what n = if n > 1 lsl 20 then Alcotest.failf "%s: a bound of %d bytes" what n

let stays_small () =
  is_small "a short path" (limit_after ~ms:1 ());
  is_small "a slow reader" (limit_after ~ms:100 ~most:1_000 ());
  let n = limit_after ~ms:100 () in
  if n < 4 lsl 20 then Alcotest.failf "a long path: a bound of %d bytes" n

(* -- the start ------------------------------------------------------------------ *)

(* Round trips, with the handshake's, that slow start needs for [bytes] from ten segments, if every
   round trip doubles the window. *)
let least_rounds bytes =
  let rec go n window left = if left <= 0 then n else go (n + 1) (2 * window) (left - window) in
  go 1 (10 * 1_448) bytes

(* Round trips until all is read, beside the fewest that slow start could take. A queue that
   overflows is repaired without a timeout. *)
let starts () =
  let out = Buffer.create 1_000 in
  Printf.bprintf out
    "# From the SYN to the last byte at 100 Mbit/s, in round trips: slow start's least, CUBIC, \
     drops, BBR, drops\n";
  List.iter
    (fun (ms, kb, jitter, bytes) ->
      let net =
        {
          (path ~rate:100 (Time.ms (ms / 2))) with
          queue_bytes = kb * 1_000;
          jitter_ns = Time.ms ms * jitter / 100;
        }
      in
      Printf.bprintf out "%-46s %5d"
        (Fmt.str "%d kB, %d ms, queue %d kB, %d%% jitter" (bytes / 1_000) ms kb jitter)
        (least_rounds bytes);
      List.iter
        (fun name ->
          let r = Bulk.run ~there:net ~back:net [ (name, bytes, 0) ] in
          let f = List.hd r.flows in
          let timeouts = (Stack.counters (World.stack (World.first r.world))).tcp_timeouts in
          if timeouts > 0 then Alcotest.failf "%s, %d ms: %d timeouts" name ms timeouts;
          Printf.bprintf out " %8.1f %6d"
            (float_of_int (f.ended - f.began) /. float_of_int (Time.ms ms))
            (World.overflowed r.world))
        [ "cubic"; "bbr" ];
      Buffer.add_char out '\n')
    [
      (50, 250, 0, 100_000);
      (50, 250, 0, 1_000_000);
      (100, 250, 0, 1_000_000);
      (100, 250, 5, 1_000_000);
      (100, 60, 0, 10_000_000);
      (100, 250, 0, 10_000_000);
      (100, 1_000, 0, 10_000_000);
      (300, 250, 0, 1_000_000);
      (300, 250, 5, 1_000_000);
      (300, 1_000, 0, 10_000_000);
      (600, 1_000, 0, 1_000_000);
      (600, 1_000, 0, 10_000_000);
    ];
  Suite.expected ~file:"test/core/traces/cold_start.expected" (Buffer.contents out)

let cases =
  [
    Suite.case "what long paths carry" long_paths;
    Suite.native "minutes" (Suite.case "no more than is of use" stays_small);
    Suite.case "a cold start" starts;
  ]
