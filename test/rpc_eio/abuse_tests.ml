(* What a careless user or a hostile peer does. *)

open Eio.Std
open Weir_rpc
open Weir_rpc_eio
open World
open Methods
module Suite = Weir_test.Suite
module Flow = Weir_flow.Flow
module Pipe = Weir_flow.Pipe
module Codec = Weir_message.Codec

(* {1 The end while callers wait} *)

(* The peer takes no byte, so that some wait for answers, some for room and some
   for a turn; then [stop] ends it, or else the switch does. *)
let while_waiting stop () =
  virtually @@ fun clock ->
  Switch.run @@ fun sw ->
  let near, far = Pipe.duplex ~capacity:1_000 suspend in
  let client, calls =
    Switch.run @@ fun connection ->
    let limits = { Limits.default with unsent = 2_000; calls = 20 } in
    let client = Client.create ~sw:connection ~clock ~limits near in
    Flow.write_string far (Raw.frame Raw.hello);
    let calls =
      List.init 100 (fun _ ->
          Fiber.fork_promise ~sw (fun () -> Client.call client echo (String.make 700 'x')))
    in
    sleep clock (s 1);
    stop far;
    sleep clock (s 1);
    (client, calls)
  in
  List.iter (fun c -> closed "a call" (Promise.await_exn c)) calls;
  closed "a later one" (Client.call client echo "")

let peer_ends (far : Flow.half_close) = far#shutdown_send

(* Those that wait for room or a turn are refused at once. *)
let refusing stop () =
  virtually @@ fun clock ->
  Switch.run @@ fun sw ->
  let near, far = Pipe.duplex ~capacity:1_000 suspend in
  let limits = { Limits.default with unsent = 2_000; calls = 20 } in
  let client = Client.create ~sw ~clock ~limits near in
  Flow.write_string far (Raw.frame Raw.hello);
  let failed = ref 0 in
  for _ = 1 to 100 do
    Fiber.fork ~sw (fun () ->
        closed "a call" (Client.call client echo (String.make 700 'x'));
        incr failed)
  done;
  sleep clock (s 1);
  Fiber.fork ~sw (fun () -> stop client far);
  sleep clock (s 1);
  let waiting = 100 - !failed in
  if waiting > 10 then Alcotest.failf "%d still wait" waiting;
  far#shutdown_send

let closing = refusing (fun client _ -> Client.close client)
let draining = refusing (fun _ far -> Flow.write_string far (Raw.frame "\005"))

(* Closed before the server has said anything: none may call, and all know. *)
let close_ungreeted () =
  virtually @@ fun clock ->
  Switch.run @@ fun sw ->
  let near, far = Pipe.duplex suspend in
  let client = Client.create ~sw ~clock near in
  let calls =
    List.init 100 (fun _ -> Fiber.fork_promise ~sw (fun () -> Client.call client echo ""))
  in
  sleep clock (s 1);
  Fiber.both
    (fun () -> Client.close client)
    (fun () ->
      List.iter (fun c -> closed "a call" (Promise.await_exn c)) calls;
      (* The hello comes late and changes nothing. *)
      Flow.write_string far (Raw.frame Raw.hello);
      sleep clock (s 1);
      closed "a later one" (Client.call client echo "");
      far#shutdown_send)

(* A method that ends the server: its own call is cut off with the rest. *)
let shutdown_from_a_handler () =
  virtually @@ fun clock ->
  Switch.run @@ fun sw ->
  let near, far = Pipe.duplex suspend in
  let server = ref None in
  let answer () = Server.shutdown ~grace_ns:(s 2) (Option.get !server) in
  let stop = Method.make "stop" Codec.unit Codec.unit in
  server := Some (Server.create ~clock [ Service.Handler (stop, answer) ]);
  let served = Fiber.fork_promise ~sw (fun () -> Server.serve (Option.get !server) far) in
  let client = Client.create ~sw ~clock near in
  closed "its own call" (Client.call client stop ());
  Alcotest.(check int) "after the grace" (s 2) (now clock);
  Alcotest.check ending "cut" Stopped (Promise.await_exn served)

(* {1 Times} *)

let odd_times () =
  over_pipe handlers @@ fun t ->
  List.iter
    (fun ns ->
      match Client.call t.client ~timeout_ns:ns wait (s 1) with
      | Error Timed_out -> Alcotest.(check int) "at once" 0 (now t.clock)
      | Ok _ -> Alcotest.fail "answered"
      | Error e -> failed e)
    [ 0; -1; min_int ];
  Alcotest.(check int) "for ever" 5 (get (Client.call t.client ~timeout_ns:max_int wait 5));
  Alcotest.(check int)
    "nearly" 5
    (get (Client.call t.client ~timeout_ns:(max_int - now t.clock) wait 5));
  let under_way = Fiber.fork_promise ~sw:t.sw (fun () -> Client.call t.client wait (s 60)) in
  sleep t.clock 10;
  Server.shutdown ~grace_ns:(-1) t.server;
  Alcotest.(check int) "no grace" 20 (now t.clock);
  closed "cut" (Promise.await_exn under_way)

let refused what f =
  match f () with _ -> Alcotest.failf "%s: taken" what | exception Invalid_argument _ -> ()

let bounds () =
  virtually @@ fun clock ->
  refused "idle" (fun () -> Server.create ~clock ~idle_ns:0 []);
  refused "timeout" (fun () -> Server.create ~clock ~timeout_ns:0 []);
  let limit l = refused "limits" (fun () -> Limits.check l) in
  limit { Limits.default with calls = 0 };
  limit { Limits.default with calls = max_int };
  limit { Limits.default with message = 1 lsl 31 };
  limit { Limits.default with message = 2_047 };
  limit { Limits.default with window = 1_023 };
  Limits.check
    { message = 2_048; calls = Limits.max_calls; held = max_int; unsent = max_int; window = 1_024 }

(* {1 Sizes} *)

(* A packet is as long as the limit says, and not a byte longer. *)
let exact () =
  let message = 10_000 in
  let at n limits client_limits =
    over_pipe ~limits ~client_limits handlers @@ fun t ->
    let r = Client.call t.client echo (String.make n 'x') in
    end_well t;
    r
  in
  let small = { Limits.default with message } and wide = Limits.default in
  (* kind, number, no time, the name's length, the name *)
  let head = 1 + 1 + 1 + 1 + 4 in
  let length r = String.length (get r) in
  Alcotest.(check int) "request" (message - head) (length (at (message - head) small wide));
  (match at (message - head + 1) small wide with
  | Error (Too_large n) -> Alcotest.(check int) "its limit" message n
  | _ -> Alcotest.fail "a byte too long");
  Alcotest.(check int) "answer" (message - 2) (length (at (message - 2) wide small));
  match at (message - 1) wide small with
  | Error (Remote { code = Too_large; _ }) -> ()
  | _ -> Alcotest.fail "an answer of a byte too much"

(* What a large message needed is not kept by a connection that rests. *)
let room_given_back () =
  over_pipe handlers @@ fun t ->
  ignore (get (Client.call t.client echo "x"));
  let words () = Obj.reachable_words (Obj.repr (t.server, t.client)) in
  let before = words () in
  let large = 3_000_000 in
  Alcotest.(check int)
    "large" large
    (String.length (get (Client.call t.client echo (String.make large 'x'))));
  Fiber.yield ();
  let grown = words () - before in
  if grown * 8 > 1_000_000 then Alcotest.failf "%d bytes are kept" (grown * 8);
  end_well t

(* {1 Encoders that wait} *)

(* Yields between the pieces that it writes. *)
let dawdling =
  let encode out v =
    String.iter
      (fun c ->
        Weir_message.Output.add_byte out (Char.code c);
        if Char.code c land 3 = 0 then Fiber.yield ())
      v
  in
  { Codec.string with encode }

let dawdlers () =
  let slow = Method.make "slow" dawdling dawdling in
  let handlers _ = [ Service.Handler (slow, Fun.id); Service.Handler (echo, Fun.id) ] in
  let rng = Random.State.make [| Suite.seed (); 12 |] in
  for _ = 1 to Suite.iterations 20 do
    let limits = { Limits.default with unsent = 1 + Random.State.int rng 2_000; calls = 30 } in
    over_pipe ~limits ~client_limits:limits ~capacity:(1 + Random.State.int rng 500) handlers
    @@ fun t ->
    let texts =
      List.init 60 (fun i ->
          (i, String.init (Random.State.int rng 300) (fun _ -> Char.chr (Random.State.int rng 256))))
    in
    Fiber.List.iter
      (fun (i, text) ->
        let m = if i land 1 = 0 then slow else echo in
        if i mod 7 = 3 then
          ignore
            (Fiber.first
               (fun () -> Client.call t.client m text)
               (fun () ->
                 Fiber.yield ();
                 Ok ""))
        else Alcotest.(check string) "its own" text (get (Client.call t.client m text)))
      texts;
    end_well t
  done

(* The connection ends, and the call is given up, under an encoder's feet. *)
let dawdler_too_late () =
  over_pipe handlers @@ fun t ->
  let stuck = { Codec.string with encode = (fun _ _ -> sleep t.clock (s 5)) } in
  let call () = Client.call t.client (Method.make "echo" stuck Codec.string) "" in
  (match
     Fiber.first
       (fun () -> `Called (call ()))
       (fun () ->
         sleep t.clock (s 1);
         `Else)
   with
  | `Else -> ()
  | `Called _ -> Alcotest.fail "called");
  Alcotest.(check string) "others go on" "x" (get (Client.call t.client echo "x"));
  let late = Fiber.fork_promise ~sw:t.sw call in
  sleep t.clock (s 1);
  Alcotest.(check string) "meanwhile" "y" (get (Client.call t.client echo "y"));
  end_well t;
  closed "it came too late" (Promise.await_exn late)

(* The answer is being encoded when its time is over, or the client cancels it. *)
let dawdling_answer () =
  let slow clock = { Codec.string with encode = (fun _ _ -> sleep clock (s 5)) } in
  let handlers clock =
    Service.Handler (Method.make "slow" Codec.string (slow clock), Fun.id) :: handlers clock
  in
  over_pipe handlers @@ fun t ->
  let call ?timeout_ns () =
    Client.call t.client ?timeout_ns (Method.make "slow" Codec.string Codec.string) "x"
  in
  Alcotest.(check bool) "late" true (call ~timeout_ns:(s 1) () = Error Timed_out);
  Alcotest.(check string) "others go on" "x" (get (Client.call t.client echo "x"));
  Alcotest.(check string) "its bytes" "" (get (call ()));
  end_well t

(* {1 Many} *)

let ten_thousand () =
  over_pipe
    ~limits:{ Limits.default with calls = 10_000 }
    ~client_limits:{ Limits.default with calls = 10_000 }
    ~concurrency:10_000 handlers
  @@ fun t ->
  Fiber.List.iter
    (fun i -> Alcotest.(check int) "its own" (s 1 + i) (get (Client.call t.client wait (s 1 + i))))
    (List.init 10_000 Fun.id);
  Alcotest.(check int) "all at once" (s 1 + 9_999) (now t.clock);
  end_well t

let flat () =
  over_pipe handlers @@ fun t ->
  let n = Suite.iterations 20_000 in
  let calls () =
    Fiber.List.iter
      (fun k ->
        for i = 1 to n / 20 do
          if (i + k) land 15 = 0 then
            ignore (Client.call t.client ~timeout_ns:(i land 63) wait (i land 31))
          else ignore (get (Client.call t.client echo "abc"))
        done)
      (List.init 20 Fun.id)
  in
  calls ();
  let before = Weir_test.Words.live () in
  calls ();
  let grown = Weir_test.Words.live () - before in
  if grown > 10_000 then Alcotest.failf "%d words more after %d calls" grown n;
  end_well t

let tests =
  [
    ( "while callers wait",
      [
        Suite.case "the peer ends" (while_waiting peer_ends);
        Suite.case "the switch ends" (while_waiting ignore);
        Suite.case "the server drains" draining;
        Suite.case "closed here" closing;
        Suite.case "closed before the hello" close_ungreeted;
        Suite.case "a handler ends the server" shutdown_from_a_handler;
      ] );
    ( "bounds",
      [
        Suite.case "odd times" odd_times;
        Suite.case "limits" bounds;
        Suite.case "sizes, exactly" exact;
        Suite.case "room is given back" room_given_back;
      ] );
    ( "encoders that wait",
      [
        Suite.case "among others" dawdlers;
        Suite.case "given up, or too late" dawdler_too_late;
        Suite.case "answers" dawdling_answer;
      ] );
    ("many", [ Suite.case "10,000 at once" ten_thousand; Suite.case "live words" flat ]);
  ]
