(* Calls and handlers that are cancelled, at any moment. *)

open Eio.Std
open Weir_rpc
open Weir_rpc_eio
open World
open Methods
module Suite = Weir_test.Suite
module Flow = Weir_flow.Flow
module Pipe = Weir_flow.Pipe
module Codec = Weir_message.Codec

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
  let before = Weir_test.Words.live () in
  round 1;
  round 2;
  let grown = Weir_test.Words.live () - before in
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

let tests =
  [
    ( "cancelling",
      [
        Suite.case "while a failure is reported" cancel_while_reporting;
        Suite.case "what report raises" raising_report;
        Suite.case "with the answer" races;
        Suite.case "over and over" calls_and_cancels;
        Suite.case "inside the flow" flows_own;
        Suite.case "a close that waits" slow_close;
      ] );
    ("thrift", [ Suite.case "a cancelled handler" thrift_cancelled ]);
  ]
