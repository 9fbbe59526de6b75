(* What peers that take nothing may cost the host, and that others are served. *)

open Weir_base
open Weir_core
open White_box
open Weir_test
module Header = Weir_wire.Tcp
module Ip = Weir_wire.Ip

let us = Ip.of_ipaddr (Ipaddr.of_string_exn "10.0.0.1")
let net = 0x0b00_0000

(* Segments straight to TCP, from as many peers as it takes. *)
type host = { tcp : Tcp.t; l : Tcp.listener; frame : Bytes.t; mutable resets : int }

let host config =
  let resets = ref ignore in
  let reset ~src:_ ~dst:_ _ = !resets () in
  let tcp = Tcp.create config (Counters.create ()) (Random.State.make [| 7 |]) ~reply:reset in
  (Tcp.shared tcp).now <- Time.s 1_000;
  match Tcp.listen tcp ~address:Ip.any ~port:80 ~backlog:64 ~reuse:true with
  | Error _ -> Alcotest.fail "listen"
  | Ok l ->
      let h = { tcp; l; frame = Bytes.create 2_000; resets = 0 } in
      (resets := fun () -> h.resets <- h.resets + 1);
      h

let shared h = Tcp.shared h.tcp
let used h = Budget.used (shared h).budget
let counters h = (shared h).counters

(* All that the host has to send; what it says last to [peer]. *)
let sent_to h peer =
  let last = ref None in
  let rec go () =
    let n = Tcp.next_segment h.tcp h.frame ~off:0 in
    if n > 0 then (
      (if Ip.equal (Tcp.last_dst h.tcp) peer then
         match Header.decode ~pseudo:(-1) h.frame ~off:0 ~len:n with
         | Ok s -> last := Some s
         | Error _ -> Alcotest.fail "nonsense was sent");
      go ())
  in
  go ();
  !last

let send h peer ?(data = "") s =
  let s = { s with Header.src_port = 5_000; dst_port = 80; data_length = String.length data } in
  Tcp.input h.tcp
    (Weir_wire.Packet.between ~source:peer ~destination:us)
    ~mss:1_460 s (Bytes.of_string data) ~data:0

let pass h ms =
  let until = (shared h).now + Time.ms ms in
  let rec go () =
    let at = Tcp.deadline h.tcp in
    if at <= until then (
      (shared h).now <- Int.max at (shared h).now;
      Tcp.tick h.tcp;
      ignore (sent_to h Ip.any);
      go ())
  in
  go ();
  (shared h).now <- until

let peer i = Ip.of_int (net + i)

(* A handshake with peer [i]; [None] if its SYN is not answered. *)
let connect ?(window = 65_535) h i =
  send h (peer i) { Header.base with syn = true; seq = 100; window; mss = 1_460 };
  match sent_to h (peer i) with
  | None -> None
  | Some answer ->
      send h (peer i) { Header.base with seq = 101; ack = Seq.add answer.seq 1; window };
      Tcp.accept h.l

let fill = Bytes.make 65_536 'x'

let rec write_all c =
  let n = Tcp.write c fill ~off:0 ~len:(Bytes.length fill) in
  if n > 0 then write_all c

(* It acknowledges what its first window let it have, and shuts it. *)
let shut h i (c : Tcb.t) =
  ignore (sent_to h (peer i));
  write_all c;
  send h (peer i) { Header.base with seq = 101; ack = c.snd_max; window = 0 };
  write_all c;
  ignore (sent_to h (peer i))

let live_bytes () =
  Gc.full_major ();
  8 * (Gc.stat ()).live_words

(* 10,000 readers who stop reading, each after a window of 64 KB. *)
let closed_windows () =
  let peers = 10_000 in
  let h = host Config.default in
  let before = live_bytes () in
  for i = 1 to peers do
    match connect h i with
    | None -> Alcotest.failf "peer %d is not served" i
    | Some c ->
        write_all c;
        shut h i c
  done;
  pass h 2_000;
  let each = used h / peers in
  if each > 40_000 then Alcotest.failf "%d bytes a peer" each;
  let live = live_bytes () - before in
  if live > used h then Alcotest.failf "%d bytes, of which %d were counted" live (used h);
  if used h > Config.default.memory then Alcotest.failf "%d bytes" (used h)

let small = { Config.default with memory = 8 lsl 20 }

(* Until the budget is nearly used. *)
let rec crowd h i =
  if Budget.is_tight (shared h).budget then i - 1
  else
    match connect h i with
    | None -> i - 1
    | Some c ->
        write_all c;
        shut h i c;
        crowd h (i + 1)

let pressure () =
  let h = host small in
  (* One that gets on, though it holds as much as any. *)
  let honest = Option.get (connect h 1_000_000) in
  write_all honest;
  let drain () =
    send h (peer 1_000_000) { Header.base with seq = 101; ack = honest.snd_max; window = 65_535 };
    ignore (sent_to h (peer 1_000_000))
  in
  let n = crowd h 1 in
  if n < 100 then Alcotest.failf "full with %d peers" n;
  (* While it is full nobody is let in to be thrown out: no answer at all. *)
  let rec to_the_brim i = if connect h i <> None then to_the_brim (i + 1) in
  Budget.take (shared h).budget (Budget.limit (shared h).budget - used h);
  to_the_brim 2_000_000;
  Budget.give (shared h).budget (used h - (7 * Budget.limit (shared h).budget / 8) - 1);
  Alcotest.(check bool) "SYNs were dropped" true ((counters h).tcp_syns_dropped > 0);
  for _ = 1 to 10 do
    drain ();
    write_all honest;
    pass h 100
  done;
  Alcotest.(check bool) "some were reset" true ((counters h).tcp_evicted > 0 && h.resets > 0);
  Alcotest.(check bool) "a quarter is free" true (4 * used h <= 3 * Budget.limit (shared h).budget);
  Alcotest.(check bool) "who gets on was spared" true (honest.state = Established);
  Alcotest.(check bool) "new ones are served" true (connect h 3_000_000 <> None)

(* A writer who finds no memory is woken when there is some. *)
let starved () =
  let h = host small in
  let c = Option.get (connect h 1) in
  let budget = (shared h).budget in
  let rest = Budget.limit budget - Budget.used budget in
  Budget.take budget rest;
  Alcotest.(check int) "no room" 0 (Tcp.write c fill ~off:0 ~len:1_000);
  c.want_writable <- true;
  pass h 300;
  Alcotest.(check bool) "still waits" true c.want_writable;
  Budget.give budget rest;
  pass h 300;
  Alcotest.(check bool) "woken" false c.want_writable;
  Alcotest.(check int) "room" 1_000 (Tcp.write c fill ~off:0 ~len:1_000);
  (* What comes in while there is none is dropped, and taken when it comes again. *)
  let rest = Budget.limit budget - Budget.used budget in
  Budget.take budget rest;
  let data = String.make 1_000 'd' in
  let arrives () =
    send h (peer 1) ~data { Header.base with seq = 101; ack = c.snd_una; window = 65_535 }
  in
  arrives ();
  Alcotest.(check int) "dropped" 1 (counters h).tcp_no_memory;
  Alcotest.(check int) "not acknowledged" 101 c.rcv_nxt;
  Budget.give budget rest;
  arrives ();
  Alcotest.(check int) "taken" 1_101 c.rcv_nxt

(* The user has closed, the peer answers every probe and takes nothing. *)
let orphan () =
  let h = host Config.default in
  let c = Option.get (connect h 1) in
  write_all c;
  shut h 1 c;
  Tcp.close h.tcp c;
  let rec live n =
    pass h 1_000;
    if c.state = Closed || n = 1_000 then n
    else (
      send h (peer 1) { Header.base with seq = 101; ack = c.snd_una; window = 0 };
      live (n + 1))
  in
  Alcotest.(check int) "seconds" 120 (live 1);
  Alcotest.(check int) "reset" 1 h.resets;
  Alcotest.(check int) "nothing is kept" 0 (used h)

(* What a burst needed is given back. *)
let shrinks () =
  let h = host Config.default in
  let c = Option.get (connect h 1) in
  for _ = 1 to 200 do
    write_all c;
    ignore (sent_to h (peer 1));
    send h (peer 1) { Header.base with seq = 101; ack = c.snd_max; window = 65_535 }
  done;
  Alcotest.(check bool) "grown" true (Send_queue.storage c.snd >= 65_536);
  ignore (sent_to h (peer 1));
  send h (peer 1) { Header.base with seq = 101; ack = c.snd_max; window = 65_535 };
  pass h 3_000;
  Alcotest.(check int) "given back" Tcb.connection_cost (used h)

let cases =
  [
    Suite.case "10,000 peers shut their windows" closed_windows;
    Suite.case "the worst holders go first" pressure;
    Suite.case "writers and segments wait for memory" starved;
    Suite.case "an orphan ends" orphan;
    Suite.case "buffers shrink" shrinks;
  ]
