open Eio.Std
open Weir_rpc
open Weir_rpc_eio
open World
open Methods
module Suite = Weir_test.Suite
module Codec = Weir_message.Codec

let error = Alcotest.testable Error.pp ( = )

let check_remote what code = function
  | Error (Error.Remote f) when f.code = code -> ()
  | Ok _ -> Alcotest.failf "%s: answered" what
  | Error e -> Alcotest.failf "%s: %a" what Error.pp e

let plain () =
  over_pipe handlers @@ fun t ->
  Alcotest.(check string) "echo" "hello" (get (Client.call t.client echo "hello"));
  Alcotest.(check string) "nothing" "" (get (Client.call t.client echo ""));
  let large = String.init 3_000_000 (fun i -> Char.chr (i land 255)) in
  Alcotest.(check bool) "large" true (get (Client.call t.client echo large) = large);
  end_well t

let failures () =
  let reported = ref [] in
  over_pipe ~report:(fun name e -> reported := (name, e) :: !reported) handlers @@ fun t ->
  let call m r = Client.call t.client m r in
  check_remote "typed" (Application 3) (call fail "typed");
  check_remote "exception" Internal (call fail "exception");
  check_remote "internal" Internal (call fail "internal");
  Alcotest.(check int) "one was a surprise" 1 (List.length !reported);
  Alcotest.(check string) "its method" "fail" (fst (List.hd !reported));
  check_remote "unknown" Unknown_method (call (Method.make "none" Codec.unit Codec.unit) ());
  check_remote "undecodable" Undecodable (call (Method.make "wait" Codec.string Codec.unit) "x");
  Alcotest.(check (result int string))
    "an error of its own type" (Error "by zero")
    (get (call divide 0));
  Alcotest.(check (result int string)) "or none" (Ok 20) (get (call divide 5));
  (match call (Method.make "echo" Codec.string number) "x" with
  | Error (Undecodable "number: no number") -> ()
  | _ -> Alcotest.fail "an answer of another type");
  let bad = { Codec.string with encode = (fun _ _ -> raise Exit) } in
  Alcotest.check_raises "an encoder's" Exit (fun () ->
      ignore (call (Method.make "echo" bad Codec.string) "x"));
  Alcotest.(check string) "and all goes on" "x" (get (call echo "x"));
  end_well t

let bad_answers () =
  let bad =
    {
      Codec.string with
      encode = (fun _ _ -> raise Exit);
      decode = (fun _ ~off:_ ~len:_ -> raise Exit);
    }
  in
  let handlers _ =
    [
      Service.Handler (Method.make "encode" Codec.string bad, Fun.id);
      Service.Handler (Method.make "decode" bad Codec.string, Fun.id);
      Service.Handler (echo, Fun.id);
    ]
  in
  over_pipe handlers @@ fun t ->
  check_remote "its answer cannot be encoded" Internal
    (Client.call t.client (Method.make "encode" Codec.string Codec.string) "x");
  check_remote "its codec raises" Undecodable
    (Client.call t.client (Method.make "decode" Codec.string Codec.string) "x");
  (match Client.call t.client (Method.make "echo" Codec.string bad) "x" with
  | exception Exit -> Alcotest.fail "raised"
  | Error (Undecodable _) -> ()
  | _ -> Alcotest.fail "decoded");
  end_well t

let too_large () =
  let limits = { Limits.default with message = 10_000 } in
  over_pipe ~limits ~client_limits:{ limits with message = 5_000 } handlers @@ fun t ->
  let call n = Client.call t.client echo (String.make n 'x') in
  Alcotest.(check (result string error)) "a request" (Error (Too_large 10_000)) (call 10_000);
  check_remote "an answer" Too_large (call 9_000);
  Alcotest.(check int) "neither" 4_000 (String.length (get (call 4_000)));
  end_well t

(* {1 Many} *)

let many () =
  let running = ref 0 and most = ref 0 and order = ref [] in
  let handlers clock =
    let answer n =
      incr running;
      most := Int.max !most !running;
      sleep clock (ms (1 + (n * 7919 mod 100)));
      decr running;
      order := n :: !order;
      n * 2
    in
    [ Service.Handler (Method.make "double" number number, answer) ]
  in
  over_pipe ~limits:{ Limits.default with calls = 40 } ~concurrency:33 handlers @@ fun t ->
  let m = Method.make "double" number number in
  let one fiber =
    for i = 0 to 9 do
      let n = (fiber * 10) + i in
      Alcotest.(check int) "its own answer" (2 * n) (get (Client.call t.client m n))
    done
  in
  Fiber.List.iter one (List.init 100 Fun.id);
  let order = List.rev !order in
  Alcotest.(check int) "all" 1_000 (List.length (List.sort_uniq compare order));
  Alcotest.(check bool) "out of order" true (order <> List.sort compare order);
  Alcotest.(check int) "as many at once as may" 33 !most;
  end_well t

(* Both sides, with the fibers and promises of the scheduler. *)
let cost () =
  let count () =
    let minor, promoted, major = Gc.counters () in
    minor +. major -. promoted
  in
  over_pipe handlers @@ fun t ->
  let calls () =
    Fiber.List.iter
      (fun _ ->
        for _ = 1 to 100 do
          ignore (get (Client.call t.client echo "x"))
        done)
      (List.init 50 Fun.id)
  in
  calls ();
  let before = count () in
  calls ();
  let each = (count () -. before) /. 5_000. in
  if each > 760. then Alcotest.failf "%.0f words a call" each;
  end_well t

(* The server's limit on calls is kept by the client, its limit on handlers by itself. *)
let turns () =
  let limits = { Limits.default with calls = 2 } in
  over_pipe ~limits handlers @@ fun t ->
  let call () = ignore (get (Client.call t.client wait (s 1))) in
  Fiber.all [ call; call; call; call; call ];
  Alcotest.(check int) "two at a time" (s 3) (now t.clock);
  end_well t

(* {1 Time} *)

let deadline () =
  over_pipe handlers @@ fun t ->
  let late = Client.call t.client ~timeout_ns:(ms 500) wait (s 10) in
  Alcotest.(check (result int error)) "too late" (Error Timed_out) late;
  Alcotest.(check int) "at its time" (ms 500) (now t.clock);
  Alcotest.(check int)
    "in time" (ms 400)
    (get (Client.call t.client ~timeout_ns:(ms 500) wait (ms 400)));
  Alcotest.(check (result int error))
    "no time" (Error Timed_out)
    (Client.call t.client ~timeout_ns:0 wait 1);
  end_well t;
  Alcotest.(check int) "no handler ran on" (ms 900) (now t.clock)

(* A call that waits for its turn has no more time than others. *)
let deadline_in_line () =
  over_pipe ~limits:{ Limits.default with calls = 1 } handlers @@ fun t ->
  Fiber.both
    (fun () -> ignore (get (Client.call t.client wait (s 2))))
    (fun () ->
      Fiber.yield ();
      match Client.call t.client ~timeout_ns:(s 1) echo "x" with
      | Error Timed_out -> Alcotest.(check int) "at its time" (s 1) (now t.clock)
      | _ -> Alcotest.fail "answered");
  Alcotest.(check string) "the turn is not lost" "y" (get (Client.call t.client echo "y"));
  end_well t

let servers_limit () =
  over_pipe ~timeout_ns:(s 1) handlers @@ fun t ->
  check_remote "the server's" Timed_out (Client.call t.client wait (s 10));
  Alcotest.(check int) "at its time" (s 1) (now t.clock);
  end_well t

let cancellation () =
  let ended = ref [] in
  let handlers clock =
    let answer n =
      match sleep clock (s 10) with
      | () -> n
      | exception e ->
          ended := n :: !ended;
          raise e
    in
    [ Service.Handler (wait, answer); Service.Handler (echo, Fun.id) ]
  in
  over_pipe ~limits:{ Limits.default with calls = 2 } handlers @@ fun t ->
  let got =
    Fiber.any
      [
        (fun () -> `Answer (Client.call t.client wait 1));
        (fun () -> `Answer (Client.call t.client wait 2));
        (fun () ->
          sleep t.clock (s 1);
          `Else);
      ]
  in
  Alcotest.(check bool) "given up" true (got = `Else);
  (* Their turns come back with the server's answers. *)
  Alcotest.(check string) "the next" "x" (get (Client.call t.client echo "x"));
  Alcotest.(check (list int)) "both handlers were cancelled" [ 1; 2 ] (List.sort compare !ended);
  Alcotest.(check int) "at once" (s 1) (now t.clock);
  end_well t

(* A handler that is deaf to cancellation holds its place until it is done. *)
let deaf () =
  let handlers clock =
    [
      Service.Handler
        ( wait,
          fun n ->
            Eio.Cancel.protect (fun () -> sleep clock n);
            n );
      Service.Handler (echo, Fun.id);
    ]
  in
  over_pipe ~limits:{ Limits.default with calls = 1 } handlers @@ fun t ->
  Alcotest.(check (result int error))
    "given up" (Error Timed_out)
    (Client.call t.client ~timeout_ns:(s 1) wait (s 5));
  Alcotest.(check string) "the next" "x" (get (Client.call t.client echo "x"));
  Alcotest.(check int) "then only" (s 5) (now t.clock);
  end_well t

(* {1 Other services over the same channel} *)

module Directory = struct
  let find (q : Sample_pb.Query.t) =
    if q.prefix = "" then Failure.fail (Application 1) "whom?";
    Sample_pb.Address_book.make ~people:[ Sample_pb.Person.make ~name:(q.prefix ^ "da") () ] ()

  let watch (q : Sample_pb.Query.t) send =
    String.iter (fun c -> send (Sample_pb.Person.make ~name:(String.make 1 c) ())) q.prefix
end

let protobuf () =
  over_pipe (fun _ -> Protobuf.handlers (Sample_pb.Directory.handlers (module Directory)))
  @@ fun t ->
  let find prefix =
    Client.call t.client (Protobuf.unary Sample_pb.Directory.find) (Sample_pb.Query.make ~prefix ())
  in
  (match find "A" with
  | Ok { people = [ { name = "Ada"; _ } ]; _ } -> ()
  | _ -> Alcotest.fail "find");
  check_remote "its failure" (Application 1) (find "");
  end_well t

module K = Thrift_corpus.Kinds_thrift

module Calculator = struct
  let name () = "weir"
  let add ~left ~right = left + right
  let divide ~by = 100 / by
  let reset () = ()
  let hint ~text:_ = ()
  let shape ~tree:_ = K.Shape.Named "tree"
end

(* A whole Thrift service as one method: its calls then run at once. *)
let thrift () =
  let m = Method.make "calculator" Codec.string Codec.string in
  let handlers clock =
    let answer request =
      sleep clock (s 1);
      Option.get (Weir_thrift.Rpc.serve Compact (K.Calculator.dispatch (module Calculator)) request)
    in
    [ Service.Handler (m, answer) ]
  in
  over_pipe handlers @@ fun t ->
  let client =
    Weir_thrift.Rpc.client Compact (fun request -> get (Client.call t.client m request))
  in
  Fiber.List.iter
    (fun i -> Alcotest.(check int) "add" (i + 1) (K.Calculator.Client.add client ~left:i ~right:1))
    (List.init 20 Fun.id);
  Alcotest.(check int) "all at once" (s 1) (now t.clock);
  end_well t

let samples () =
  over_pipe (fun _ ->
      Samples.chatting :: Protobuf.handlers (Sample_pb.Directory.handlers (module Directory)))
  @@ fun t ->
  Alcotest.(check (list (option string)))
    "shouted" [ Some "A"; Some "B" ]
    (get (Samples.shout t.client [ "a"; "b" ]));
  get (Samples.watch t.client (Sample_pb.Query.make ~prefix:"AB" ()));
  end_well t

let tests =
  [
    ( "calls",
      [
        Suite.case "one" plain;
        Suite.case "failures" failures;
        Suite.case "answers that cannot be" bad_answers;
        Suite.case "too large" too_large;
        Suite.case "1,000 from 100 fibers, out of order" many;
        Suite.case "what a call allocates" cost;
        Suite.case "turns" turns;
        Suite.case "a deadline" deadline;
        Suite.case "a deadline while waiting" deadline_in_line;
        Suite.case "the server's limit" servers_limit;
        Suite.case "cancellation" cancellation;
        Suite.case "a deaf handler" deaf;
        Suite.case "a protobuf service" protobuf;
        Suite.case "a Thrift service" thrift;
        Suite.case "the documents' streams" samples;
      ] );
  ]
