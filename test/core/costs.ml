(* What a segment of a bulk transfer allocates, on both hosts together. *)

open Weir_base
open Weir_core
open Weir_test

let words_per_segment () =
  let net = { Weir_link.Impairment.none with delay_ns = Time.us 50 } in
  let w = World.pair ~seed:1 ~there:net ~back:net () in
  let b = World.second w in
  let l = World.listen b 80 in
  let c = World.connect w (World.first w) b 80 in
  World.pass w (Time.ms 1);
  let s = Option.get (Tcp.accept l) in
  let total = 20_000_000 in
  let stream = Stream.create ~seed:1 ~total in
  World.app w (fun () ->
      Stream.write stream c;
      Stream.read stream s);
  let limit = World.now w + Time.s 60 in
  (* The buffers grow to their size first. *)
  ignore (World.run w ~limit (fun () -> Stream.read_so_far stream > total / 4));
  let sent = World.sent w and words = Gc.minor_words () in
  if not (World.run w ~limit (fun () -> Stream.all_read stream)) then Alcotest.fail "not finished";
  let words = Gc.minor_words () -. words and frames = World.sent w - sent in
  let per_frame = words /. float_of_int frames in
  Printf.printf "%.0f minor words a frame, both hosts and the world (%d frames)\n" per_frame frames;
  if per_frame > 300. then Alcotest.failf "%.0f minor words a frame" per_frame

let cases = [ Suite.case "words a segment" words_per_segment ]
