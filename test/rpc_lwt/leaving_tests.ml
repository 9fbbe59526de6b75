(* Clients that go away, killed or with goodbye, and handlers that do not hear of it. *)

open Lwt.Syntax
open Weir_rpc
open Weir_rpc_lwt
open World
open Methods
module Suite = Weir_test.Suite
module Flow = Weir_flow.Flow

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

(* One handler ends its own connection: it is cancelled, and the next does not begin. *)
let cut_by_a_handler () =
  let served = ref Lwt.return_unit and began = ref 0 and cancelled = ref 0 in
  let answer _ =
    incr began;
    Lwt.cancel !served;
    let p, _ = Lwt.task () in
    Lwt.on_cancel p (fun () -> incr cancelled);
    p
  in
  virtually @@ fun clock ->
  let server = Server.create ~clock:(calls_clock clock) [ Handler (wait, answer) ] in
  let near, far = Flow_lwt.duplex () in
  served := Lwt.map ignore (Server.serve server far);
  let frames = List.map Raw.frame [ Raw.hello; Raw.call 1 "wait" "1"; Raw.call 2 "wait" "1" ] in
  let* () = write near (String.concat "" frames) in
  let* () = Lwt.pause () in
  Alcotest.(check (pair int int)) "one, cancelled" (1, 1) (!began, !cancelled);
  Alcotest.(check int) "none left" 0 (Server.connections server);
  Lwt.return_unit

let tests =
  [
    ( "clients that go away",
      [
        Suite.case "a deaf handler does not hold it up" deaf;
        Suite.case "a deaf handler's streams" deaf_then_streams;
        Suite.case "a deaf handler's streams, in time" deaf_timed_out;
        Suite.case "half closed, with goodbye" half_closed;
        Suite.case "cut by a handler" cut_by_a_handler;
        Suite.case "half closed, in streams" half_closed_in_streams;
      ] );
  ]
