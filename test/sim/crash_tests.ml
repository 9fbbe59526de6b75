(* Crashes of hosts and failures of programs, and what others see of them. *)

open Eio.Std
open Room
open Fault_tests

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

let cases =
  [
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
  ]
