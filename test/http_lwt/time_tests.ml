(* Time limits and cancellation. *)

open Lwt.Syntax
open Weir_http_lwt
open Client
module Suite = Weir_test.Suite
module Time = Weir_base.Time

let idle_limit () =
  with_client
    (fun _ -> text "ok")
    (fun c ->
      let* () = c.say get_request in
      ends_between c 60.0 60.6)

let silent_limit () = with_client (fun _ -> text "ok") (fun c -> ends_between c 10.0 10.6)

let head_limit () =
  with_client
    (fun _ -> text "ok")
    (fun c ->
      let* () = c.say "GET / HTTP/1.1\r\n" in
      let rec drip n =
        if n = 0 then Lwt.return_unit
        else
          let* () = sleep c (Time.s 1) in
          let* () = c.say "X: y\r\n" in
          drip (n - 1)
      in
      let dripping = drip 30 in
      let* answer = c.hear () in
      c.finish ();
      has "status" answer "HTTP/1.1 408 ";
      let* () = ends_between c 10.0 13.0 in
      Lwt.cancel dripping;
      Lwt.return_unit)

let body_limit () =
  with_client
    (fun r -> Lwt.bind (Handler.read_all r) text)
    (fun c ->
      let* () = c.say "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc" in
      let* answer = c.hear () in
      has "status" answer "HTTP/1.1 408 ";
      ends_between c 30.0 33.0)

(* A client that reads nothing. *)
let write_limit () =
  let closed = ref 0 in
  with_client ~capacity:10_000
    (fun _ -> Lwt.return (respond (counted_stream 1_000_000 closed)))
    (fun c ->
      let* () = c.say get_request in
      let* in_order =
        Lwt.catch
          (fun () -> Lwt.map (fun () -> true) c.served)
          (function Time_limits.Timed_out -> Lwt.return_false | e -> Lwt.fail e)
      in
      Alcotest.(check bool) "no end in order" false in_order;
      if seconds c < 30.0 || seconds c > 31.0 then Alcotest.failf "after %.2f s" (seconds c);
      Alcotest.(check int) "its stream is closed" 1 !closed;
      Lwt.return_unit)

(* A handler may take as long as it likes. *)
let slow_handler () =
  let answer = ref "" in
  with_client
    (fun _ ->
      let* () = Lwt.pause () in
      text "late")
    (fun c ->
      let* () = c.say get_request in
      c.finish ();
      let* a = c.hear () in
      answer := a;
      Lwt.return_unit);
  has "answer" !answer "late"

let cancelled () =
  let closed = ref 0 in
  with_client ~capacity:10_000
    (fun _ -> Lwt.return (respond (counted_stream 1_000_000 closed)))
    (fun c ->
      let* () = c.say get_request in
      let* () = sleep c (Time.s 1) in
      Lwt.cancel c.served;
      let* r =
        Lwt.catch
          (fun () -> Lwt.map (fun () -> "ended") c.served)
          (fun e -> Lwt.return (Printexc.to_string e))
      in
      Alcotest.(check string) "rejected" (Printexc.to_string Lwt.Canceled) r;
      Alcotest.(check int) "its stream is closed" 1 !closed;
      Lwt.return_unit)

let cases =
  [
    Suite.case "idle" idle_limit;
    Suite.case "nothing has ever come" silent_limit;
    Suite.case "a head that drips" head_limit;
    Suite.case "a body that does not come" body_limit;
    Suite.case "a client that does not read" write_limit;
    Suite.case "a handler that waits" slow_handler;
    Suite.case "cancelled" cancelled;
  ]
