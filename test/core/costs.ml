(* What a segment of a bulk transfer and a datagram allocate, on both hosts together. *)

open Weir_base
open Weir_core
open White_box
open Weir_test

let words_per_segment ~over_v6 () =
  let net = { Weir_link.Impairment.none with delay_ns = Time.us 50 } in
  let w = World.pair ~seed:1 ~over_v6 ~there:net ~back:net () in
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
  if per_frame > 8. then Alcotest.failf "%.0f minor words a frame" per_frame

let bind h port =
  match Stack.bind_udp (World.stack h) ~address:Ipaddr.(V4 V4.any) ~port ~reuse:false with
  | Ok s -> s
  | Error _ -> Alcotest.failf "no port %d" port

let lengths = [| 1_472; 3; 1_471; 0; 1_000; 735; 736; 3_000 |]

(* Frames that were sent serve again: of all lengths, some before the
   neighbour is known, bursts of several, and none has another's bytes. *)
let datagrams () =
  let w = World.pair ~seed:1 () in
  let a = World.first w and b = World.second w in
  let from = bind a 1_000 and to_ = bind b 53 in
  let out = Bytes.create 3_000 and got = Bytes.create 3_000 in
  let next = ref 0 and seen = ref 0 in
  let length i = lengths.(i mod Array.length lengths) in
  let send () =
    let len = length !next in
    Bytes.fill out 0 len (Char.chr (!next land 255));
    incr next;
    Stack.send_udp (World.stack a) ~now:(World.now w) from ~dst:(World.address b) ~dst_port:53 out
      ~off:0 ~len
    |> Result.iter_error (fun _ -> Alcotest.failf "datagram %d was not sent" !next)
  in
  let rec receive () =
    let n = Udp_sockets.receive to_ got ~off:0 ~len:3_000 in
    if n >= 0 then (
      if n <> length !seen then Alcotest.failf "datagram %d: %d bytes" !seen n;
      for i = 0 to n - 1 do
        if Bytes.get_uint8 got i <> !seen land 255 then Alcotest.failf "datagram %d is wrong" !seen
      done;
      incr seen;
      receive ())
  in
  let bursts n =
    for i = 1 to n do
      for _ = 1 to 1 + (i mod 40) do
        send ()
      done;
      World.settle w;
      receive ()
    done
  in
  bursts 1;
  World.pass w (Time.ms 1);
  receive ();
  Alcotest.(check int) "the first waited for its neighbour" !next !seen;
  bursts 20;
  let before = !seen and words = Gc.minor_words () in
  bursts 200;
  let per_datagram = (Gc.minor_words () -. words) /. float_of_int (!seen - before) in
  Alcotest.(check int) "all came" !next !seen;
  Printf.printf "%.0f minor words a datagram, of all lengths\n" per_datagram;
  if per_datagram > 300. then Alcotest.failf "%.0f minor words a datagram" per_datagram

let cases =
  List.map (Suite.native "OCaml's heap")
    [
      Suite.case "words a segment" (words_per_segment ~over_v6:false);
      Suite.case "words a segment, IPv6" (words_per_segment ~over_v6:true);
      Suite.case "datagrams" datagrams;
    ]
