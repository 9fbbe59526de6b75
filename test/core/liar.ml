(* A peer that says anything: acknowledgements, windows, SACK blocks and echoes
   by chance, numbers that wrap, clocks that stand still or jump. Whatever it
   did, once it answers honestly everything must be acknowledged: a connection
   with something to send has a deadline at which it sends. *)

open Weir_base
open Weir_core
open White_box
open Weir_test
open Script

type t = {
  script : Script.t;
  c : Tcb.t;
  random : Random.State.t;
  out : Bytes.t;
  mutable written : int;
  mutable sent : Seq.t list;  (** the starts of what went out last *)
}

let peer_mss = [| 88; 100; 536; 1460 |]
let pick r a = a.(Random.State.int r (Array.length a))
let chance r n = Random.State.int r n = 0
let shared t = Tcp.shared (tcp t.script)
let byte at = Char.unsafe_chr (at * 7 land 0xff)

(* It counts what is delivered, and does nothing with it. *)
let counting =
  let count (Congestion.Algorithm a) =
    Congestion.Algorithm { a with name = "counting"; rate_samples = true }
  in
  count Cubic.algorithm

let config r =
  {
    Config.default with
    send_buffer = pick r [| 1_000; 5_000; 70_000; 1_000_000 |];
    timestamps = Random.State.bool r;
    sack = not (chance r 5);
    nodelay = Random.State.bool r;
    congestion = [ pick r [| Cubic.algorithm; Reno.algorithm; counting |] ];
  }

let input t ?(data_length = 0) ~ack ~window ~echo sacks =
  let c = t.c in
  Tcp.input (tcp t.script)
    (Weir_wire.Packet.between ~source:c.remote ~destination:c.local)
    ~mss:1460
    {
      Weir_wire.Tcp.base with
      src_port = c.remote_port;
      dst_port = c.local_port;
      seq = c.rcv_nxt;
      ack;
      window;
      sacks;
      ts_val = (if c.timestamps then c.ts_recent else -1);
      ts_ecr = echo;
      data_length;
    }
    (Bytes.make data_length 'p') ~data:0

(* The host with a first sequence number that wraps after [before] bytes: it
   grows by one in 4 us. *)
let start seed =
  let r = Random.State.make [| seed; 9 |] in
  let config = config r and mss = pick r peer_mss and ws = Random.State.int r 15 in
  let ts = if config.timestamps then Some (100, 0) else None in
  let open_at now =
    let script = host ~config () in
    (Tcp.shared (tcp script)).now <- now;
    send script ~flags:[ S ] ~mss ~ws ~sackok:true ?ts 0;
    script
  in
  let probe = open_at (Time.s 1_000) in
  let found = ref (-1) in
  Tcp.iter (fun c -> found := c.Tcb.iss) (tcp probe);
  let to_wrap = (0x1_0000_0000 - !found - Random.State.int r 200_000) land 0xffff_ffff in
  let script = open_at (Time.s 1_000 + (to_wrap * 4_000)) in
  send script ~ack:1 ?ts 1;
  { script; c = connection script; random = r; out = Bytes.create 2_048; written = 0; sent = [] }

(* What goes out was written, is not acknowledged and is timed. *)
let rec drain t =
  let n = Tcp.next_segment (tcp t.script) t.out ~off:0 in
  if n > 0 then (
    (match Weir_wire.Tcp.decode ~pseudo:(-1) t.out ~off:0 ~len:n with
    | Error e -> Alcotest.failf "nonsense: %a" Weir_wire.Error.pp e
    | Ok h ->
        if h.data_length > 0 || h.fin then (
          let at = Seq.diff h.seq (Seq.add t.c.iss 1) in
          let upto = Seq.add h.seq (h.data_length + Bool.to_int h.fin) in
          if Seq.leq upto t.c.snd_una then Alcotest.fail "sent again what was acknowledged";
          if at + h.data_length > t.written then Alcotest.fail "sent what was not written";
          (* A probe of the path may be longer than the MSS of now. *)
          if h.data_length > t.c.mss_limit then Alcotest.fail "more than a segment";
          for i = 0 to h.data_length - 1 do
            if Bytes.get t.out (h.header_length + i) <> byte (at + i) then
              Alcotest.failf "byte %d is another" (at + i)
          done;
          t.sent <- h.seq :: List.filteri (fun i _ -> i < 20) t.sent));
    1 + drain t)
  else 0

let move t span =
  (shared t).now <- (shared t).now + span;
  Tcp.tick (tcp t.script)

let next_deadline t =
  let at = Tcp.deadline (tcp t.script) in
  if at < Time.never then (
    (shared t).now <- Int.max at (shared t).now;
    Tcp.tick (tcp t.script))

let write t n =
  if not (t.c.fin_queued || t.c.state = Closed) then
    let b = Bytes.init n (fun i -> byte (t.written + i)) in
    t.written <- t.written + Tcp.write t.c b ~off:0 ~len:n

let somewhere t =
  let r = t.random and c = t.c in
  match Random.State.int r 6 with
  | 0 -> c.snd_una
  | 1 -> c.snd_max
  | 2 when t.sent <> [] -> List.nth t.sent (Random.State.int r (List.length t.sent))
  | 3 -> Seq.add c.snd_una (c.mss * Random.State.int r 40)
  | 4 -> Seq.add c.snd_una (Random.State.int r (Tcb.flight c + 2))
  | _ -> Seq.add c.snd_una (Random.State.int r 4_000 - 2_000)

let block t =
  let left = somewhere t in
  ( left,
    if chance t.random 3 then somewhere t
    else Seq.add left (t.c.mss * (1 + Random.State.int t.random 8)) )

let lie t =
  let r = t.random and c = t.c in
  let ack = if Random.State.bool r then c.snd_una else somewhere t in
  let window = pick r [| 0; 1; 3; 50; 700; 65_535; 65_535; 65_535 |] in
  let now = Tcb.timestamp_now c in
  let echo = pick r [| now; now; (now - Random.State.int r 5_000) land 0xffff_ffff; 0; 77 |] in
  input t ~ack ~window ~echo
    ~data_length:(if chance r 20 then 10 else 0)
    (List.init (Random.State.int r 4) (fun _ -> block t))

let step t =
  let r = t.random in
  (match Random.State.int r 20 with
  | 0 | 1 -> write t (1 + Random.State.int r 30_000)
  | 2 -> write t (1 + Random.State.int r 100)
  | 3 -> next_deadline t
  | 4 -> move t (pick r [| 1; Time.us 1; Time.ms 1; Time.ms 50; Time.s 1 |])
  | 5 -> if chance r 40 then move t (pick r [| Time.s 70; Time.s 3_600; Time.s 100_000 |])
  | 6 -> if chance r 60 then Tcp.shutdown_send t.c
  | _ -> lie t);
  if not (chance r 5) then ignore (drain t)

let outstanding (c : Tcb.t) =
  Send_queue.length c.snd > 0 || (c.fin_queued && not c.fin_acked) || Tcb.flight c > 0

(* Answers to what comes, and to nothing else. *)
let honest t =
  let rec go n =
    if t.c.state <> Closed && outstanding t.c then (
      if n = 0 then Alcotest.failf "it does not end: %a" Invariants.pp t.c
      else
        let sent = drain t in
        Invariants.check t.c;
        if sent > 0 then
          input t ~ack:t.c.snd_max ~window:65_535
            ~echo:(if t.c.timestamps then Tcb.timestamp_now t.c else 0)
            []
        else if Tcp.deadline (tcp t.script) = Time.never then
          Alcotest.failf "no deadline: %a" Invariants.pp t.c
        else next_deadline t;
        go (n - 1))
  in
  go 100_000

let add (sum : Counters.t) (c : Counters.t) =
  sum.tcp_fast_retransmits <- sum.tcp_fast_retransmits + c.tcp_fast_retransmits;
  sum.tcp_timeouts <- sum.tcp_timeouts + c.tcp_timeouts;
  sum.tcp_tail_probes <- sum.tcp_tail_probes + c.tcp_tail_probes;
  sum.tcp_dsacks <- sum.tcp_dsacks + c.tcp_dsacks;
  sum.tcp_undone <- sum.tcp_undone + c.tcp_undone

let play sum seed =
  let t = start seed in
  try
    let steps = ref 400 in
    while !steps > 0 && t.c.state <> Closed do
      decr steps;
      step t;
      ignore (drain t);
      Invariants.check t.c
    done;
    honest t;
    add sum (shared t).counters
  with e -> Alcotest.failf "seed %d: %s" seed (Printexc.to_string e)

(* Lies that lead nowhere would test nothing. *)
let all () =
  let first = Suite.seed () and n = Suite.iterations 1_000 in
  let counters = Counters.create () in
  for i = 1 to n do
    play counters (first + i)
  done;
  let often what got = if got < n then Alcotest.failf "only %d %s" got what in
  often "recoveries" counters.tcp_fast_retransmits;
  often "timeouts" counters.tcp_timeouts;
  often "tail probes" counters.tcp_tail_probes;
  often "duplicates told of" counters.tcp_dsacks;
  often "undone" counters.tcp_undone

let cases = [ Suite.case "a peer that says anything" all ]
