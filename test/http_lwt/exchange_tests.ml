(* Requests and responses, with handlers that give promises. *)

open Lwt.Syntax
open Weir_http_lwt
open Client
module Suite = Weir_test.Suite
module Time = Weir_base.Time

let simple () =
  let answer = exchange (fun r -> text r.head.target) get_request in
  has "status" answer "HTTP/1.1 200 OK\r\n";
  has "body" answer "\r\n\r\n/x"

let pipelined () =
  let handler _ =
    let* () = Lwt.pause () in
    text "ok"
  in
  let answers = exchange handler (String.concat "" (List.init 50 (fun _ -> get_request))) in
  Alcotest.(check int) "all, in one connection" 50 (count_answers answers)

let upload () =
  let handler r =
    let* body = Handler.read_all r in
    text (Digest.to_hex (Digest.string body))
  in
  let body = String.init 300_000 (fun i -> Char.chr (i * 7 land 255)) in
  (* A small pipe, so that the body comes in pieces. *)
  let answer =
    with_client ~capacity:5_000 handler (fun c ->
        let* answer, () =
          Lwt.both (c.hear ())
            (let* () = c.say (post body) in
             c.finish ();
             Lwt.return_unit)
        in
        Lwt.return answer)
  in
  has "digest" answer (Digest.to_hex (Digest.string body))

let chunked_upload () =
  let request =
    "POST / HTTP/1.1\r\n\
     Host: a\r\n\
     Transfer-Encoding: chunked\r\n\
     \r\n\
     3\r\n\
     abc\r\n\
     4\r\n\
     defg\r\n\
     0\r\n\
     \r\n"
  in
  let handler r = Lwt.bind (Handler.read_all r) text in
  has "body" (exchange handler request) "abcdefg"

let too_long () =
  let handler r = Lwt.bind (Handler.read_all ~limit:10 r) text in
  has "status" (exchange handler (post "12345678901")) "HTTP/1.1 413 ";
  has "as long as allowed" (exchange handler (post "1234567890")) "\r\n\r\n1234567890"

let streams () =
  let closed = ref 0 in
  let sized =
    exchange (fun _ -> Lwt.return (respond (counted_stream ~length:5_000 5_000 closed))) get_request
  in
  has "sized" (String.lowercase_ascii sized) "content-length: 5000";
  let unsized =
    exchange (fun _ -> Lwt.return (respond (counted_stream 5_000 closed))) get_request
  in
  has "chunked" (String.lowercase_ascii unsized) "transfer-encoding: chunked";
  has "the end" unsized "\r\n0\r\n\r\n";
  let head =
    exchange
      (fun _ -> Lwt.return (respond (counted_stream ~length:5_000 5_000 closed)))
      "HEAD / HTTP/1.1\r\nHost: a\r\n\r\n"
  in
  Alcotest.(check bool) "no body" true (String.ends_with ~suffix:"\r\n\r\n" head);
  Alcotest.(check int) "closed, each once" 3 !closed

let short_stream () =
  let closed = ref 0 in
  let answer =
    exchange
      (fun _ -> Lwt.return (respond (counted_stream ~length:5_000 100 closed)))
      (get_request ^ get_request)
  in
  Alcotest.(check int) "no second answer" 1 (count_answers answer);
  Alcotest.(check int) "closed" 1 !closed

let failures () =
  let told = ref [] in
  let report _ e = told := Printexc.to_string e :: !told in
  let now = exchange ~report (fun _ -> failwith "at once") (get_request ^ get_request) in
  Alcotest.(check int) "the connection goes on" 2 (count_answers now);
  has "status" now "HTTP/1.1 500 ";
  let later =
    exchange ~report (fun _ -> Lwt.bind (Lwt.pause ()) (fun () -> failwith "later")) get_request
  in
  has "status" later "HTTP/1.1 500 ";
  Alcotest.(check int) "told" 3 (List.length !told);
  let bad =
    exchange
      (fun r -> Lwt.bind (Handler.read_all r) text)
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"
  in
  has "a malformed body" bad "HTTP/1.1 400 "

type entry = Weir_http.Access_log.entry

(* A body that cannot be made to its end, and a client that leaves within one,
   are no complete responses. *)
let cut () =
  let entries = ref [] and closed = ref 0 in
  let log (e : entry) = entries := (e.status, e.body_bytes, e.cut) :: !entries in
  let told what expected =
    Alcotest.(check (list (triple int int bool))) what expected (List.rev !entries);
    entries := []
  in
  let reply body _ = Lwt.return (respond body) in
  ignore (exchange ~log (reply (counted_stream ~length:5_000 3_000 closed)) get_request);
  told "shorter than was said" [ (200, 3_000, true) ];
  ignore (exchange ~log (reply (counted_stream ~length:5_000 5_000 closed)) get_request);
  told "whole" [ (200, 5_000, false) ];
  ignore (exchange ~log (reply (String (String.make 50_000 'x'))) get_request);
  told "a whole string" [ (200, 50_000, false) ];
  with_client ~log ~capacity:10_000
    (reply (counted_stream 1_000_000 closed))
    (fun c ->
      let* () = c.say get_request in
      let* () = sleep c (Time.ms 1) in
      Lwt.cancel c.served;
      Lwt.catch (fun () -> c.served) (fun _ -> Lwt.return_unit));
  match !entries with
  | [ (200, n, true) ] when n < 1_000_000 -> ()
  | _ -> told "cancelled within it" []

let failing_log () =
  let told = ref 0 in
  let log _ = raise (Sys_error "Broken pipe") and report _ _ = incr told in
  let answers = exchange ~log ~report (fun _ -> text "ok") (get_request ^ get_request) in
  Alcotest.(check (pair int int)) "answered, and told of" (2, 2) (count_answers answers, !told)

let malformed () = has "status" (exchange (fun _ -> text "") "GET /\r\n\r\n") "HTTP/1.1 400 "

let cases =
  [
    Suite.case "a request" simple;
    Suite.case "pipelined" pipelined;
    Suite.case "an upload in pieces" upload;
    Suite.case "a chunked upload" chunked_upload;
    Suite.case "a body that is too long" too_long;
    Suite.case "streams" streams;
    Suite.case "a stream that ends early" short_stream;
    Suite.case "handlers that fail" failures;
    Suite.case "log of what was cut" cut;
    Suite.case "a log that fails" failing_log;
    Suite.case "malformed" malformed;
  ]
