(* Clients that go away, killed or with goodbye, and handlers that do not hear of it. *)

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

(* A server with handlers that note their cancellation, and a client played by hand. *)
let by_hand handler f =
  virtually @@ fun clock ->
  Switch.run @@ fun sw ->
  let near, far = Pipe.duplex suspend in
  let cancelled = ref 0 in
  let answer n =
    (try handler clock n
     with e ->
       incr cancelled;
       raise e);
    n
  in
  let server = Server.create ~clock [ Handler (wait, answer); Exchange (mirror, mirrored) ] in
  let closed = ref false in
  let served = Fiber.fork_promise ~sw (fun () -> Server.serve server (closable far closed)) in
  f ~clock ~near ~server ~served ~closed ~cancelled

let frames l = String.concat "" (List.map Raw.frame l)

(* What the system of a killed process sends. *)
let killed () =
  by_hand sleep @@ fun ~clock ~near ~server:_ ~served ~closed ~cancelled ->
  Flow.write_string near
    (frames [ Raw.hello; Raw.call 1 "wait" "9000000000"; Raw.call 2 "wait" "9000000000" ]);
  sleep clock (s 1);
  near#shutdown_send;
  Alcotest.check ending "given up" Abandoned (Promise.await_exn served);
  Alcotest.(check bool) "closed" true !closed;
  Alcotest.(check int) "both cancelled" 2 !cancelled;
  Alcotest.(check int) "at once" (s 1) (now clock)

(* One that says goodbye waits for its answers, also with its direction ended. *)
let half_closed () =
  by_hand sleep @@ fun ~clock ~near ~server:_ ~served ~closed:_ ~cancelled ->
  Flow.write_string near (frames [ Raw.hello; Raw.call 1 "wait" "3000000000"; "\005"; "\005" ]);
  near#shutdown_send;
  Alcotest.check ending "in order" Ended (Promise.await_exn served);
  Alcotest.(check int) "with its answer" (s 3) (now clock);
  Alcotest.(check int) "none cancelled" 0 !cancelled;
  let all = Flow.read_all near ~max:1_000 in
  Alcotest.(check bool) "answered" true (String.ends_with all ~suffix:"\002\0013000000000")

(* Goodbye, and then killed: what the stream still needs cannot come. *)
let half_closed_in_stream () =
  by_hand sleep @@ fun ~clock ~near ~server:_ ~served ~closed ~cancelled:_ ->
  Flow.write_string near
    (frames [ Raw.hello_with_window; Raw.open_ 1 "mirror" 3 ""; Raw.item 1 "x"; "\005" ]);
  sleep clock (s 1);
  near#shutdown_send;
  Alcotest.check ending "given up" Abandoned (Promise.await_exn served);
  Alcotest.(check int) "at once" (s 1) (now clock);
  Alcotest.(check bool) "closed" true !closed

(* Deaf handlers: peers and [shutdown] do not wait for them; [serve] does. *)
let deaf_shutdown () =
  by_hand (fun clock n -> Eio.Cancel.protect (fun () -> sleep clock n))
  @@ fun ~clock ~near ~server ~served ~closed ~cancelled:_ ->
  Flow.write_string near (frames [ Raw.hello; Raw.call 1 "wait" "60000000000" ]);
  sleep clock (s 1);
  Server.shutdown ~grace_ns:(s 2) server;
  Alcotest.(check int) "in its time" (s 3) (now clock);
  Alcotest.(check bool) "closed" true !closed;
  Alcotest.(check int) "none open" 0 (Server.connections server);
  ignore (Flow.read_all near ~max:1_000);
  Alcotest.(check int) "the peer saw it" (s 3) (now clock);
  Alcotest.check ending "cut" Stopped (Promise.await_exn served);
  Alcotest.(check int) "when it had ended" (s 60) (now clock)

let deaf_killed () =
  by_hand (fun clock n -> Eio.Cancel.protect (fun () -> sleep clock n))
  @@ fun ~clock ~near ~server ~served ~closed ~cancelled:_ ->
  Flow.write_string near (frames [ Raw.hello; Raw.call 1 "wait" "60000000000" ]);
  sleep clock (s 1);
  near#shutdown_send;
  sleep clock 1;
  Alcotest.(check bool) "closed" true !closed;
  Alcotest.(check int) "none open" 0 (Server.connections server);
  Alcotest.check ending "given up" Abandoned (Promise.await_exn served)

(* Deaf when it was given up, it finds neither the end of its stream, which would
   be a lie, nor a wait without end. *)
let deaf_to_streams () =
  let sum = Method.Upload (Method.make "sum" number number) in
  let saw = ref "" in
  let rec add receive total =
    match receive () with None -> total | Some n -> add receive (total + n)
  in
  let total clock receive =
    Eio.Cancel.protect @@ fun () ->
    sleep clock (s 10);
    match add receive 0 with
    | total ->
        saw := "a total";
        total
    | exception e ->
        saw := Printexc.to_string e;
        raise e
  in
  let handlers clock = [ Service.Upload (sum, total clock); Handler (echo, Fun.id) ] in
  let endless send =
    ignore (send 1);
    Fiber.await_cancel ()
  in
  let cancelled = "Weir_rpc.Failure.Failed: cancelled" in
  over_pipe ~limits:{ Limits.default with calls = 1 } ~concurrency:1 handlers @@ fun t ->
  Alcotest.check outcome "given up" (Error Timed_out)
    (Client.upload t.client ~timeout_ns:(s 1) sum endless);
  Alcotest.(check string)
    "its turn came back" "next"
    (get (Client.call t.client ~timeout_ns:(s 60) echo "next"));
  Alcotest.(check int) "as the handler ended" (s 10) (now t.clock);
  Alcotest.(check string) "given up" cancelled !saw;
  saw := "";
  Fiber.first
    (fun () -> ignore (Client.upload t.client sum endless))
    (fun () ->
      sleep t.clock (s 1);
      Server.shutdown ~grace_ns:0 t.server);
  Alcotest.check ending "cut" Stopped (Promise.await_exn t.served);
  Alcotest.(check string) "also at the end" cancelled !saw

let tests =
  [
    ( "clients that go away",
      [
        Suite.case "killed" killed;
        Suite.case "half closed, with goodbye" half_closed;
        Suite.case "half closed, in a stream" half_closed_in_stream;
        Suite.case "shutdown with a deaf handler" deaf_shutdown;
        Suite.case "killed with a deaf handler" deaf_killed;
        Suite.case "a deaf handler's streams" deaf_to_streams;
      ] );
  ]
