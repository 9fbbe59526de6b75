(* Handlers in direct style, which wait where they stand. *)

open Lwt.Syntax
open Client
module Suite = Weir_test.Suite
module Time = Weir_base.Time

let direct_exchange ?report handler request = with_direct ?report handler (exchange_on request)

let direct () =
  let tree =
    Weir_http.Files.memory [ ("index.html", "<p>hello"); ("big", String.make 200_000 'b') ]
  in
  let handler = Weir_http.Files.handler tree in
  has "index" (direct_exchange handler "GET / HTTP/1.1\r\nHost: a\r\n\r\n") "<p>hello";
  let big =
    with_direct handler (fun c ->
        let* () = c.say "GET /big HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n" in
        let* answer = c.hear () in
        c.finish ();
        Lwt.return answer)
  in
  Alcotest.(check bool) "big" true (String.length big > 200_000);
  has "missing" (direct_exchange handler get_request) "HTTP/1.1 404 "

let pause () = Weir_threads.Threads.await (Lwt.pause ())

(* It waits, reads what comes in pieces, and makes its answer while it is sent. *)
let direct_waits () =
  let handler request =
    pause ();
    let body = Weir_http.Request.read_all request in
    let left = ref body in
    let read b ~off ~len =
      pause ();
      let n = Int.min (Int.min len 1_000) (String.length !left) in
      Bytes.blit_string !left 0 b off n;
      left := String.sub !left n (String.length !left - n);
      n
    in
    Weir_http.Response.make (Stream { length = None; read; close = ignore })
  in
  let body = String.init 20_000 (fun i -> Char.chr (97 + (i mod 26))) in
  let answer =
    with_direct ~capacity:1_500 handler (fun c ->
        let* answer, () =
          Lwt.both (c.hear ())
            (let* () = c.say (post body) in
             c.finish ();
             Lwt.return_unit)
        in
        Lwt.return answer)
  in
  has "the beginning" answer (String.sub body 0 1_000);
  has "the end" answer "\r\n0\r\n\r\n"

let direct_failures () =
  let told = ref 0 in
  let report _ _ = incr told in
  let handler _ =
    pause ();
    failwith "later"
  in
  let answers = direct_exchange ~report handler (get_request ^ get_request) in
  Alcotest.(check (pair int int)) "answered, and told of" (2, 2) (count_answers answers, !told)

let direct_limit () =
  with_direct
    (fun r -> Weir_http.Response.text (Weir_http.Request.read_all r))
    (fun c ->
      let* () = c.say "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc" in
      let* answer = c.hear () in
      has "status" answer "HTTP/1.1 408 ";
      ends_between c 30.0 33.0)

(* A cancelled connection ends its handler where it waits, which is no failure. *)
let direct_cancelled () =
  let ended = ref "" and told = ref 0 in
  with_direct
    ~report:(fun _ _ -> incr told)
    (fun _ ->
      match Weir_threads.Threads.await (fst (Lwt.task ())) with
      | () -> Weir_http.Response.text ""
      | exception e ->
          ended := Printexc.to_string e;
          raise e)
    (fun c ->
      let* () = c.say get_request in
      let* () = sleep c (Time.s 1) in
      Lwt.cancel c.served;
      let* r =
        Lwt.catch
          (fun () -> Lwt.map (fun () -> false) c.served)
          (fun e -> Lwt.return (e = Lwt.Canceled))
      in
      Alcotest.(check bool) "rejected" true r;
      Alcotest.(check string) "the handler" (Printexc.to_string Lwt.Canceled) !ended;
      Alcotest.(check int) "told" 0 !told;
      Lwt.return_unit)

let cases =
  [
    Suite.case "files" direct;
    Suite.case "a handler that waits" direct_waits;
    Suite.case "handlers that fail" direct_failures;
    Suite.case "a body that does not come" direct_limit;
    Suite.case "cancelled" direct_cancelled;
  ]
