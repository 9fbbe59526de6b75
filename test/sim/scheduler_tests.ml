(* The scheduler does what Eio promises, and never hangs. *)

open Eio.Std
open Room

let run f () = Weir_sim.run ~time_limit:(`S 1_000_000) f

(* What [f note] noted, in order. *)
let noted f =
  let notes = Buffer.create 16 in
  f (Buffer.add_string notes);
  Buffer.contents notes

let order _ =
  let got =
    noted (fun note ->
        Fiber.all
          [
            (fun () ->
              note "a";
              Fiber.yield ();
              note "d");
            (fun () ->
              note "b";
              Fiber.yield ();
              note "e");
            (fun () -> note "c");
          ])
  in
  check_string "order" "abcde" got

let fork_first _ =
  let got =
    noted (fun note ->
        Switch.run (fun sw ->
            Fiber.fork ~sw (fun () ->
                note "child";
                Fiber.yield ();
                note " again");
            note " parent"))
  in
  check_string "order" "child parent again" got

let time_jumps world =
  let from = Weir_sim.now world in
  Fiber.both
    (fun () -> Weir_sim.sleep world (`S 86_400))
    (fun () ->
      Eio.Time.sleep (Weir_sim.clock world) 1.5;
      check_int "1.5 s" (from + 1_500_000_000) ((Weir_sim.now world + 500) / 1_000 * 1_000));
  check_int "a day" (from + (86_400 * 1_000_000_000)) (Weir_sim.now world)

let timers_in_order world =
  let got =
    noted (fun note ->
        Fiber.all
          (List.map
             (fun (ms, name) () ->
               Weir_sim.sleep world (`Ms ms);
               note name)
             [ (30, "d"); (10, "a"); (20, "b"); (20, "c") ]))
  in
  check_string "order" "abcd" got

let timeout world =
  match Eio.Time.with_timeout_exn (Weir_sim.clock world) 2. (fun () -> Fiber.await_cancel ()) with
  | () -> Alcotest.fail "no timeout"
  | exception Eio.Time.Timeout -> Alcotest.(check (float 1e-6)) "time" 2. (seconds world)

let cancelled_sleep world =
  Fiber.first
    (fun () -> Weir_sim.sleep world (`S 1_000_000))
    (fun () -> Weir_sim.sleep world (`Ms 5));
  check_int "woken early" 5_000_000 (Weir_sim.now world)

(* Re-sleeping until a time of day ends, although floats round. *)
let wall_clock world =
  let clock = Weir_sim.clock world in
  let random = Weir_sim.random world in
  for _ = 1 to 1_000 do
    let until = Eio.Time.now clock +. Random.State.float random 0.01 in
    Eio.Time.sleep_until clock until;
    check_bool "not before" true (Eio.Time.now clock >= until)
  done

let far_away world =
  let never = Mtime.of_uint64_ns Int64.minus_one in
  Fiber.first
    (fun () -> Eio.Time.Mono.sleep_until (Weir_sim.mono_clock world) never)
    (fun () -> Weir_sim.sleep world (`S 1))

let exceptions () =
  let f =
    failure (fun () ->
        Weir_sim.run ~seed:5 (fun world ->
            Weir_sim.sleep world (`Ms 3);
            failwith "boom"))
  in
  check_int "seed" 5 f.seed;
  check_int "time" 3_000_000 f.at;
  match f.cause with
  | Raised { host = None; error = Failure e; _ } when e = "boom" -> ()
  | _ -> Alcotest.failf "%a" Weir_sim.Failure.pp f

let result () = check_int "what f gives" 7 (Weir_sim.run (fun _ -> 7))

(* -- nothing hangs ------------------------------------------------------- *)

let deadlock () =
  let never, _ = Promise.create () in
  let f =
    failure (fun () ->
        Weir_sim.run @@ fun world ->
        let p = pair world in
        Fiber.both
          (fun () ->
            Promise.await never;
            ignore p)
          (fun () ->
            Switch.run @@ fun sw -> ignore (Eio.Flow.read_all (connect ~sw p.client p.server))))
  in
  check_bool "deadlock" true (f.cause = Stopped Deadlock);
  expect_line f.waiting "the world: Eio.Promise.await, called by";
  expect_line f.waiting "Eio.Flow.single_read";
  expect_line f.waiting "scheduler_tests.ml";
  expect_line f.waiting "server: Eio.Net.accept";
  expect_line f.connections "client: 10.0.0.2:";
  let said = Printexc.to_string (Weir_sim.Failed f) in
  check_bool "all of it is printed" true
    (contains said "seed 1" && contains said "deadlock" && contains said "replay: WEIR_SIM_SEED=1")

(* Of a tail call nothing is on the stack. *)
let sleeper_named () =
  let f = failure (fun () -> Weir_sim.run ~time_limit:(`S 1) (fun w -> Weir_sim.sleep w (`S 2))) in
  expect_line f.waiting "the world: Weir_sim.sleep"

let time_limit () =
  let f =
    failure (fun () ->
        Weir_sim.run ~time_limit:(`S 10) @@ fun world ->
        let rec forever () =
          Weir_sim.sleep world (`S 1);
          forever ()
        in
        forever ())
  in
  check_bool "limit" true (f.cause = Stopped (Time_limit 10_000_000_000));
  check_int "at" 10_000_000_000 f.at

let event_limit () =
  let f =
    failure (fun () ->
        Weir_sim.run ~event_limit:1_000 @@ fun _ ->
        let rec forever () =
          Fiber.yield ();
          forever ()
        in
        forever ())
  in
  check_bool "limit" true (f.cause = Stopped (Event_limit 1_000));
  check_int "no time passed" 0 f.at

let stubborn () =
  let f =
    failure (fun () ->
        Weir_sim.run @@ fun _ -> Eio.Cancel.protect (fun () -> Fiber.await_cancel ()))
  in
  check_bool "deadlock" true (f.cause = Stopped Deadlock);
  check_bool "abandoned" true f.abandoned

(* Who swallows the cancellation does not turn a stopped run into a good one. *)
let swallowed () =
  let f =
    failure (fun () ->
        Weir_sim.run @@ fun _ -> try Fiber.await_cancel () with Eio.Cancel.Cancelled _ -> ())
  in
  check_bool "deadlock" true (f.cause = Stopped Deadlock)

let unwound () =
  let ended = ref 0 in
  let never, _ = Promise.create () in
  let wait () = Fun.protect ~finally:(fun () -> incr ended) (fun () -> Promise.await never) in
  let f =
    failure (fun () ->
        Weir_sim.run @@ fun world ->
        let p = pair world in
        Weir_sim.spawn p.client wait;
        Fiber.all [ wait; wait; wait ])
  in
  check_bool "deadlock" true (f.cause = Stopped Deadlock);
  check_int "all were cancelled" 4 !ended

let many_fibers world =
  let done_ = ref 0 in
  Switch.run (fun sw ->
      for i = 1 to 100_000 do
        Fiber.fork ~sw (fun () ->
            Weir_sim.sleep world (`Us (i mod 1_000));
            Fiber.yield ();
            incr done_)
      done);
  check_int "all ended" 100_000 !done_

let inner seed =
  Weir_sim.run ~seed (fun world ->
      Weir_sim.sleep world (`S 9);
      Weir_sim.now world)

let in_another_loop () = check_int "within Eio_main" 9_000_000_000 (System.run (fun _ -> inner 1))

let nested () =
  Weir_sim.run (fun world ->
      Weir_sim.sleep world (`S 1);
      check_int "within a world" 9_000_000_000 (inner 2);
      check_int "whose time stands still" 1_000_000_000 (Weir_sim.now world);
      Weir_sim.sleep world (`S 1))

(* What needs the system's scheduler fails, and the run with it. *)
let outside () =
  let f =
    failure (fun () ->
        Weir_sim.run (fun _ ->
            Eio_unix.await_readable Unix.stdin;
            ()))
  in
  match f.cause with
  | Raised { error = Effect.Unhandled _; _ } -> ()
  | _ -> Alcotest.failf "%a" Weir_sim.Failure.pp f

(* -- chance -------------------------------------------------------------- *)

let race ~shuffle seed =
  Weir_sim.run ~seed ~shuffle @@ fun _ ->
  noted (fun note ->
      Fiber.all
        (List.map
           (fun name () ->
             Fiber.yield ();
             note name)
           [ "a"; "b"; "c"; "d"; "e" ]))

let shuffled () =
  check_string "in order without" "abcde" (race ~shuffle:false 1);
  let orders = List.init 20 (fun seed -> race ~shuffle:true seed) in
  check_bool "many orders" true (List.length (List.sort_uniq compare orders) > 10);
  check_bool "the same again" true (orders = List.init 20 (fun seed -> race ~shuffle:true seed))

let cases =
  [
    Suite.case "fibers run in order" (run order);
    Suite.case "a forked fiber runs first" (run fork_first);
    Suite.case "time jumps" (run time_jumps);
    Suite.case "timers fire in order" (run timers_in_order);
    Suite.case "time limits" (run timeout);
    Suite.case "a sleep is cancelled" (run cancelled_sleep);
    Suite.native Suite.since_1970 (Suite.case "the time of day" (run wall_clock));
    Suite.case "times that never come" (run far_away);
    Suite.case "exceptions carry seed and time" exceptions;
    Suite.case "results" result;
    Suite.native "stacks of suspended fibers" (Suite.case "a deadlock names what waits" deadlock);
    Suite.native "stacks of suspended fibers" (Suite.case "one that sleeps is named" sleeper_named);
    Suite.case "the limit of time" time_limit;
    Suite.case "the limit of events" event_limit;
    Suite.case "a fiber that will not end" stubborn;
    Suite.case "a cancellation that is swallowed" swallowed;
    Suite.case "a stopped run unwinds" unwound;
    Suite.case "100,000 fibers" (run many_fibers);
    Suite.native "the system's backend of Eio"
      (Suite.case "a world in another loop" in_another_loop);
    Suite.case "a world in another world" nested;
    Suite.case "waiting for the system fails" outside;
    Suite.case "chance orders fibers" shuffled;
  ]
