open Lwt.Syntax
open Weir_http_lwt
module Suite = Weir_test.Suite
module Flow_lwt = Weir_flow_lwt.Flow_lwt
module Time = Weir_base.Time

let respond ?(status = `OK) ?(headers = []) body : Handler.response =
  { status; headers = Http.Header.of_list headers; body }

let text s = Lwt.return (respond (String s))

(* -- a client on pipes ----------------------------------------------------- *)

type client = {
  say : string -> unit Lwt.t;
  finish : unit -> unit;  (** the client sends no more *)
  hear : unit -> string Lwt.t;  (** all that the server said, once it has ended *)
  served : unit Lwt.t;
  clock : Weir_lwt.Clock.t;
}

let sleep c ns = Weir_lwt.Clock.sleep c.clock ns

let get p =
  let* r = p in
  match r with Ok x -> Lwt.return x | Error (`Flow _) -> Alcotest.fail "the pipe failed"

let hear_all reader =
  let out = Buffer.create 1_000 in
  let rec go () =
    let* data = get (Flow_lwt.read reader) in
    match data with
    | `Eof -> Lwt.return (Buffer.contents out)
    | `Data b ->
        Buffer.add_string out (Cstruct.to_string b);
        go ()
  in
  go ()

let with_session ?timeouts ?report ?(capacity = 65_536) serve f =
  let time = Weir_lwt.Virtual_clock.create () in
  let clock = Weir_lwt.Virtual_clock.clock time in
  Weir_lwt.Virtual_clock.run time (fun () ->
      let timer : Time_limits.timer = { now = clock.now; sleep = Weir_lwt.Clock.sleep clock } in
      let server = Server.create ?timeouts ~timer ?report () in
      let from_client, to_server, finish = Flow_lwt.pipe ~capacity () in
      let from_server, to_client, end_server = Flow_lwt.pipe ~capacity () in
      let flow : Flow_lwt.flow =
        object
          inherit Flow_lwt.flow
          method read_into b = from_client#read_into b
          method write b = to_client#write b
        end
      in
      let served =
        Lwt.finalize
          (fun () -> serve server (Transport.of_flow flow))
          (fun () ->
            end_server ();
            Lwt.return_unit)
      in
      f
        {
          say = (fun s -> get (Flow_lwt.write to_server (Cstruct.of_string s)));
          finish;
          hear = (fun () -> hear_all from_server);
          served;
          clock;
        })

let with_client ?timeouts ?report ?log ?capacity handler =
  with_session ?timeouts ?report ?capacity (fun server transport ->
      Server.serve_connection ?log server transport handler)

let with_direct ?timeouts ?report ?capacity handler =
  with_session ?timeouts ?report ?capacity (fun server transport ->
      Server.serve_direct server transport handler)

let contains = Weir_test.Text.contains

let has what s part = if not (contains s part) then Alcotest.failf "%s: no %S in %S" what part s

(* What the server answers to [request], after which the client ends. *)
let exchange_on request c =
  let* () = c.say request and* () = Lwt.return_unit in
  c.finish ();
  let* answer = c.hear () in
  let* () = c.served in
  Lwt.return answer

let exchange ?timeouts ?report ?log ?capacity handler request =
  with_client ?timeouts ?report ?log ?capacity handler (exchange_on request)

let get_request = "GET /x HTTP/1.1\r\nHost: a\r\n\r\n"

let post body =
  Printf.sprintf "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n%s" (String.length body)
    body

(* -- requests and responses ------------------------------------------------ *)

let simple () =
  let answer = exchange (fun r -> text r.head.target) get_request in
  has "status" answer "HTTP/1.1 200 OK\r\n";
  has "body" answer "\r\n\r\n/x"

let count_answers s =
  let mark = "HTTP/1.1 " in
  let rec from i n =
    match String.index_from_opt s i 'H' with
    | None -> n
    | Some j ->
        let here = j + 9 <= String.length s && String.sub s j 9 = mark in
        from (j + 1) (if here then n + 1 else n)
  in
  from 0 0

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

let counted_stream ?length n closed : Handler.body =
  let left = ref n in
  let read b ~off ~len =
    let* () = Lwt.pause () in
    let k = min len (min 1_000 !left) in
    Bytes.fill b off k 'z';
    left := !left - k;
    Lwt.return k
  in
  Stream { length; read; close = (fun () -> incr closed) }

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
let seconds c = float_of_int (c.clock.now ()) /. 1e9

let ends_between c low high =
  let* () = c.served in
  let s = seconds c in
  if s < low || s > high then Alcotest.failf "ended after %.2f s" s;
  Lwt.return_unit

(* -- handlers in direct style ---------------------------------------------- *)

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

(* -- time ------------------------------------------------------------------ *)

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

(* -- over Weir's TCP, on a bad link --------------------------------------- *)

let over_tcp () =
  let time = Weir_lwt.Virtual_clock.create () in
  let clock = Weir_lwt.Virtual_clock.clock time in
  let big = String.init 2_000_000 (fun i -> Char.chr (i * 11 land 255)) in
  let handler = Weir_http.Files.handler (Weir_http.Files.memory [ ("big", big) ]) in
  Weir_lwt.Virtual_clock.run time @@ fun () ->
  let a, b = Weir_link.Memory.pair () in
  let loss = { Weir_link.Impairment.none with loss = Steady 0.01; delay_ns = 1_000_000 } in
  let b = Weir_link.Impair.wrap ~seed:5 ~outbound:loss ~inbound:loss b in
  let host n link address =
    Weir_lwt.host ~clock ~random:(Random.State.make [| n |]) ~link ~address ()
  in
  let server_host = host 1 a "10.0.0.1/24" and client = host 2 b "10.0.0.2/24" in
  let server = Server.create () in
  let l = Result.get_ok (Weir_lwt.listen server_host ~port:80 ~backlog:8) in
  let _served =
    Weir_lwt.Network.serve l (fun c ->
        let f = Weir_lwt.Connection.flow c in
        let shutdown_send () = f#shutdown_send in
        Server.serve_direct server (Transport.of_flow ~shutdown_send f) handler)
  in
  let fetch () =
    let* c = Weir_lwt.get (Weir_lwt.connect client (Ipaddr.V4.of_string_exn "10.0.0.1") ~port:80) in
    let* () =
      Weir_lwt.get
        (Weir_lwt.write_string c "GET /big HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    in
    let* answer = hear_all (Weir_lwt.Connection.flow c) in
    let n = String.length answer - String.length big in
    Alcotest.(check bool) "the body" true (n > 0 && String.sub answer n (String.length big) = big);
    Weir_lwt.close c
  in
  Lwt.join (List.init 3 (fun _ -> fetch ()))

let () =
  Suite.run "http_lwt"
    [
      ( "exchange",
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
        ] );
      ( "direct",
        [
          Suite.case "files" direct;
          Suite.case "a handler that waits" direct_waits;
          Suite.case "handlers that fail" direct_failures;
          Suite.case "a body that does not come" direct_limit;
          Suite.case "cancelled" direct_cancelled;
        ] );
      ( "time",
        [
          Suite.case "idle" idle_limit;
          Suite.case "nothing has ever come" silent_limit;
          Suite.case "a head that drips" head_limit;
          Suite.case "a body that does not come" body_limit;
          Suite.case "a client that does not read" write_limit;
          Suite.case "a handler that waits" slow_handler;
          Suite.case "cancelled" cancelled;
        ] );
      ("tcp", [ Suite.case "three clients on a lossy link" over_tcp ]);
    ]
