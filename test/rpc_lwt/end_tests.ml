(* How connections end. *)

open Lwt.Syntax
open Weir_rpc
open Weir_rpc_lwt
open World
open Methods
module Suite = Weir_test.Suite
module Flow = Weir_flow.Flow

(* {1 In order} *)

let close_waits () =
  over_pipe handlers @@ fun t ->
  let late = Client.call t.client wait (s 3) in
  let* () = Lwt.pause () in
  let closed = Client.close t.client in
  let* () = check_outcome "no more calls" (Error (Closed Stopped)) (Client.call t.client wait 1) in
  let* () = check_outcome "that one is answered" (Ok (s 3)) late in
  let* () = closed in
  let* () = Client.close t.client in
  check_time "then it is over" (s 3) t.clock;
  check_ending "for the server too" Ended t.served

let drain () =
  over_pipe ~limits:{ Limits.default with calls = 2 } handlers @@ fun t ->
  let call = Client.call t.client wait in
  let first = call (s 2) and second = call (s 3) and waiting = call (s 1) in
  let* () = t.clock.sleep (s 1) in
  let* () = Server.shutdown t.server in
  check_time "when all is answered" (s 3) t.clock;
  let* () = check_outcome "one under way" (Ok (s 2)) first in
  let* () = check_outcome "another" (Ok (s 3)) second in
  let* () = check_outcome "one that waited" (Error (Closed Draining)) waiting in
  let* () = check_outcome "a later one" (Error (Closed Draining)) (call 1) in
  let* () = check_ending "in order" Ended t.served in
  let* () = check_ending "also here" Ended (Client.await_end t.client) in
  let far, _ = Flow_lwt.duplex () in
  check_ending "no new ones" Stopped (Server.serve t.server far)

let grace () =
  over_pipe handlers @@ fun t ->
  let call = Client.call t.client wait (s 60) in
  let* () = t.clock.sleep (s 1) in
  let* () = Server.shutdown ~grace_ns:(s 2) t.server in
  check_time "no longer" (s 3) t.clock;
  let* () = check_ending "cut" Stopped t.served in
  let* () = check_outcome "the call fails" (Error (Closed Ended)) call in
  Alcotest.(check bool) "told" true (Client.state t.client = Some Draining);
  Lwt.return_unit

let shutdown_from_a_handler () =
  let server = ref None in
  let stop = Method.make "stop" Weir_message.Codec.unit Weir_message.Codec.unit in
  let handlers _ =
    [ Server.Handler (stop, fun () -> Server.shutdown ~grace_ns:(s 2) (Option.get !server)) ]
  in
  over_pipe handlers @@ fun t ->
  server := Some t.server;
  let* r = Client.call t.client stop () in
  (match r with Error (Closed _) -> () | _ -> Alcotest.fail "answered");
  check_time "after the grace" (s 2) t.clock;
  check_ending "cut" Stopped t.served

let idle () =
  over_pipe ~idle_ns:(s 10) handlers @@ fun t ->
  let* _ = get (Client.call t.client wait (s 35)) in
  Alcotest.(check bool) "not while a call runs" true (Client.state t.client = None);
  let* () = t.clock.sleep (s 9) in
  let* _ = get (Client.call t.client echo "x") in
  let* () = t.clock.sleep (s 9) in
  Alcotest.(check bool) "not before its time" true (Client.state t.client = None);
  let* () = check_ending "then in order" Ended t.served in
  check_time "after that time" (s 54) t.clock;
  check_outcome "the client knows" (Error (Closed Draining)) (Client.call t.client wait 1)

let silent () =
  with_peer ~idle_ns:(s 10) handlers @@ fun clock near _ served ->
  Lwt.async (fun () ->
      Lwt_list.iter_s
        (fun c ->
          let* () = write near (String.make 1 c) in
          clock.sleep (s 3))
        (List.of_seq (String.to_seq (String.sub (Raw.frame Raw.hello) 0 6))));
  let+ () = check_ending "cut" Stopped served in
  check_time "after twice the time" (s 20) clock

(* A switch that lives long keeps nothing of the clients that it has seen. *)
let of_a_switch () =
  virtually @@ fun clock ->
  let clock = calls_clock clock in
  let switch = Lwt_switch.create () and kept = ref 0 in
  let server = Server.create ~clock (handlers clock) in
  let one () =
    let near, far = Flow_lwt.duplex () in
    let served = Server.serve server far in
    let client = Client.create ~switch ~clock near in
    incr kept;
    Gc.finalise (fun _ -> decr kept) client;
    let* _ = get (Client.call client ~timeout_ns:(s 1) echo "x") in
    let* () = Client.close client in
    check_ending "in order" Ended served
  in
  let* () = Lwt_list.iter_s one (List.init 10 (fun _ -> ())) in
  let* () = Lwt.pause () in
  Gc.full_major ();
  Gc.full_major ();
  (* The last may be on the stack. *)
  if !kept > 1 then Alcotest.failf "%d clients are kept" !kept;
  Lwt_switch.turn_off switch

let aborted () =
  virtually @@ fun clock ->
  let clock = calls_clock clock in
  let near, far = Flow_lwt.duplex () in
  let handled = ref 0 in
  let answer n =
    Lwt.finalize
      (fun () -> Lwt.map (fun () -> n) (clock.sleep (s n)))
      (fun () ->
        incr handled;
        Lwt.return_unit)
  in
  let server = Server.create ~clock [ Server.Handler (wait, answer) ] in
  let served = Server.serve server far in
  let closed = ref false and switch = Lwt_switch.create () in
  let client = Client.create ~switch ~clock (closable near closed) in
  let call = Client.call client wait 5 in
  let* () = clock.sleep (s 1) in
  let* () = Lwt_switch.turn_off switch in
  Client.abort client;
  let* () = check_outcome "it fails" (Error (Closed Stopped)) call in
  let* () = check_ending "the client's end" Stopped (Client.await_end client) in
  Alcotest.(check bool) "the flow is closed" true !closed;
  let+ () = check_ending "the server gives up" Abandoned served in
  Alcotest.(check int) "its handler too" 1 !handled;
  check_time "at once" (s 1) clock

(* {1 Death} *)

(* A flow that fails when told to. *)
let mortal (f : Flow_lwt.half_close) =
  let dead, kill = Lwt.wait () in
  let guard p = Lwt.pick [ p; Lwt.map (fun () -> Error (`Flow Flow.reset)) (Lwt.protected dead) ] in
  let flow =
    object (self)
      inherit Flow_lwt.flow
      method read_into b = guard (f#read_into b)
      method write b = guard (f#write b)
      method shutdown_send = f#shutdown_send

      method! cast : type a. a Flow_lwt.ty -> a option =
        function Flow_lwt.Half_close -> Some (self :> Flow_lwt.half_close) | _ -> None
    end
  in
  ((flow :> Flow_lwt.flow), fun () -> Lwt.wakeup_later kill ())

let is_reset = function
  | Error (Error.Closed (Lost (Flow.Error (Flow.Reset, _)))) -> ()
  | Ok _ -> Alcotest.fail "answered"
  | Error e -> failed e

let reset () =
  virtually @@ fun clock ->
  let clock = calls_clock clock in
  let near, far = Flow_lwt.duplex () in
  let near, kill_near = mortal near and far, kill_far = mortal far in
  let handled = ref 0 in
  let answer n =
    Lwt.finalize
      (fun () -> Lwt.map (fun () -> n) (clock.sleep n))
      (fun () ->
        incr handled;
        Lwt.return_unit)
  in
  let limits = { Limits.default with calls = 10 } in
  let server = Server.create ~clock ~limits [ Server.Handler (wait, answer) ] in
  let served = Server.serve server far in
  let client = Client.create ~clock near in
  let calls = List.init 25 (fun _ -> Client.call client wait (s 9)) in
  let* () = clock.sleep (s 1) in
  kill_far ();
  kill_near ();
  let* () = Lwt_list.iter_s (Lwt.map is_reset) calls in
  let* () = Lwt.map is_reset (Client.call client wait 1) in
  let+ why = served in
  (match why with
  | Lost (Flow.Error (Flow.Reset, _)) -> ()
  | e -> Alcotest.failf "%a" Error.pp_ending e);
  Alcotest.(check int) "its handlers were cancelled" 10 !handled;
  check_time "at once too" (s 1) clock

let ended () =
  virtually @@ fun clock ->
  let near, far = Flow_lwt.duplex () in
  let client = Client.create ~clock:(calls_clock clock) near in
  let* () = write far (Raw.frame Raw.hello) in
  let call = Client.call client wait 1 in
  let* () = far#shutdown_send in
  check_outcome "a clear end" (Error (Closed Ended)) call

(* A flow that raises, and one that is cancelled by others. *)
let odd_flows () =
  virtually @@ fun clock ->
  let clock = calls_clock clock in
  Lwt_list.iter_s
    (fun p ->
      let broken =
        object
          inherit Flow_lwt.flow
          method read_into _ = p ()
          method write _ = Lwt_result.return ()
        end
      in
      let server = Server.create ~clock (handlers clock) in
      let* why =
        Lwt.catch (fun () -> Server.serve server broken) (fun e -> Lwt.return (Error.Lost e))
      in
      (match why with Lost _ -> () | e -> Alcotest.failf "%a" Error.pp_ending e);
      Alcotest.(check int) "none left" 0 (Server.connections server);
      let client = Client.create ~clock broken in
      let+ r = Client.call client echo "x" in
      match r with Error (Closed (Lost _)) -> () | _ -> Alcotest.fail "not lost")
    [ (fun () -> raise Exit); (fun () -> Lwt.fail Exit); (fun () -> Lwt.fail Lwt.Canceled) ]

(* [serve]'s own promise is cancelled. *)
let cut_off () =
  over_pipe handlers @@ fun t ->
  let call = Client.call t.client wait (s 60) in
  let* () = t.clock.sleep (s 1) in
  Lwt.cancel t.served;
  let* () = check_outcome "the client knows" (Error (Closed Ended)) call in
  Alcotest.(check int) "none left" 0 (Server.connections t.server);
  check_time "at once" (s 1) t.clock;
  Lwt.return_unit

(* What [report] raises is [serve]'s to raise. *)
let raising_report () =
  over_pipe ~report:(fun _ _ -> raise Not_found) handlers @@ fun t ->
  let call = Client.call t.client fail "exception"
  and other = Client.call t.client fail "rejected" in
  let* () =
    Lwt.try_bind
      (fun () -> t.served)
      (fun _ -> Alcotest.fail "it went on")
      (function Not_found -> Lwt.return_unit | e -> Lwt.fail e)
  in
  let closed p =
    let+ r = p in
    match r with Error (Error.Closed Ended) -> () | _ -> Alcotest.fail "answered"
  in
  let* () = closed call in
  let+ () = closed other in
  Alcotest.(check int) "none left" 0 (Server.connections t.server)

let tests =
  [
    ( "in order",
      [
        Suite.case "close waits for answers" close_waits;
        Suite.case "drain" drain;
        Suite.case "no longer than the grace" grace;
        Suite.case "a handler ends the server" shutdown_from_a_handler;
        Suite.case "an idle connection" idle;
        Suite.case "a silent client" silent;
        Suite.case "aborted" aborted;
        Suite.case "a switch keeps nothing" of_a_switch;
      ] );
    ( "death",
      [
        Suite.case "a reset" reset;
        Suite.case "the stream ends" ended;
        Suite.case "flows that raise" odd_flows;
        Suite.case "serve is cancelled" cut_off;
        Suite.case "what report raises" raising_report;
      ] );
  ]
