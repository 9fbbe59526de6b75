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

let closed what = function
  | Error (Error.Closed _) -> ()
  | Ok _ -> Alcotest.failf "%s: answered" what
  | Error e -> Alcotest.failf "%s: %a" what Error.pp e

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

(* {1 Cancelling} *)

(* The handler has failed and [report] takes its time: the call is cancelled then. *)
let cancel_while_reporting () =
  virtually @@ fun clock ->
  Switch.run @@ fun sw ->
  let near, far = Pipe.duplex suspend in
  let report _ _ = sleep clock (s 1) in
  let server = Server.create ~clock ~report (handlers clock) in
  let served = Fiber.fork_promise ~sw (fun () -> Server.serve server far) in
  let client = Client.create ~sw ~clock near in
  (match Client.call client ~timeout_ns:(ms 500) fail "exception" with
  | Error Timed_out -> ()
  | _ -> Alcotest.fail "answered");
  Alcotest.(check string) "it goes on" "x" (get (Client.call client echo "x"));
  Client.close client;
  Alcotest.check ending "in order" Ended (Promise.await_exn served)

(* What [report] raises is [serve]'s to raise. *)
let raising_report () =
  virtually @@ fun clock ->
  Switch.run @@ fun sw ->
  let near, far = Pipe.duplex suspend in
  let server = Server.create ~clock ~report:(fun _ _ -> raise Not_found) (handlers clock) in
  let served = Fiber.fork_promise ~sw (fun () -> Server.serve server far) in
  let client = Client.create ~sw ~clock near in
  closed "a call" (Client.call client fail "exception");
  (match Promise.await served with
  | Error Not_found -> ()
  | Error e -> raise e
  | Ok _ -> Alcotest.fail "it went on");
  Alcotest.(check int) "none left" 0 (Server.connections server)

(* The answer and the other fiber's result come in the same turn. *)
let races () =
  over_pipe ~limits:{ Limits.default with calls = 4 } handlers @@ fun t ->
  for i = 1 to 2_000 do
    let d = 1_000 + (i mod 7) in
    match
      Fiber.first
        (fun () -> Ok (Client.call t.client wait d))
        (fun () ->
          sleep t.clock 1_000;
          for _ = 1 to i mod 23 do
            Fiber.yield ()
          done;
          Error ())
    with
    | Ok r -> Alcotest.(check int) "its own" d (get r)
    | Error () -> ()
  done;
  let call () = ignore (get (Client.call t.client wait (s 1))) in
  let before = now t.clock in
  Fiber.all (List.init 8 (fun _ -> call));
  Alcotest.(check int) "no turn is lost or made" (s 2) (now t.clock - before);
  end_well t

let live () =
  Gc.full_major ();
  (Gc.stat ()).live_words

(* A client that calls and cancels, each twice, by hand, as fast as it may. *)
let calls_and_cancels () =
  virtually @@ fun clock ->
  Switch.run @@ fun sw ->
  let near, far = Pipe.duplex suspend in
  let server = Server.create ~clock (handlers clock) in
  let served = Fiber.fork_promise ~sw (fun () -> Server.serve server far) in
  let answers = Weir_message.Reader.create Length32 near in
  let next () = Result.get_ok (Weir_message.Reader.receive answers Codec.string) in
  Flow.write_string near (Raw.frame Raw.hello);
  ignore (next ());
  let batch first =
    for id = first to first + 63 do
      let cancel = Raw.frame ("\004" ^ Raw.varint id) in
      Flow.write_string near (Raw.frame (Raw.call id "wait" "9000000000") ^ cancel ^ cancel)
    done;
    for _ = 1 to 64 do
      Alcotest.(check char) "a failure" '\003' (next ()).[0]
    done
  in
  let round n =
    List.iter (fun k -> batch (1 + (64 * k))) (List.init 100 (fun i -> (100 * n) + i))
  in
  round 0;
  let before = live () in
  round 1;
  round 2;
  let grown = live () - before in
  if grown > 20_000 then Alcotest.failf "%d words more" grown;
  near#shutdown_send;
  Alcotest.check ending "in order" Ended (Promise.await_exn served);
  Alcotest.(check int) "no time passed" 0 (now clock)

(* A flow's own business was cancelled, not ours. *)
let flows_own () =
  virtually @@ fun clock ->
  let broken =
    object
      inherit Flow.flow
      method read_into _ ~off:_ ~len:_ = raise (Eio.Cancel.Cancelled Exit)
      method write _ ~off:_ ~len:_ = ()
    end
  in
  let server = Server.create ~clock (handlers clock) in
  (match Server.serve server broken with
  | Lost _ -> ()
  | e -> Alcotest.failf "%a" Error.pp_ending e);
  Switch.run @@ fun sw ->
  let client = Client.create ~sw ~clock broken in
  closed "a call" (Client.call client echo "x")

(* Closing takes a turn of the scheduler, when the server is already cancelled. *)
let slow_close () =
  virtually @@ fun clock ->
  let near, far = Pipe.duplex suspend in
  let slow =
    object (self)
      inherit Flow.flow
      method read_into b ~off ~len = far#read_into b ~off ~len
      method write b ~off ~len = far#write b ~off ~len
      method close = Fiber.yield ()

      method! cast : type a. a Flow.ty -> a option =
        function Flow.Closable -> Some (self :> Flow.closable) | _ -> None
    end
  in
  let server = Server.create ~clock (handlers clock) in
  ignore near;
  Fiber.first (fun () -> ignore (Server.serve server slow)) (fun () -> sleep clock (s 1));
  Alcotest.(check int) "none left" 0 (Server.connections server)

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

(* {1 Thrift} *)

module K = Thrift_corpus.Kinds_thrift

(* A handler that is cancelled ends [serve]; it is not reported, nor answered. *)
let thrift_cancelled () =
  virtually @@ fun clock ->
  let near, far = Pipe.duplex suspend in
  let module Calculator = struct
    let name () =
      sleep clock (s 60);
      ""

    let add ~left ~right = left + right
    let divide ~by = 100 / by
    let reset () = ()
    let hint ~text:_ = ()
    let shape ~tree:_ = K.Shape.Named "tree"
  end in
  let reported = ref 0 in
  let sent = ref "" in
  let client =
    Weir_thrift.Rpc.client Compact (fun s ->
        sent := s;
        raise Exit)
  in
  (try ignore (K.Calculator.Client.name client ()) with Exit -> ());
  Flow.write_string near (Raw.frame !sent ^ Raw.frame !sent);
  Fiber.first
    (fun () ->
      ignore
        (Weir_message.Thrift.serve
           ~report:(fun _ -> incr reported)
           Compact
           (K.Calculator.dispatch (module Calculator))
           far);
      Alcotest.fail "it went on")
    (fun () -> sleep clock (s 1));
  Alcotest.(check int) "not reported" 0 !reported;
  far#shutdown_send;
  Alcotest.(check string) "no answer" "" (Flow.read_all near ~max:1_000)

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
  let before = live () in
  calls ();
  let grown = live () - before in
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
    ( "cancelling",
      [
        Suite.case "while a failure is reported" cancel_while_reporting;
        Suite.case "what report raises" raising_report;
        Suite.case "with the answer" races;
        Suite.case "over and over" calls_and_cancels;
        Suite.case "inside the flow" flows_own;
        Suite.case "a close that waits" slow_close;
      ] );
    ( "encoders that wait",
      [
        Suite.case "among others" dawdlers;
        Suite.case "given up, or too late" dawdler_too_late;
        Suite.case "answers" dawdling_answer;
      ] );
    ("thrift", [ Suite.case "a cancelled handler" thrift_cancelled ]);
    ("many", [ Suite.case "10,000 at once" ten_thousand; Suite.case "live words" flat ]);
  ]
