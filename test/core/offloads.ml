(* Frames that stand for many segments, on cards that cut and join them. *)

open Weir_base
open Weir_core
open White_box
open Weir_link
open Weir_test

let delay = { Impairment.none with delay_ns = Time.us 50 }

(* [n] bytes from the first host to the second, and the counters of both. *)
let moved ?(seed = 1) ?there n =
  let there = Option.value there ~default:delay in
  let plan = { Transfer.plan with seed; offload = true; sizes = (n, 0); there; back = delay } in
  let r = Transfer.run ~check:true plan in
  let counters h = Stack.counters (World.stack h) in
  (counters (World.first r.world), counters (World.second r.world), r)

let counted () =
  let a, b, r = moved 3_000_000 in
  Alcotest.(check int) "segments sent are segments received" a.tcp_out b.tcp_in;
  Alcotest.(check bool) "one for each MSS" true (a.tcp_out > 3_000_000 / 1_448);
  Alcotest.(check int) "and back" b.tcp_out a.tcp_in;
  if r.frames * 5 > a.tcp_out then Alcotest.failf "%d frames for %d segments" r.frames a.tcp_out

(* Of a long frame only what was lost goes again. *)
let lost () =
  let a, _, _ = moved ~seed:3 ~there:{ delay with loss = Steady 0.01 } 3_000_000 in
  let lost = 3_000_000 / 1_448 / 100 in
  if a.tcp_retransmitted < lost / 2 || a.tcp_retransmitted > 3 * lost then
    Alcotest.failf "about %d segments were lost, %d went again" lost a.tcp_retransmitted;
  Alcotest.(check int) "timeouts" 0 a.tcp_timeouts

(* A route that does not take long frames: the next segments are short. *)
let withdrawn () =
  let w = World.pair ~seed:1 ~offload:true ~there:delay ~back:delay () in
  let a = World.first w and b = World.second w in
  let l = World.listen b 80 in
  let c = World.connect w a b 80 in
  World.pass w (Time.ms 1);
  let s = Option.get (Tcp.accept l) in
  let total = 2_000_000 in
  let stream = Stream.create ~seed:1 ~total in
  World.app w (fun () ->
      Stream.write stream c;
      Stream.read stream s);
  let longest = ref 0 in
  World.on_frame w (fun _ _ len -> longest := Int.max !longest len);
  let limit = World.now w + Time.s 60 in
  ignore (World.run w ~limit (fun () -> Stream.read_so_far stream > total / 2));
  Alcotest.(check bool) "long before" true (!longest > 20_000);
  let stack = World.stack a in
  Stack.set_offload stack (Stack.interface stack 0) (Offload.both Offload.none);
  longest := 0;
  Alcotest.(check bool) "all came" true (World.run w ~limit (fun () -> Stream.all_read stream));
  Alcotest.(check int) "short after" 1_514 !longest

(* A host whose MAC is forgotten, while that of another is asked for: nothing is lost. *)
let unknown_neighbour ~over_v6 () =
  let w = World.pair ~seed:1 ~over_v6 ~offload:true ~there:delay ~back:delay () in
  let a = World.first w and b = World.second w in
  let l = World.listen b 80 in
  let c = World.connect w a b 80 in
  World.pass w (Time.ms 1);
  let s = Option.get (Tcp.accept l) in
  let total = 200_000 in
  let stream = Stream.create ~seed:1 ~total in
  let write = ref false in
  World.app w (fun () ->
      if !write then Stream.write stream c;
      Stream.read stream s);
  World.pass w (Time.s 300);
  let stack = World.stack a in
  let neighbours = (Stack.interface stack 0).neighbours in
  Alcotest.(check int) "forgotten" (-1) (Neighbours.stored neighbours (World.ip b));
  let absent = Ipaddr.of_string_exn (if over_v6 then "fd00::77" else "10.0.0.77") in
  let now = World.now w in
  Result.get_ok (Stack.ping stack ~now absent ~identifier:1 ~sequence:1 ~data_length:8);
  World.settle w;
  Alcotest.(check int) "another is asked for" 1 (Neighbours.waiting neighbours);
  write := true;
  let limit = now + Time.ms 900 in
  Alcotest.(check bool) "all came" true (World.run w ~limit (fun () -> Stream.all_read stream));
  let counters = Stack.counters stack in
  Alcotest.(check int) "sent again" 0 counters.tcp_retransmitted;
  Alcotest.(check int) "dropped" 0 counters.control_dropped

(* A long string is not copied: it takes no send buffer. *)
let strings ~offload () =
  let w = World.pair ~seed:1 ~offload ~there:delay ~back:delay () in
  let l = World.listen (World.second w) 80 in
  let c = World.connect w (World.first w) (World.second w) 80 in
  World.pass w (Time.ms 1);
  let s = Option.get (Tcp.accept l) in
  let text = String.init 1_000_003 (fun i -> Char.chr (i * 7 / 5 land 255)) in
  let sent = ref 0 and got = Buffer.create 1_000_003 and buf = Bytes.create 65_536 in
  let rec write () =
    let n = Tcp.write_string c text ~off:!sent ~len:(String.length text - !sent) in
    sent := !sent + n;
    Alcotest.(check int) "send buffer" 0 (Send_queue.storage c.snd);
    if n > 0 && !sent < String.length text then write ()
  in
  let rec read () =
    let n = Tcp.read s buf ~off:0 ~len:65_536 in
    Buffer.add_subbytes got buf 0 n;
    if n > 0 then read ()
  in
  World.app w (fun () ->
      write ();
      read ());
  let finished () = Buffer.length got = String.length text in
  let limit = World.now w + Time.s 10 in
  Alcotest.(check bool) "all came" true (World.run w ~limit finished);
  Alcotest.(check bool) "as it was sent" true (Buffer.contents got = text);
  Alcotest.(check int) "a short end is no copy either" 0 (Send_queue.storage c.snd);
  Alcotest.(check int) "a short string is one" 5 (Tcp.write_string c "hello" ~off:0 ~len:5);
  Alcotest.(check bool) "in the buffer" true (Send_queue.storage c.snd > 0)

let cases =
  [
    Suite.case "counted as their segments" counted;
    Suite.case "a part lost" lost;
    Suite.case "withdrawn" withdrawn;
    Suite.case "strings" (strings ~offload:true);
    Suite.case "strings, without offload" (strings ~offload:false);
    Suite.case "a forgotten neighbour" (unknown_neighbour ~over_v6:false);
    Suite.case "a forgotten neighbour, IPv6" (unknown_neighbour ~over_v6:true);
  ]
