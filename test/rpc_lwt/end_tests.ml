(* How connections end, and what peers that break the rules can do. *)

open Lwt.Syntax
open Weir_rpc
open Weir_rpc_lwt
open World
open Methods
module Suite = Weir_test.Suite
module Flow = Weir_flow.Flow

let outcome = Alcotest.(result int error)

let check_outcome what want p =
  let+ got = p in
  Alcotest.check outcome what want got

(* A server for [handlers] over a pipe, and a peer to be played by hand. *)
let with_peer ?limits ?idle_ns ?capacity handlers f =
  virtually @@ fun clock ->
  let clock = calls_clock clock in
  let near, far = Flow_lwt.duplex ?capacity () in
  let server = Server.create ~clock ?limits ?idle_ns (handlers clock) in
  let closed = ref false in
  let served = Server.serve server (closable far closed) in
  let* () = f clock near server served in
  let+ _ = served in
  Alcotest.(check bool) "closed" true !closed;
  Alcotest.(check int) "none left" 0 (Server.connections server)

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

(* Its promise cannot be cancelled, and is not waited for. *)
let deaf () =
  let resolved = ref 0 in
  let handlers (clock : Clock.t) =
    let answer n =
      let p, u = Lwt.wait () in
      Lwt.on_success
        (clock.sleep (s 60))
        (fun () ->
          incr resolved;
          Lwt.wakeup_later u n);
      p
    in
    [ Server.Handler (wait, answer) ]
  in
  over_pipe handlers @@ fun t ->
  let call = Client.call t.client wait 1 in
  let* () = t.clock.sleep (s 1) in
  let* () = Server.shutdown ~grace_ns:(s 2) t.server in
  check_time "in its time" (s 3) t.clock;
  let* () = check_ending "cut" Stopped t.served in
  let* () = check_outcome "the client knows" (Error (Closed Ended)) call in
  check_time "at once" (s 3) t.clock;
  let+ () = t.clock.sleep (s 60) in
  Alcotest.(check int) "it lived on" 1 !resolved

(* Deaf when it was given up, it finds neither the end of its stream, which would
   be a lie, nor a wait without end. *)
let sum = Method.Upload (Method.make "sum" number number)

let deaf_to_streams saw (clock : Clock.t) =
  let rec add receive total =
    let* n = receive () in
    match n with None -> Lwt.return total | Some n -> add receive (total + n)
  in
  let total receive =
    let* () = Lwt.no_cancel (clock.sleep (s 10)) in
    Lwt.try_bind
      (fun () -> add receive 0)
      (fun total ->
        saw := "a total";
        Lwt.return total)
      (fun e ->
        saw := Printexc.to_string e;
        Lwt.reraise e)
  in
  [ Server.Upload (sum, total); Handler (echo, Lwt.return) ]

let endless send =
  let* _ = send 1 in
  fst (Lwt.task ())

let cancelled = "Weir_rpc.Failure.Failed: cancelled"

let deaf_then_streams () =
  let saw = ref "" in
  over_pipe ~limits:{ Limits.default with calls = 1 } ~concurrency:1 (deaf_to_streams saw)
  @@ fun t ->
  let* r = Client.upload t.client ~timeout_ns:(s 1) sum endless in
  Alcotest.check outcome "given up" (Error Timed_out) r;
  let* r = get (Client.call t.client ~timeout_ns:(s 60) echo "next") in
  Alcotest.(check string) "its turn came back" "next" r;
  check_time "as the handler ended" (s 10) t.clock;
  Alcotest.(check string) "given up" cancelled !saw;
  saw := "";
  let late = Client.upload t.client sum endless in
  let* () = t.clock.sleep (s 1) in
  Client.abort t.client;
  let* () =
    check_outcome "over" (Error (Closed Stopped))
      (Lwt.pick [ late; Lwt.map (fun () -> Error (Error.Closed Stopped)) (Lwt.pause ()) ])
  in
  let* () = check_ending "for the server too" Abandoned t.served in
  let+ () = t.clock.sleep (s 20) in
  Alcotest.(check string) "also at the end" cancelled !saw

(* The server's own limit, of a client that says nothing more. *)
let deaf_timed_out () =
  let saw = ref "" in
  over_pipe ~timeout_ns:(s 1) (deaf_to_streams saw) @@ fun t ->
  let* r =
    Client.upload t.client sum endless |> fun p ->
    Lwt.pick [ Lwt.map ignore p; t.clock.sleep (s 20) ]
  in
  Alcotest.(check string) "given up" cancelled !saw;
  Lwt.return r

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

(* A client that says that it will wait may end its direction. *)
let half_closed () =
  with_peer handlers @@ fun clock near _ served ->
  let* () =
    write near
      (String.concat "" (List.map Raw.frame [ Raw.hello; Raw.call 1 "wait" "3000000000"; "\005" ]))
  in
  let* () = near#shutdown_send in
  let* () = check_ending "in order" Ended served in
  check_time "with its answer" (s 3) clock;
  let buf = Cstruct.create 1_000 in
  let rec all acc =
    let* r = Flow_lwt.read_into near buf in
    match r with
    | Ok (`Input n) -> all (acc ^ Cstruct.to_string ~len:n buf)
    | Ok `Eof -> Lwt.return acc
    | Error (`Flow e) -> Alcotest.failf "%a" Flow_lwt.pp_error e
  in
  let+ said = all "" in
  Alcotest.(check bool) "answered" true (String.ends_with said ~suffix:"\002\0013000000000")

(* Killed after it said goodbye: what its streams still need cannot come. *)
let half_closed_in_streams () =
  let until_end receive =
    let rec go () =
      let* n = receive () in
      match n with None -> Lwt.return 0 | Some _ -> go ()
    in
    go ()
  in
  let late (clock : Clock.t) receive =
    let* n = until_end receive in
    let* () = clock.sleep (s 3) in
    Lwt.return n
  in
  let handlers clock =
    Server.Upload (Method.Upload (Method.make "sum" number number), late clock) :: handlers clock
  in
  let ends what want at frames =
    with_peer handlers @@ fun clock near _ served ->
    let* () =
      write near
        (String.concat "" (List.map Raw.frame ((Raw.hello_with_window :: frames) @ [ "\005" ])))
    in
    let* () = near#shutdown_send in
    let* () = check_ending what want served in
    check_time what at clock;
    Lwt.return_unit
  in
  ends "of requests" Abandoned 0 [ Raw.open_ 1 "sum" 1 ""; Raw.item 1 "7" ];
  ends "of both" Abandoned 0 [ Raw.open_ 1 "mirror" 3 "" ];
  ends "of responses" Abandoned 0 [ Raw.open_ 1 "count" 2 "1000" ];
  ends "ended" Ended (s 3) [ Raw.open_ 1 "sum" 1 ""; Raw.item 1 "7"; Raw.end_ 1 ]

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

(* {1 Broken rules} *)

let clients_violation () =
  List.iter
    (fun (what, bytes) ->
      let cancelled = ref 0 in
      let handlers (clock : Clock.t) =
        let answer n =
          Lwt.catch
            (fun () -> Lwt.map (fun () -> n) (clock.sleep (s n)))
            (fun e ->
              incr cancelled;
              Lwt.fail e)
        in
        [ Server.Handler (wait, answer) ]
      in
      with_peer handlers @@ fun _ near _ served ->
      let* () = write near (Raw.frame Raw.hello ^ Raw.frame (Raw.call 1 "wait" "5") ^ bytes) in
      let* () = near#shutdown_send in
      let+ why = served in
      (match why with Violation _ -> () | e -> Alcotest.failf "%s: %a" what Error.pp_ending e);
      Alcotest.(check int) "handlers are cancelled" 1 !cancelled)
    [
      ("garbage", "GET / HTTP/1.1\r\n\r\n");
      ("a packet", Raw.frame "\099");
      ("the same number", Raw.frame (Raw.call 1 "wait" "5"));
      ("an unknown number", Raw.frame "\004\007");
      ("after goodbye", Raw.frame "\005" ^ Raw.frame (Raw.call 2 "wait" "5"));
      ("a frame cut off", "\000\000\000\099");
      ("too long", "\x7f\xff\xff\xff");
    ]

let servers_violation () =
  List.iter
    (fun (what, bytes) ->
      virtually @@ fun clock ->
      let near, far = Flow_lwt.duplex () in
      let closed = ref false in
      let client = Client.create ~clock:(calls_clock clock) (closable near closed) in
      let* () = write far (Raw.frame Raw.hello) in
      let call = Client.call client wait 1 in
      let* () = write far bytes in
      let* r = call in
      (match r with Error (Closed (Violation _)) -> () | _ -> Alcotest.fail what);
      let+ _ = Client.await_end client in
      Alcotest.(check bool) "closed" true !closed)
    [
      ("no call", Raw.frame "\002\077");
      ("garbage", "HTTP/1.1 400 Bad Request\r\n");
      ("a call", Raw.frame (Raw.call 1 "wait" "5"));
    ]

(* It calls and never reads: the server stops reading, and holds little. *)
let deaf_client () =
  let limits = { Limits.default with calls = 8; unsent = 2_000 } in
  with_peer ~capacity:1_000 ~limits handlers @@ fun clock near server served ->
  let sent = ref 0 in
  let rec flood id =
    let* () = write near (Raw.frame (Raw.call id "none" "")) in
    incr sent;
    if id < 100_000 then flood (id + 1) else Lwt.return_unit
  in
  let* () =
    Lwt.pick
      [
        (let* () = write near (Raw.frame Raw.hello) in
         flood 1);
        clock.sleep (s 1);
      ]
  in
  Alcotest.(check bool) "it was stopped" true (!sent < 1_000);
  let* () = Server.shutdown ~grace_ns:(s 1) server in
  check_ending "and cut" Stopped served

let mutated () =
  let rng = Random.State.make [| Suite.seed (); 18 |] in
  let good =
    String.concat ""
      (List.map Raw.frame
         [
           Raw.hello_with_window; Raw.call 1 "echo" "abc"; Raw.call 2 "wait" "1000"; "\004\002";
           Raw.call 3 "divide" "7"; Raw.open_ 4 "count" 2 "300"; Raw.credit 4 40;
           Raw.open_ 5 "mirror" 3 ""; Raw.item 5 "abc"; Raw.item 5 "de"; Raw.end_ 5; "\005";
         ] [@ocamlformat "disable"])
  in
  for _ = 1 to Suite.iterations 2_000 do
    virtually @@ fun clock ->
    let clock = calls_clock clock in
    let near, far = Flow_lwt.duplex () in
    let server =
      Server.create ~clock ~limits:{ Limits.default with calls = 6 } ~timeout_ns:(s 1)
        (handlers clock)
    in
    let served = Server.serve server far in
    let b = Bytes.of_string good in
    for _ = 0 to Random.State.int rng 4 do
      Bytes.set_uint8 b (Random.State.int rng (Bytes.length b)) (Random.State.int rng 256)
    done;
    let* () = write near (Bytes.to_string b) in
    let* () = near#shutdown_send in
    let+ why = served in
    match why with
    | Ended | Abandoned | Violation _ -> ()
    | e -> Alcotest.failf "%a on %S" Error.pp_ending e (Bytes.to_string b)
  done

(* Whatever a server says, each call has an outcome and the client an end. *)
let mutated_server () =
  let rng = Random.State.make [| Suite.seed (); 19 |] in
  let good =
    [
      "\000WEIR\001\x80\x80\x04\x03\x80\x20"; "\002\001one"; "\003\002\x13no"; "\002\003three";
      "\007\004abc"; "\009\004\001"; "\007\0045"; "\002\004"; "\005";
    ] [@ocamlformat "disable"]
  in
  for _ = 1 to Suite.iterations 2_000 do
    virtually @@ fun clock ->
    let clock = calls_clock clock in
    let near, far = Flow_lwt.duplex () in
    let client = Client.create ~clock near in
    let b = Bytes.of_string (String.concat "" (List.map Raw.frame good)) in
    for _ = 1 to Random.State.int rng 4 do
      Bytes.set_uint8 b (Random.State.int rng (Bytes.length b)) (Random.State.int rng 256)
    done;
    let call i =
      if i mod 4 < 3 then Lwt.map ignore (Client.call client ~timeout_ns:(s 1) echo "x")
      else
        let rec go (io : _ Client.streams) =
          let* sent = io.send "x" in
          let* got = io.receive () in
          if sent && got <> None then go io else Lwt.return_unit
        in
        Lwt.map ignore (Client.exchange client ~timeout_ns:(s 1) mirror go)
    in
    let calls = List.init 6 call in
    let rec feed at =
      let n = Int.min (1 + Random.State.int rng 30) (Bytes.length b - at) in
      if n = 0 then Lwt.return_unit
      else
        let* () = write far (Bytes.sub_string b at n) in
        let* () = Lwt.pause () in
        feed (at + n)
    in
    let* () = Lwt.catch (fun () -> feed 0) (fun _ -> Lwt.return_unit) in
    let* _ = Lwt.all calls in
    let* () = far#shutdown_send in
    let* _ = Client.await_end client in
    let+ r = Client.call client echo "" in
    match r with Error (Closed _) -> () | _ -> Alcotest.fail "a call after the end"
  done

let tests =
  [
    ( "in order",
      [
        Suite.case "close waits for answers" close_waits;
        Suite.case "drain" drain;
        Suite.case "no longer than the grace" grace;
        Suite.case "a deaf handler does not hold it up" deaf;
        Suite.case "a deaf handler's streams" deaf_then_streams;
        Suite.case "a deaf handler's streams, in time" deaf_timed_out;
        Suite.case "a handler ends the server" shutdown_from_a_handler;
        Suite.case "an idle connection" idle;
        Suite.case "a silent client" silent;
        Suite.case "aborted" aborted;
        Suite.case "a switch keeps nothing" of_a_switch;
        Suite.case "half closed, with goodbye" half_closed;
        Suite.case "half closed, in streams" half_closed_in_streams;
      ] );
    ( "death",
      [
        Suite.case "a reset" reset;
        Suite.case "the stream ends" ended;
        Suite.case "flows that raise" odd_flows;
        Suite.case "serve is cancelled" cut_off;
        Suite.case "what report raises" raising_report;
      ] );
    ( "broken rules",
      [
        Suite.case "a client's" clients_violation;
        Suite.case "a server's" servers_violation;
        Suite.case "a client that does not read" deaf_client;
        Suite.case "mutated streams" mutated;
        Suite.case "a server's mutated streams" mutated_server;
      ] );
  ]
