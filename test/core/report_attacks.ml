(* Reports of narrow paths that nobody should believe (RFC 5927), and many at once. *)

open Weir_base
open Weir_wire
open Weir_core
open White_box
open Weir_link
open Weir_test

let slow = { Impairment.none with delay_ns = Time.ms 5 }
let int = Alcotest.(check int)

type flow = { w : World.t; c : Tcb.t; s : Tcb.t; stream : Stream.t }

let connected ?(seed = 1) ?(total = 10_000_000) ?(offload = false) () =
  let w = World.pair ~seed ~offload ~there:slow ~back:slow ~check:true () in
  let a = World.first w and b = World.second w in
  let l = World.listen b 80 in
  let c = World.connect w a b 80 in
  World.pass w (Time.ms 50);
  let s = Option.get (Tcp.accept l) in
  let stream = Stream.create ~seed ~total in
  World.app w (fun () ->
      Stream.write stream c;
      Stream.read stream s);
  { w; c; s; stream }

let counters f = Stack.counters (World.stack (World.first f.w))

let report f ?dont_fragment ?(length = 1_500) ?(edit = ignore) ~seq mtu =
  let b = Narrow.quote ?dont_fragment f.c ~seq ~length in
  edit b;
  Narrow.report f.w (World.first f.w) b ~at:0 ~mtu

let unmoved f what =
  World.settle f.w;
  int what 1_448 f.c.mss;
  int (what ^ ": the table") 0 (Stack.usage (World.stack (World.first f.w))).paths.used

(* The handshake only: reports that are right would count at once. *)
let forged () =
  let f = connected () in
  World.pass f.w (Time.ms 2);
  let una = f.c.snd_una in
  let bad what ?dont_fragment ?length ?edit ~seq mtu =
    report f ?dont_fragment ?length ?edit ~seq mtu;
    unmoved f what
  in
  bad "acknowledged data" ~seq:(Seq.add una (-1)) 576;
  bad "not sent yet" ~seq:f.c.snd_max 576;
  bad "far away" ~seq:(Seq.add una 0x4000_0000) 576;
  bad "it would have fitted" ~seq:una 1_500;
  bad "a longer path" ~seq:una 9_000;
  bad "a short segment" ~seq:una ~length:576 576;
  bad "a packet that routers may fragment" ~seq:una ~dont_fragment:false 576;
  bad "another port" ~seq:una ~edit:(fun b -> Bytes.set_uint16_be b 20 4_711) 576;
  bad "another host's packet" ~seq:una
    ~edit:(fun b ->
      Bytes.set_uint8 b 15 77;
      Bytes.set_uint16_be b 10 0;
      Bytes.set_uint16_be b 10 (Checksum.finish (Checksum.sum b ~off:0 ~len:20)))
    576;
  bad "a datagram that was not sent" ~seq:una ~edit:(fun b -> Bytes.set_uint8 b 9 17) 576;
  bad "an echo that was not sent" ~seq:una ~edit:(fun b -> Bytes.set_uint8 b 9 1) 576;
  report f ~seq:una 1_300;
  int "and a right one counts" 1_248 f.c.mss;
  report f ~seq:una 1_400;
  int "no report raises it" 1_248 f.c.mss

(* RFC 5927 §7.2: so long as data of this length are acknowledged, no report counts. *)
let progress () =
  let f = connected () in
  let b = World.now f.w + Time.s 30 in
  ignore (World.run f.w ~limit:b (fun () -> Stream.read_so_far f.stream > 200_000));
  for i = 1 to 1_000 do
    report f ~seq:f.c.snd_una (576 + (i mod 900));
    report f ~seq:(Seq.add f.c.snd_max (-1)) 68;
    World.pass f.w (Time.us 500)
  done;
  int "the MSS" 1_448 f.c.mss;
  int "followed" 0 (counters f).tcp_path_reports;
  if (counters f).tcp_path_ignored < 50 then Alcotest.fail "they were not counted";
  let sent = (counters f).tcp_retransmitted in
  int "sent again" 0 sent

(* The peer itself may lie: eight lies count at once, the others wait for a timer. *)
let steps () =
  let f = connected () in
  World.pass f.w (Time.ms 2);
  for mtu = 1_499 downto 1_400 do
    report f ~seq:f.c.snd_una mtu
  done;
  int "reports followed" 8 (counters f).tcp_path_reports;
  int "the MSS" (1_492 - 52) f.c.mss

(* 100,000 reports: whatever they say, nothing grows. *)
let flood () =
  let f = connected ~total:100_000_000 () in
  World.pass f.w (Time.s 1);
  let random = Random.State.make [| 3 |] in
  let before = Words.live () in
  for i = 1 to 100_000 do
    let any = Seq.add f.c.snd_una (Random.State.int random 3_000_000 - 1_000_000) in
    report f ~seq:any (Random.State.int random 1_600);
    if i mod 100 = 0 then World.drain f.w (World.first f.w) (fun _ _ -> ())
  done;
  let grown = Words.live () - before in
  if grown > 100_000 then Alcotest.failf "%d words more" grown

(* Hosts that really have connections or were sent datagrams can report; the table is bounded. *)
let full_table () =
  let random = Random.State.make [| 5 |] in
  let t = Paths.create ~secret:99 in
  let address i = Ip.of_int (0x0a00_0000 + i) in
  for i = 1 to 100_000 do
    let mtu = 576 + Random.State.int random 900 in
    ignore (Paths.reported t ~now:i (address i) ~mtu ~length:1_500 : bool)
  done;
  int "entries" Paths.most (Paths.length t);
  int "the newest is there" 0 (Bool.to_int (Paths.mtu t (address 100_000) = max_int));
  int "the oldest is not" max_int (Paths.mtu t (address 1));
  Alcotest.(check bool) "all expire" true (Paths.tick t ~now:(Time.s 601));
  int "none left" 0 (Paths.length t);
  int "no deadline" Time.never (Paths.deadline t)

let v6 s = Ip.of_ipaddr (Ipaddr.of_string_exn s)

let table () =
  let t = Paths.create ~secret:1 in
  let a = Ip.of_int 0x0a00_0001 and b = v6 "2001:db8::1" in
  let reported ?(now = 0) a mtu length = Paths.reported t ~now a ~mtu ~length in
  let yes what = Alcotest.(check bool) what true and no what = Alcotest.(check bool) what false in
  int "unknown" max_int (Paths.mtu t a);
  yes "narrower" (reported a 1_400 1_500);
  no "wider" (reported a 1_450 1_500);
  no "the same" (reported a 1_400 1_500);
  yes "a plateau" (reported a 0 1_500);
  int "the next below 1,400" 1_006 (Paths.mtu t a);
  yes "again" (reported a 0 1_006);
  int "not below the least" 576 (Paths.mtu t a);
  yes "but routers may fragment" (Paths.may_cut t a);
  yes "one may" (Paths.some_may_cut t);
  no "nothing new" (reported a 68 576);
  no "an IPv6 path below the least (RFC 8201 §4)" (reported b 1_279 1_500);
  no "an IPv6 router always says" (reported b 0 1_500);
  yes "at the least" (reported b 1_280 1_500);
  int "so it is" 1_280 (Paths.mtu t b);
  no "never fragments" (Paths.may_cut t b);
  int "the other is as it was" 576 (Paths.mtu t a);
  yes "expired" (Paths.tick t ~now:Paths.lifetime);
  no "none may" (Paths.some_may_cut t);
  yes "found without a report" (Paths.silent t ~now:0 b ~mtu:1_300);
  yes "a probe" (Paths.proved t ~now:0 b ~mtu:1_400 ~limit:1_500);
  int "raises it" 1_400 (Paths.mtu t b);
  yes "to the end" (Paths.proved t ~now:0 b ~mtu:1_500 ~limit:1_500);
  int "forgotten" 0 (Paths.length t)

let proofs () =
  let t = Paths.create ~secret:1 in
  let a = Ip.of_int 0x0a00_0001 and b = Ip.of_int 0x0a00_0002 in
  let d n = Bytes.init 8 (fun i -> Char.chr ((n lsr (8 * (i land 1))) land 255)) in
  Paths.remember t ~dst:a (d 1) ~off:0;
  let sent dst n = Paths.was_sent t ~dst (d n) ~off:0 in
  let is what want got = Alcotest.(check bool) what want got in
  is "another destination" false (sent b 1);
  is "another datagram" false (sent a 2);
  is "that one" true (sent a 1);
  is "only once" false (sent a 1);
  for i = 1 to 1_000 do
    Paths.remember t ~dst:a (d i) ~off:0
  done;
  is "too long ago" false (sent a 744);
  is "the oldest that is known" true (sent a 745)

(* Whatever is reported, the bytes are right, and they come. *)
let any_report =
  let open QCheck2.Gen in
  let plan =
    let* seed = int_bound 1_000_000
    and* real = oneof_list [ 300; 576; 700; 1_006; 1_280; 1_499; 1_500 ]
    and* silent = bool
    and* offload = bool
    and* loss = oneof_list [ 0.; 0.; 0.02 ]
    and* every = oneof_list [ 1; 3; 50 ] in
    pure (seed, real, silent, offload, loss, every)
  in
  let print (seed, real, silent, offload, loss, every) =
    Fmt.str "seed %d, MTU %d, silent %b, offload %b, loss %g, a report each %d ms" seed real silent
      offload loss every
  in
  QCheck2.Test.make ~name:"whatever is reported, the bytes are right" ~count:(Suite.iterations 300)
    ~print plan (fun (seed, real, silent, offload, loss, every) ->
      let f = connected ~seed ~total:300_000 ~offload () in
      let router = Narrow.put f.w ~mtu:1_500 in
      let random = Random.State.make [| seed |] in
      World.impair f.w ~there:{ slow with loss = Steady loss } ();
      World.at f.w
        (World.now f.w + Time.ms (Random.State.int random 100))
        (fun () ->
          router.mtu <- real;
          router.silent <- silent && real >= 576);
      let until = World.now f.w + Time.s 20 in
      let rec lie () =
        if World.now f.w < until && f.c.state <> Closed then (
          let flight = Int.max 1 (Tcb.flight f.c) in
          let seq = Seq.add f.c.snd_una (Random.State.int random (2 * flight) - (flight / 4)) in
          let length = 28 + Random.State.int random 1_600 in
          report f ~seq ~length (Random.State.int random 1_600);
          World.at f.w (World.now f.w + Time.ms every) lie)
      in
      lie ();
      let limit = World.now f.w + Time.s 600 in
      World.run f.w ~limit (fun () -> Stream.all_read f.stream)
      || QCheck2.Test.fail_reportf "%d bytes came, %a" (Stream.read_so_far f.stream) Invariants.pp
           f.c)

let cases =
  [
    Suite.case "the table" table;
    Suite.case "a full table" full_table;
    Suite.case "proofs of datagrams" proofs;
    Suite.case "forged reports" forged;
    Suite.case "reports against the evidence" progress;
    Suite.case "a path that narrows byte by byte" steps;
    Suite.case "a flood of reports" flood;
    Suite.qcheck any_report;
  ]
