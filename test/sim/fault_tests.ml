(* Faults do what they say. *)

open Eio.Std
open Room

(* One byte there and back on an open connection. *)
let alive flow =
  let b = Cstruct.create 1 in
  Eio.Flow.copy_string "x" flow;
  Eio.Flow.read_exact flow b;
  check_string "the echo" "x" (Cstruct.to_string b)

let with_connection p f =
  Switch.run @@ fun sw ->
  let flow = connect ~sw p.client p.server in
  alive flow;
  f flow

(* -- partitions ---------------------------------------------------------- *)

let survives p =
  with_connection p @@ fun flow ->
  Weir_sim.partition [ p.server ] [ p.client ];
  Fiber.both
    (fun () -> alive flow)
    (fun () ->
      Weir_sim.sleep p.world (`S 20);
      Weir_sim.heal [ p.client ] [ p.server ]);
  check_bool "it took the cut" true (seconds p.world > 20.);
  alive flow

let times_out p =
  with_connection p @@ fun flow ->
  Weir_sim.partition [ p.server ] [ p.client ];
  expect_broken "the read" (fun () -> alive flow);
  check_bool "after its retransmissions" true (seconds p.world > 3. && seconds p.world < 30.);
  Weir_sim.heal_all p.world;
  check_string "a new connection" "again" (ask p.client p.server "again")

(* The server hears, but is not heard. *)
let one_way p =
  with_connection p @@ fun flow ->
  let heard () = (Weir_sim.counters p.server ~outbound:false).left in
  Weir_sim.partition ~one_way:true [ p.server ] [ p.client ];
  let before = heard () in
  Eio.Flow.copy_string "x" flow;
  Weir_sim.sleep p.world (`S 5);
  check_bool "the server hears" true (heard () > before);
  let at_client = (Weir_sim.counters p.client ~outbound:false).left in
  Weir_sim.sleep p.world (`S 5);
  check_int "the client does not" at_client (Weir_sim.counters p.client ~outbound:false).left;
  Weir_sim.heal [ p.server ] [ p.client ];
  Eio.Flow.read_exact flow (Cstruct.create 1)

let unplugged p =
  with_connection p @@ fun flow ->
  Weir_sim.unplug p.client;
  Eio.Flow.copy_string "x" flow;
  Weir_sim.sleep p.world (`S 3);
  check_bool "frames were cut" true ((Weir_sim.counters p.client ~outbound:true).cut > 0);
  Weir_sim.plug p.client;
  Eio.Flow.read_exact flow (Cstruct.create 1)

(* A program that counts its lives and how they ended. *)
let lives = ref 0
let ended = ref 0

let counting h =
  incr lives;
  Fun.protect ~finally:(fun () -> incr ended) (fun () -> echo_server h)

let left_off p =
  Weir_sim.crash p.server;
  Fiber.first
    (fun () -> Weir_sim.chaos p.world [ p.server ] ~faults:[ `Crash ])
    (fun () -> Weir_sim.sleep p.world (`S 60));
  check_bool "off" false (Weir_sim.is_on p.server)

(* -- pauses and clocks --------------------------------------------------- *)

let paused p =
  with_connection p @@ fun flow ->
  let sent () = (Weir_sim.counters p.server ~outbound:true).entered in
  let before = sent () in
  Weir_sim.pause p.server ~for_:(`S 10);
  Eio.Flow.copy_string "x" flow;
  Weir_sim.sleep p.world (`S 9);
  check_int "nothing is sent" before (sent ());
  Eio.Flow.read_exact flow (Cstruct.create 1);
  Alcotest.(check (float 0.1)) "it goes on" 10. (seconds p.world);
  Weir_sim.pause p.server ~for_:(`S 1);
  Weir_sim.pause p.server ~for_:(`S 5);
  let from = seconds p.world in
  check_string "the later pause counts" "q" (ask p.client p.server "q");
  check_bool "5 s" true (seconds p.world -. from > 5.);
  Weir_sim.pause p.server;
  Weir_sim.crash p.server;
  Weir_sim.restart p.server;
  check_string "a crash ends a pause" "q" (ask p.client p.server "q")

(* Neither the end of a run nor its failure waits for a pause. *)
let paused_at_the_end () =
  let ended = ref 0 in
  let world f =
    Weir_sim.run @@ fun world ->
    let p = pair world in
    Weir_sim.spawn p.client (fun () ->
        Fun.protect ~finally:(fun () -> incr ended) (fun () -> Fiber.await_cancel ()));
    Weir_sim.sleep world (`S 1);
    Weir_sim.pause p.client;
    f ()
  in
  world ignore;
  check_int "ended" 1 !ended;
  let f = failure (fun () -> world (fun () -> Fiber.await_cancel ())) in
  check_bool "deadlock" true (f.cause = Stopped Deadlock && not f.abandoned);
  check_int "ended" 2 !ended;
  expect_line f.waiting "client (paused): an operation of Eio"

let paused_program p =
  let ticks = ref 0 in
  Weir_sim.spawn p.client (fun () ->
      while true do
        Eio.Time.Mono.sleep p.client.mono_clock 1.;
        incr ticks
      done);
  Weir_sim.sleep p.world (`Ms 5_500);
  check_int "ticks" 5 !ticks;
  Weir_sim.pause p.client;
  Weir_sim.sleep p.world (`S 100);
  check_int "none while paused" 5 !ticks;
  Weir_sim.resume p.client;
  Weir_sim.sleep p.world (`Ms 1_500);
  check_int "and on" 7 !ticks

let drift p =
  List.iter
    (fun ppm ->
      Weir_sim.set_drift p.client ~ppm;
      let from = seconds p.world in
      Eio.Time.Mono.sleep p.client.mono_clock 100.;
      let took = seconds p.world -. from in
      Alcotest.(check (float 1e-6)) "true time" (100. /. (1. +. (float ppm /. 1e6))) took)
    [ 0; 1_000; -1_000; 500_000; -500_000; 7 ];
  check_string "and TCP works" "q" (ask p.client p.server "q");
  Alcotest.check_raises "too much" (Invalid_argument "drift: beyond 500,000 ppm") (fun () ->
      Weir_sim.set_drift p.client ~ppm:500_001)

(* Whoever sleeps wakes at the first instant that reads no less. *)
let exact_drift p =
  let clock = p.client.mono_clock and random = Weir_sim.random p.world in
  let reading () = Mtime.to_uint64_ns (Eio.Time.Mono.now clock) |> Int64.to_int in
  for _ = 1 to 2_000 do
    Weir_sim.set_drift p.client ~ppm:(Random.State.int random 1_000_001 - 500_000);
    let target = reading () + 1 + Random.State.int random 1_000_000_000 in
    Eio.Time.Mono.sleep_until clock (Mtime.of_uint64_ns (Int64.of_int target));
    let late = reading () - target in
    if late < 0 || late > 2 then Alcotest.failf "%d ns late" late
  done

let skew p =
  let truth () = Eio.Time.now (Weir_sim.clock p.world) in
  Alcotest.(check (float 1e-3)) "1 January 2026" 1_767_225_600. (truth ());
  Weir_sim.set_skew p.client (`S 60);
  Weir_sim.set_skew p.server (`S (-60));
  let difference (h : Weir_sim.host) = Eio.Time.now h.clock -. truth () in
  Alcotest.(check (float 1e-3)) "ahead" 60. (difference p.client);
  Alcotest.(check (float 1e-3)) "behind" (-60.) (difference p.server);
  let from = seconds p.world in
  Eio.Time.sleep p.client.clock 5.;
  Alcotest.(check (float 1e-3)) "spans are right" 5. (seconds p.world -. from)

(* Faults come, all are undone, and it ends when it is told to. *)
let chaos p =
  lives := 0;
  let for_a_while faults =
    Fiber.first
      (fun () -> Weir_sim.sleep p.world (`S 300))
      (fun () -> Weir_sim.chaos p.world [ p.server; p.client ] ~faults)
  in
  let cut () =
    let of_host h ~outbound = (Weir_sim.counters h ~outbound).Weir_link.Lane.cut in
    of_host p.client ~outbound:true + of_host p.server ~outbound:false
  in
  for_a_while [ `Crash ];
  check_bool "it crashed and came back" true (!lives > 5);
  check_bool "both are on" true (Weir_sim.is_on p.server && Weir_sim.is_on p.client);
  check_string "it serves" "q" (ask p.client p.server "q");
  let before = cut () in
  Fiber.first
    (fun () -> for_a_while [ `Unplug; `Partition; `One_way; `Pause ])
    (fun () ->
      while true do
        let one () = ignore (ask p.client p.server "q" : string) in
        (try Eio.Time.with_timeout_exn p.client.clock 3. one
         with Eio.Io _ | Eio.Time.Timeout -> ());
        Weir_sim.sleep p.world (`Ms 100)
      done);
  check_bool "cables were pulled" true (cut () > before);
  Weir_sim.sleep p.world (`S 30);
  check_string "all is undone" "q" (ask p.client p.server "q");
  let refused hosts faults =
    match Weir_sim.chaos p.world hosts ~faults with
    | _ -> Alcotest.fail "it ran"
    | exception Invalid_argument _ -> ()
  in
  refused [] [ `Crash ];
  refused [ p.server ] [];
  refused [ p.server ] [ `Partition ]

let cases =
  [
    Suite.native Suite.since_1970 (Suite.case "chaos" (in_pair ~config:quick ~main:counting chaos));
    Suite.case "chaos leaves off what was" (in_pair left_off);
    Suite.case "a connection survives a partition" (in_pair survives);
    Suite.case "and is given up in the end" (in_pair ~config:quick times_out);
    Suite.case "one way" (in_pair one_way);
    Suite.case "a cable pulled" (in_pair unplugged);
    Suite.case "a pause" (in_pair paused);
    Suite.case "a run ends in a pause" paused_at_the_end;
    Suite.case "a pause stops programs" (in_pair paused_program);
    Suite.case "drift" (in_pair drift);
    Suite.case "drift, to the nanosecond" (in_pair exact_drift);
    Suite.case "skew" (in_pair skew);
  ]
