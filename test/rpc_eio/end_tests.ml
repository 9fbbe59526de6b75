(* How connections end, and what peers that break the rules can do. *)

open Eio.Std
open Weir_rpc
open Weir_rpc_eio
open World
open Methods
module Suite = Weir_test.Suite
module Flow = Weir_flow.Flow
module Pipe = Weir_flow.Pipe

let error = Alcotest.testable Error.pp ( = )
let outcome = Alcotest.(result int error)

(* {1 In order} *)

let close_waits () =
  over_pipe handlers @@ fun t ->
  let late = Fiber.fork_promise ~sw:t.sw (fun () -> Client.call t.client wait (s 3)) in
  Fiber.yield ();
  let closed = Fiber.fork_promise ~sw:t.sw (fun () -> Client.close t.client) in
  Fiber.yield ();
  Alcotest.check outcome "no more calls" (Error (Closed Stopped)) (Client.call t.client wait 1);
  Alcotest.check outcome "that one is answered" (Ok (s 3)) (Promise.await_exn late);
  Promise.await_exn closed;
  Client.close t.client;
  Alcotest.(check int) "then it is over" (s 3) (now t.clock);
  Alcotest.check ending "for the server too" Ended (Promise.await_exn t.served)

let drain () =
  over_pipe ~limits:{ Limits.default with calls = 2 } handlers @@ fun t ->
  let call ns = Fiber.fork_promise ~sw:t.sw (fun () -> Client.call t.client wait ns) in
  let first = call (s 2) and second = call (s 3) and waiting = call (s 1) in
  sleep t.clock (s 1);
  Server.shutdown t.server;
  Alcotest.(check int) "when all is answered" (s 3) (now t.clock);
  Alcotest.check outcome "one under way" (Ok (s 2)) (Promise.await_exn first);
  Alcotest.check outcome "another" (Ok (s 3)) (Promise.await_exn second);
  Alcotest.check outcome "one that waited" (Error (Closed Draining)) (Promise.await_exn waiting);
  Alcotest.check outcome "a later one" (Error (Closed Draining)) (Client.call t.client wait 1);
  Alcotest.check ending "in order" Ended (Promise.await_exn t.served);
  Alcotest.check ending "also here" Ended (Client.await_end t.client);
  Alcotest.(check int) "none left" 0 (Server.connections t.server)

let grace () =
  over_pipe handlers @@ fun t ->
  let call = Fiber.fork_promise ~sw:t.sw (fun () -> Client.call t.client wait (s 60)) in
  sleep t.clock (s 1);
  Server.shutdown ~grace_ns:(s 2) t.server;
  Alcotest.(check int) "no longer" (s 3) (now t.clock);
  Alcotest.check ending "cut" Stopped (Promise.await_exn t.served);
  Alcotest.check outcome "the call fails" (Error (Closed Ended)) (Promise.await_exn call);
  Client.(match state t.client with Some Draining -> () | _ -> Alcotest.fail "not told")

let idle_shutdown () =
  over_pipe handlers @@ fun t ->
  ignore (get (Client.call t.client echo "x"));
  Server.shutdown t.server;
  Alcotest.(check int) "at once" 0 (now t.clock);
  let near, far = Pipe.duplex suspend in
  Alcotest.check ending "no new ones" Stopped (Server.serve t.server far);
  ignore near

let idle () =
  over_pipe ~idle_ns:(s 10) handlers @@ fun t ->
  ignore (get (Client.call t.client wait (s 35)));
  Alcotest.(check bool) "not while a call runs" true (Client.state t.client = None);
  sleep t.clock (s 9);
  ignore (get (Client.call t.client echo "x"));
  sleep t.clock (s 9);
  Alcotest.(check bool) "not before its time" true (Client.state t.client = None);
  Alcotest.check ending "then in order" Ended (Promise.await_exn t.served);
  Alcotest.(check int) "after that time" (s 54) (now t.clock);
  Alcotest.check outcome "the client knows" (Error (Closed Draining)) (Client.call t.client wait 1)

(* One that says nothing, or a byte at a time. *)
let silent () =
  virtually @@ fun clock ->
  Switch.run @@ fun sw ->
  let near, far = Pipe.duplex suspend in
  let server = Server.create ~clock ~idle_ns:(s 10) (handlers clock) in
  let served = Fiber.fork_promise ~sw (fun () -> Server.serve server far) in
  Fiber.fork_daemon ~sw (fun () ->
      String.iter
        (fun c ->
          Flow.write_string near (String.make 1 c);
          sleep clock (s 3))
        (Raw.frame Raw.hello);
      `Stop_daemon);
  Alcotest.check ending "cut" Stopped (Promise.await_exn served);
  Alcotest.(check int) "after twice the time" (s 20) (now clock)

(* One that reads nothing, so that answers wait for room for ever: no handler runs. *)
let deaf_idle_client () =
  virtually @@ fun clock ->
  Switch.run @@ fun sw ->
  let near, far = Pipe.duplex ~capacity:1_000 suspend in
  let limits = { Limits.default with unsent = 1_000; calls = 20 } in
  let late text =
    sleep clock (s 1);
    text
  in
  let server = Server.create ~clock ~limits ~idle_ns:(s 10) [ Handler (echo, late) ] in
  let served = Fiber.fork_promise ~sw (fun () -> Server.serve server far) in
  let calls = List.init 16 (fun i -> Raw.call (i + 1) "echo" (String.make 900 'x')) in
  Flow.write_string near (String.concat "" (List.map Raw.frame (Raw.hello :: calls)));
  Alcotest.check ending "cut" Stopped (Promise.await_exn served);
  Alcotest.(check int) "after twice the time" (s 21) (now clock)

let released () =
  virtually @@ fun clock ->
  Switch.run @@ fun outer ->
  let near, far = Pipe.duplex suspend in
  let server = Server.create ~clock (handlers clock) in
  let served = Fiber.fork_promise ~sw:outer (fun () -> Server.serve server far) in
  let closed = ref false in
  let call =
    Switch.run @@ fun sw ->
    let client = Client.create ~sw ~clock (closable near closed) in
    let call = Fiber.fork_promise ~sw:outer (fun () -> Client.call client wait (s 5)) in
    sleep clock (s 1);
    call
  in
  Alcotest.check outcome "it fails" (Error (Closed Stopped)) (Promise.await_exn call);
  Alcotest.(check bool) "the flow is closed" true !closed;
  Alcotest.check ending "the server gives up" Abandoned (Promise.await_exn served);
  Alcotest.(check int) "at once" (s 1) (now clock)

(* The switch fails, and waits for a fiber that is not cancelled and waits for a call. *)
let released_late () =
  virtually @@ fun clock ->
  Switch.run @@ fun outer ->
  let near, far = Pipe.duplex suspend in
  let server = Server.create ~clock (handlers clock) in
  let served = Fiber.fork_promise ~sw:outer (fun () -> Server.serve server far) in
  let closed = ref false and seen = ref (Ok 0) in
  let body sw =
    let client = Client.create ~sw ~clock (closable near closed) in
    Fiber.fork ~sw (fun () ->
        sleep clock (s 1);
        raise Exit);
    Eio.Cancel.protect @@ fun () ->
    seen := Client.call client wait (s 5);
    Client.close client
  in
  (match Switch.run body with () -> Alcotest.fail "no end" | exception Exit -> ());
  Alcotest.check outcome "it fails" (Error (Closed Stopped)) !seen;
  Alcotest.(check int) "at once" (s 1) (now clock);
  Alcotest.(check bool) "the flow is closed" true !closed;
  Alcotest.check ending "the server gives up" Abandoned (Promise.await_exn served)

(* Over a flow that has no way to say that it ends. *)
let one_ended () =
  virtually @@ fun clock ->
  Switch.run @@ fun sw ->
  let near, far = Pipe.duplex suspend in
  let plain (f : Flow.half_close) : Flow.flow =
    object
      inherit Flow.flow
      method read_into b ~off ~len = f#read_into b ~off ~len
      method write b ~off ~len = f#write b ~off ~len
    end
  in
  let server = Server.create ~clock (handlers clock) in
  let served = Fiber.fork_promise ~sw (fun () -> Server.serve server (plain far)) in
  let client = Client.create ~sw ~clock (plain near) in
  ignore (get (Client.call client echo "x"));
  Client.close client;
  Server.shutdown ~grace_ns:(s 1) server;
  Alcotest.check ending "cut, as it was not told" Stopped (Promise.await_exn served)

(* A handler whose own business is cancelled fails, and no more than that. *)
let handlers_own () =
  let handlers _ =
    [
      Service.Handler (fail, fun _ -> raise (Eio.Cancel.Cancelled Exit));
      Service.Handler (echo, Fun.id);
    ]
  in
  over_pipe handlers @@ fun t ->
  (match Client.call t.client fail "" with
  | Error (Remote { code = Internal; _ }) -> ()
  | _ -> Alcotest.fail "answered");
  Alcotest.(check string) "it goes on" "x" (get (Client.call t.client echo "x"));
  end_well t

(* {1 Death} *)

(* A flow that fails when told to. *)
let mortal (f : Flow.half_close) =
  let dead, kill = Promise.create () in
  let guard g =
    Fiber.first g (fun () ->
        Promise.await dead;
        raise (Flow.Error Flow.reset))
  in
  let flow =
    object (self)
      inherit Flow.flow
      method read_into b ~off ~len = guard (fun () -> f#read_into b ~off ~len)
      method write b ~off ~len = guard (fun () -> f#write b ~off ~len)
      method shutdown_send = f#shutdown_send

      method! cast : type a. a Flow.ty -> a option =
        function Flow.Half_close -> Some (self :> Flow.half_close) | _ -> None
    end
  in
  ((flow :> Flow.flow), fun () -> Promise.resolve kill ())

let is_reset = function
  | Error (Error.Closed (Lost (Flow.Error (Flow.Reset, _)))) -> ()
  | Ok _ -> Alcotest.fail "answered"
  | Error e -> Alcotest.failf "%a" Error.pp e

let reset () =
  virtually @@ fun clock ->
  Switch.run @@ fun sw ->
  let near, far = Pipe.duplex suspend in
  let near, kill_near = mortal near and far, kill_far = mortal far in
  let handled = ref 0 in
  let answer n =
    Fun.protect ~finally:(fun () -> incr handled) (fun () -> sleep clock n);
    n
  in
  let limits = { Limits.default with calls = 10 } in
  let server = Server.create ~clock ~limits [ Service.Handler (wait, answer) ] in
  let served = Fiber.fork_promise ~sw (fun () -> Server.serve server far) in
  let client = Client.create ~sw ~clock near in
  let calls =
    List.init 25 (fun _ -> Fiber.fork_promise ~sw (fun () -> Client.call client wait (s 9)))
  in
  sleep clock (s 1);
  kill_far ();
  kill_near ();
  List.iter (fun c -> is_reset (Promise.await_exn c)) calls;
  is_reset (Client.call client wait 1);
  (match Promise.await_exn served with
  | Lost (Flow.Error (Flow.Reset, _)) -> ()
  | e -> Alcotest.failf "%a" Error.pp_ending e);
  Alcotest.(check int) "its handlers were cancelled" 10 !handled;
  Alcotest.(check int) "at once too" (s 1) (now clock)

(* The peer ends the stream with calls under way. *)
let ended () =
  virtually @@ fun clock ->
  Switch.run @@ fun sw ->
  let near, far = Pipe.duplex suspend in
  let client = Client.create ~sw ~clock near in
  Flow.write_string far (Raw.frame Raw.hello);
  let call = Fiber.fork_promise ~sw (fun () -> Client.call client wait 1) in
  Fiber.yield ();
  far#shutdown_send;
  Alcotest.check outcome "a clear end" (Error (Closed Ended)) (Promise.await_exn call)

(* {1 Broken rules} *)

let clients_violation () =
  List.iter
    (fun (what, bytes) ->
      virtually @@ fun clock ->
      Switch.run @@ fun sw ->
      let near, far = Pipe.duplex suspend in
      let closed = ref false in
      let cancelled = ref 0 in
      let answer n =
        match sleep clock (s n) with
        | () -> n
        | exception e ->
            incr cancelled;
            raise e
      in
      let server = Server.create ~clock [ Service.Handler (wait, answer) ] in
      let served = Fiber.fork_promise ~sw (fun () -> Server.serve server (closable far closed)) in
      Flow.write_string near (Raw.frame Raw.hello ^ Raw.frame (Raw.call 1 "wait" "5") ^ bytes);
      near#shutdown_send;
      (match Promise.await_exn served with
      | Violation _ -> ()
      | e -> Alcotest.failf "%s: %a" what Error.pp_ending e);
      Alcotest.(check bool) "closed" true !closed;
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
      Switch.run @@ fun sw ->
      let near, far = Pipe.duplex suspend in
      let closed = ref false in
      let client = Client.create ~sw ~clock (closable near closed) in
      Flow.write_string far (Raw.frame Raw.hello);
      let call = Fiber.fork_promise ~sw (fun () -> Client.call client wait 1) in
      Fiber.yield ();
      Flow.write_string far bytes;
      (match Promise.await_exn call with
      | Error (Closed (Violation _)) -> ()
      | _ -> Alcotest.fail what);
      Alcotest.(check bool) "closed" true !closed)
    [
      ("no call", Raw.frame "\002\077");
      ("garbage", "HTTP/1.1 400 Bad Request\r\n");
      ("a call", Raw.frame (Raw.call 1 "wait" "5"));
    ]

(* A client that calls and never reads: the server stops reading, and holds
   little. *)
let deaf_client () =
  virtually @@ fun clock ->
  Switch.run @@ fun sw ->
  let near, far = Pipe.duplex ~capacity:1_000 suspend in
  let limits = { Limits.default with calls = 8; unsent = 2_000 } in
  let answered = ref 0 in
  let answer r =
    incr answered;
    r
  in
  let server = Server.create ~clock ~limits [ Service.Handler (echo, answer) ] in
  let served = Fiber.fork_promise ~sw (fun () -> Server.serve server far) in
  let sent = ref 0 in
  let flood () =
    Flow.write_string near (Raw.frame Raw.hello);
    (* Each is answered, so there are never eight at once: but nobody reads. *)
    for id = 1 to 100_000 do
      Flow.write_string near (Raw.frame (Raw.call id "none" ""));
      incr sent
    done
  in
  Fiber.first flood (fun () -> sleep clock (s 1));
  Alcotest.(check bool) "it was stopped" true (!sent < 1_000);
  near#shutdown_send;
  Server.shutdown ~grace_ns:(s 1) server;
  Alcotest.check ending "and cut" Stopped (Promise.await_exn served)

(* Mutated bytes from a client, with a scheduler and handlers behind. *)
let mutated () =
  let rng = Random.State.make [| Suite.seed (); 8 |] in
  for _ = 1 to Suite.iterations 2_000 do
    virtually @@ fun clock ->
    Switch.run @@ fun sw ->
    let near, far = Pipe.duplex suspend in
    let server =
      Server.create ~clock ~limits:{ Limits.default with calls = 6 } ~timeout_ns:(s 1)
        (handlers clock)
    in
    let served = Fiber.fork_promise ~sw (fun () -> Server.serve server far) in
    let b =
      Bytes.of_string
        (String.concat ""
           (List.map Raw.frame
              [
                Raw.hello_with_window; Raw.call 1 "echo" "abc"; Raw.call 2 "wait" "1000"; "\004\002";
                Raw.call 3 "divide" "7"; Raw.open_ 4 "count" 2 "300"; Raw.credit 4 40;
                Raw.open_ 5 "mirror" 3 ""; Raw.item 5 "abc"; Raw.item 5 "de"; Raw.end_ 5;
              ] [@ocamlformat "disable"]))
    in
    for _ = 0 to Random.State.int rng 4 do
      Bytes.set_uint8 b (Random.State.int rng (Bytes.length b)) (Random.State.int rng 256)
    done;
    Flow.write near b ~off:0 ~len:(Bytes.length b);
    near#shutdown_send;
    match Promise.await_exn served with
    | Ended | Abandoned | Violation _ -> ()
    | e -> Alcotest.failf "%a on %S" Error.pp_ending e (Bytes.to_string b)
  done

let tests =
  [
    ( "in order",
      [
        Suite.case "close waits for answers" close_waits;
        Suite.case "drain" drain;
        Suite.case "no longer than the grace" grace;
        Suite.case "shut down when idle" idle_shutdown;
        Suite.case "an idle connection" idle;
        Suite.case "a silent client" silent;
        Suite.case "a client that does not read" deaf_idle_client;
        Suite.case "the switch ends" released;
        Suite.case "the switch fails, and waits" released_late;
        Suite.case "a flow without ends" one_ended;
        Suite.case "a handler's own cancellation" handlers_own;
      ] );
    ("death", [ Suite.case "a reset" reset; Suite.case "the stream ends" ended ]);
    ( "broken rules",
      [
        Suite.case "a client's" clients_violation;
        Suite.case "a server's" servers_violation;
        Suite.case "a client that does not read" deaf_client;
        Suite.case "mutated streams" mutated;
      ] );
  ]
