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

(* -- crashes ------------------------------------------------------------- *)

(* The peer hears nothing, until what it sends meets the new life (RFC 9293
   §3.5.2 group 1: a reset). *)
let reset_after_restart p =
  with_connection p @@ fun flow ->
  Weir_sim.crash p.server;
  check_bool "off" false (Weir_sim.is_on p.server);
  Weir_sim.sleep p.world (`S 1);
  Weir_sim.restart p.server;
  Weir_sim.sleep p.world (`S 1);
  let before = seconds p.world in
  expect_broken "the connection" (fun () -> alive flow);
  check_bool "at once" true (seconds p.world -. before < 1.);
  check_string "the server serves again" "again" (ask p.client p.server "again")

let silent_crash p =
  with_connection p @@ fun flow ->
  let sent () = (Weir_sim.counters p.server ~outbound:true).entered in
  let before = sent () in
  Weir_sim.crash p.server;
  Weir_sim.sleep p.world (`S 10);
  check_int "no FIN, no RST" before (sent ());
  expect_broken "a write" (fun () -> alive flow)

let keepalive p =
  with_connection p @@ fun flow ->
  Weir_sim.crash p.server;
  expect_broken "a read" (fun () -> Eio.Flow.read_exact flow (Cstruct.create 1));
  check_bool "after the probes" true (seconds p.world > 30. && seconds p.world < 60.)

let kept_alive =
  { quick with keepalive = Some { idle = 30_000_000_000; interval = 5_000_000_000; probes = 3 } }

(* A program that counts its lives and how they ended. *)
let lives = ref 0
let ended = ref 0

let counting h =
  incr lives;
  Fun.protect ~finally:(fun () -> incr ended) (fun () -> echo_server h)

let cancelled p =
  lives := 0;
  ended := 0;
  Weir_sim.sleep p.world (`S 1);
  for _ = 1 to 3 do
    Weir_sim.crash p.server;
    Weir_sim.crash p.server;
    Weir_sim.sleep p.world (`S 1);
    check_int "ended" !lives !ended;
    check_bool "no stack" true (Weir_sim.stack p.server = None);
    Weir_sim.restart p.server;
    check_string "it serves" "q" (ask p.client p.server "q")
  done;
  Weir_sim.restart p.server;
  check_string "it serves" "q" (ask p.client p.server "q");
  check_int "lives" 5 !lives

(* Fibers that are not the host's have used its network: they are told. *)
let others_are_told p =
  let crash () =
    Weir_sim.sleep p.world (`S 1);
    Weir_sim.crash p.server
  in
  Fiber.both crash (fun () ->
      Switch.run @@ fun sw ->
      let socket = Eio.Net.listen ~sw ~backlog:1 p.server.net (any 9) in
      expect_broken "accept" (fun () -> Eio.Net.accept ~sw socket));
  let off f =
    match f () with
    | _ -> Alcotest.fail "a host that is off"
    | exception Eio.Io (Eio.Net.E (Connection_failure (Refused _)), _) -> ()
  in
  off (fun () -> Switch.run @@ fun sw -> ignore (connect ~sw p.server p.client));
  off (fun () -> Weir_sim.spawn p.server ignore);
  Weir_sim.restart p.server;
  Fiber.both crash (fun () ->
      Switch.run @@ fun sw ->
      let socket = Eio.Net.datagram_socket ~sw p.server.net (`Udp (Eio.Net.Ipaddr.V4.any, 9)) in
      expect_broken "receive" (fun () -> Eio.Net.recv socket (Cstruct.create 9)))

let called p =
  check_int "a result" 7
    (Weir_sim.call p.client (fun () ->
         Weir_sim.sleep p.world (`S 1);
         7));
  (match Weir_sim.call p.client (fun () -> failwith "inside") with
  | () -> Alcotest.fail "no exception"
  | exception Failure e -> check_string "exception" "inside" e);
  let crashed = ref false in
  Fiber.both
    (fun () ->
      match Weir_sim.call p.client (fun () -> Fiber.await_cancel ()) with
      | _ -> Alcotest.fail "it returned"
      | exception Weir_sim.Crashed -> crashed := true)
    (fun () ->
      Weir_sim.sleep p.world (`S 1);
      Weir_sim.crash p.client);
  check_bool "crashed" true !crashed;
  Weir_sim.restart p.client;
  let ended = ref false in
  Fiber.first
    (fun () -> Weir_sim.sleep p.world (`S 1))
    (fun () ->
      Weir_sim.call p.client (fun () ->
          Fun.protect ~finally:(fun () -> ended := true) (fun () -> Fiber.await_cancel ())));
  Weir_sim.sleep p.world (`Ms 1);
  check_bool "cancelled with its caller" true !ended

let own_crash p =
  let after = ref false in
  Weir_sim.spawn p.client (fun () ->
      Weir_sim.crash p.client;
      Fiber.yield ();
      after := true);
  Weir_sim.sleep p.world (`S 1);
  check_bool "off" false (Weir_sim.is_on p.client);
  check_bool "cancelled" false !after;
  Weir_sim.spawn p.server (fun () ->
      Weir_sim.restart p.server;
      Fiber.yield ();
      after := true);
  Weir_sim.restart p.client;
  check_string "a host restarts itself" "q" (ask p.client p.server "q");
  check_bool "cancelled" false !after

let failing_program () =
  let f =
    failure (fun () ->
        Weir_sim.run @@ fun world ->
        let main _ =
          Weir_sim.sleep world (`S 2);
          failwith "bad luck"
        in
        ignore (pair ~main world);
        Fiber.await_cancel ())
  in
  match f.cause with
  | Raised { host = Some "server"; error = Failure e; _ } when e = "bad luck" ->
      check_int "when" 2_000_000_000 f.at
  | _ -> Alcotest.failf "%a" Weir_sim.Failure.pp f

let left_off p =
  Weir_sim.crash p.server;
  Fiber.first
    (fun () -> Weir_sim.chaos p.world [ p.server ] ~faults:[ `Crash ])
    (fun () -> Weir_sim.sleep p.world (`S 60));
  check_bool "off" false (Weir_sim.is_on p.server)

let both_fail () =
  let f =
    failure (fun () ->
        Weir_sim.run @@ fun world ->
        ignore (pair ~main:(fun _ -> failwith "first") world);
        Fun.protect ~finally:(fun () -> Weir_sim.sleep world (`S 1)) ignore)
  in
  let f' =
    failure (fun () ->
        Weir_sim.run @@ fun world ->
        ignore (pair ~main:(fun _ -> failwith "first") world);
        try Weir_sim.sleep world (`S 1) with Eio.Cancel.Cancelled _ -> failwith "second")
  in
  List.iter
    (fun f ->
      let said = Fmt.str "%a" Weir_sim.Failure.pp f in
      check_bool said true (contains said {|server: Failure("first")|}))
    [ f; f' ]

let after_the_end () =
  let { server; client; _ } = Weir_sim.run (fun world -> pair world) in
  check_bool "off" false (Weir_sim.is_on server);
  Weir_sim.crash server;
  Weir_sim.run @@ fun _ ->
  expect_broken "its network" (fun () -> ask client server "x");
  expect_broken "a call" (fun () -> Weir_sim.call client ignore)

(* What a program raises because its host crashed is nobody's failure. *)
let raises_when_crashed p =
  Weir_sim.spawn p.client (fun () ->
      try Fiber.await_cancel () with Eio.Cancel.Cancelled _ -> failwith "while dying");
  Weir_sim.sleep p.world (`S 1);
  Weir_sim.crash p.client;
  Weir_sim.sleep p.world (`S 1)

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
    Suite.case "chaos" (in_pair ~config:quick ~main:counting chaos);
    Suite.case "chaos leaves off what was" (in_pair left_off);
    Suite.case "a connection survives a partition" (in_pair survives);
    Suite.case "and is given up in the end" (in_pair ~config:quick times_out);
    Suite.case "one way" (in_pair one_way);
    Suite.case "a cable pulled" (in_pair unplugged);
    Suite.case "a restarted host resets" (in_pair reset_after_restart);
    Suite.case "a crash is silent" (in_pair ~config:quick silent_crash);
    Suite.case "keepalive finds a crash" (in_pair ~config:kept_alive keepalive);
    Suite.case "programs are cancelled and begin anew" (in_pair ~main:counting cancelled);
    Suite.case "others who use its network are told" (in_pair others_are_told);
    Suite.case "calls on a host" (in_pair called);
    Suite.case "a host crashes itself" (in_pair own_crash);
    Suite.case "a program that fails" failing_program;
    Suite.case "a program fails, and then the world's function" both_fail;
    Suite.case "hosts of a world that is over" after_the_end;
    Suite.case "a program that fails when cancelled" (in_pair raises_when_crashed);
    Suite.case "a pause" (in_pair paused);
    Suite.case "a run ends in a pause" paused_at_the_end;
    Suite.case "a pause stops programs" (in_pair paused_program);
    Suite.case "drift" (in_pair drift);
    Suite.case "drift, to the nanosecond" (in_pair exact_drift);
    Suite.case "skew" (in_pair skew);
  ]
