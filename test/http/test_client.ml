(* The client against scripted servers, then against ours. *)

open Weir_http
open Weir_test
module Flow = Weir_flow.Flow

let url = Result.get_ok (Url.parse "http://h:81/p?q")
let string = Alcotest.(check string)
let int = Alcotest.(check int)
let bool = Alcotest.(check bool)

(* What a client makes of a response: status and body, or the error. *)
let outcome ?limits ?(meth = `GET) ?at_end chunks =
  let flow = new Script.flow ?at_end chunks in
  let client = Client.create ?limits flow in
  let text =
    match Client.request client meth url with
    | Error e -> "error " ^ string_of_int e.status
    | Ok r -> (
        match Client.read_all r with
        | Ok body -> Printf.sprintf "%d %s" r.head.status body
        | Error e -> Printf.sprintf "%d, then error %d" r.head.status e.status
        | exception Script.Stalled -> Printf.sprintf "%d, then waits" r.head.status)
    | exception Script.Stalled -> "waits"
  in
  text ^ if Client.reusable client then " keep" else " close"

let ok = "HTTP/1.1 200 OK\r\n"

let cases =
  [
    ("length", ok ^ "Content-Length: 5\r\n\r\nhello", "200 hello keep");
    ("no body", ok ^ "Content-Length: 0\r\n\r\n", "200  keep");
    ("chunks", ok ^ "Transfer-Encoding: chunked\r\n\r\n3;x\r\nhel\r\n2\r\nlo\r\n0\r\nT: u\r\n\r\n", "200 hello keep");
    ("until the close", ok ^ "\r\nhello", "200 hello close");
    ("closing", ok ^ "Connection: close\r\nContent-Length: 5\r\n\r\nhello", "200 hello close");
    ("1.0", "HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nhello", "200 hello close");
    ("1.0 kept", "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 5\r\n\r\nhello", "200 hello keep");
    ("no phrase", "HTTP/1.1 404 \r\nContent-Length: 0\r\n\r\n", "404  keep");
    ("no phrase, no blank", "HTTP/1.1 404\r\nContent-Length: 0\r\n\r\n", "404  keep");
    ("an odd status", "HTTP/1.1 299 Whatever\r\nContent-Length: 0\r\n\r\n", "299  keep");
    ("204", "HTTP/1.1 204 No Content\r\n\r\n", "204  keep");
    ("304 with a length", "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n", "304  keep");
    ("interim ones", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" ^ ok ^ "Content-Length: 2\r\n\r\nhi", "200 hi keep");
    ("101", "HTTP/1.1 101 Switching Protocols\r\n\r\n", "error 502 close");
    ("interim without end", String.concat "" (List.init 40 (fun _ -> "HTTP/1.1 100 Continue\r\n\r\n")), "error 502 close");
    ("nothing", "", "error 502 close");
    ("half a head", "HTTP/1.1 200 OK\r\nContent-", "error 502 close");
    ("half a body", ok ^ "Content-Length: 5\r\n\r\nhel", "200, then error 502 close");
    ("half a chunk", ok ^ "Transfer-Encoding: chunked\r\n\r\n5\r\nhel", "200, then error 502 close");
    ("no last chunk", ok ^ "Transfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n", "200, then error 502 close");
    ("bad chunk", ok ^ "Transfer-Encoding: chunked\r\n\r\nx\r\n", "200, then error 502 close");
    ("two lengths", ok ^ "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello", "error 502 close");
    ("length and chunks", ok ^ "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "error 502 close");
    ("chunks in 1.0", "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "error 502 close");
    ("bad length", ok ^ "Content-Length: -5\r\n\r\nhello", "error 502 close");
    ("another coding", ok ^ "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", "error 502 close");
    ("folded line", ok ^ "X: a\r\n b\r\n\r\n", "error 502 close");
    ("bare LF", "HTTP/1.1 200 OK\nContent-Length: 0\n\n", "error 502 close");
    ("HTTP/2", "HTTP/2.0 200 OK\r\n\r\n", "error 502 close");
    ("another protocol", "SSH-2.0-x\r\n", "error 502 close");
    ("status of two digits", "HTTP/1.1 99 X\r\n\r\n", "error 502 close");
    ("status below 100", "HTTP/1.1 099 X\r\n\r\n", "error 502 close");
    ("status of four digits", "HTTP/1.1 2000 X\r\n\r\n", "error 502 close");
    ("control in the phrase", "HTTP/1.1 200 a\000b\r\n\r\n", "error 502 close");
    ("endless phrase", "HTTP/1.1 200 " ^ String.make 9_000 'x', "error 502 close");
    ("endless head", ok ^ "X: " ^ String.make 40_000 'x', "error 502 close");
    ("too many fields", ok ^ String.concat "" (List.init 101 (fun _ -> "X: y\r\n")) ^ "\r\n", "error 502 close");
  ]
  [@@ocamlformat "disable"]

let case (name, raw, expected) =
  Suite.case name (fun () ->
      let check how chunks = string how expected (outcome ~at_end:`End chunks) in
      check "whole" [ raw ];
      check "byte by byte" (Script.bytewise raw);
      if String.length raw < 400 then
        for i = 1 to String.length raw - 1 do
          check (Printf.sprintf "cut at %d" i) (Script.halves raw i)
        done)

let heads () =
  string "HEAD has no body" "200  keep" (outcome ~meth:`HEAD [ ok ^ "Content-Length: 5\r\n\r\n" ]);
  string "nor chunks" "200  keep"
    (outcome ~meth:`HEAD [ ok ^ "Transfer-Encoding: chunked\r\n\r\n" ]);
  string "nor does it wait" "200  keep" (outcome ~meth:`HEAD [ ok ^ "\r\n" ])

let limits () =
  let limits = { Limits.default with body_bytes = 4 } in
  string "length" "error 502 close" (outcome ~limits [ ok ^ "Content-Length: 5\r\n\r\nhello" ]);
  string "chunks" "200, then error 502 close"
    (outcome ~limits [ ok ^ "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n" ]);
  string "until the close" "200, then error 502 close"
    (outcome ~limits ~at_end:`End [ ok ^ "\r\nhello" ]);
  let flow = new Script.flow [ ok ^ "Content-Length: 5\r\n\r\nhello" ] in
  match Client.get (Client.create flow) url with
  | Ok r -> bool "read_all's own" true (Result.is_error (Client.read_all ~limit:4 r))
  | Error e -> Alcotest.fail (Error.to_string e)

(* {1 Requests} *)

let sent ?headers ?body ?close meth =
  let flow = new Script.flow [ ok ^ "Content-Length: 0\r\n\r\n" ] in
  match Client.request ?headers ?body ?close (Client.create flow) meth url with
  | Ok _ -> flow#output
  | Error e -> "error: " ^ e.reason

let stream ?length pieces : Response.body =
  let pieces = ref pieces in
  let read b ~off ~len:_ =
    match !pieces with
    | [] -> 0
    | s :: rest ->
        pieces := rest;
        Bytes.blit_string s 0 b off (String.length s);
        String.length s
  in
  Stream { length; read; close = ignore }

let requests () =
  let line meth = meth ^ " /p?q HTTP/1.1\r\nHost: h:81\r\n" in
  string "GET" (line "GET" ^ "\r\n") (sent `GET);
  string "fields" (line "GET" ^ "A: b\r\nA: c\r\n\r\n") (sent ~headers:[ ("A", "b"); ("A", "c") ] `GET);
  string "Host of the caller's" "GET /p?q HTTP/1.1\r\nhost: x\r\n\r\n" (sent ~headers:[ ("host", "x") ] `GET);
  string "closing" (line "GET" ^ "Connection: close\r\n\r\n") (sent ~close:true `GET);
  string "POST of nothing" (line "POST" ^ "Content-Length: 0\r\n\r\n") (sent `POST);
  string "POST" (line "POST" ^ "Content-Length: 5\r\n\r\nhello") (sent ~body:(String "hello") `POST);
  string "our framing" (line "POST" ^ "Content-Length: 5\r\n\r\nhello")
    (sent ~headers:[ ("content-length", "9"); ("Transfer-Encoding", "x") ] ~body:(String "hello") `POST);
  string "stream" (line "PUT" ^ "Content-Length: 5\r\n\r\nhello") (sent ~body:(stream ~length:5 [ "hel"; "lo" ]) `PUT);
  string "chunks" (line "PUT" ^ "Transfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n") (sent ~body:(stream [ "hel"; "lo" ]) `PUT);
  let refused what text = bool what true (String.starts_with ~prefix:"error: " text) in
  refused "injection" (sent ~headers:[ ("A", "b\r\nC: d") ] `GET);
  refused "a bad name" (sent ~headers:[ ("A b", "c") ] `GET);
  refused "a bad method" (sent (`Other "A B"))
  [@@ocamlformat "disable"]

let keep_alive () =
  let reply s = ok ^ Printf.sprintf "Content-Length: %d\r\n\r\n%s" (String.length s) s in
  let flow = new Script.flow [ reply "one"; reply "two" ^ reply (String.make 70_000 'x') ^ reply "four" ] in
  let client = Client.create flow in
  let get () = match Client.get client url with Ok r -> r | Error e -> Alcotest.fail (Error.to_string e) in
  let first = get () in
  (* Left unread: the client reads it away. *)
  let second = get () in
  bool "the old body is gone" true
    (match Flow.read_into first.body (Bytes.create 1) ~off:0 ~len:1 with _ -> false | exception Invalid_argument _ -> true);
  Alcotest.(check (result string reject)) "second" (Ok "two") (Client.read_all second);
  ignore (get ());
  match Client.get client url with
  | Ok _ -> Alcotest.fail "a long body was read away"
  | Error _ -> bool "a long one ends the connection" false (Client.reusable client)
  [@@ocamlformat "disable"]

(* A server that answers before it has read all, and stops reading. *)
let early_answer () =
  let flow =
    object
      inherit Flow.flow
      val script = new Script.flow ~at_end:`End [ "HTTP/1.1 413 Content Too Large\r\nContent-Length: 3\r\n\r\nno\n" ]
      method read_into = script#read_into
      method write _ ~off:_ ~len:_ = raise Exit
    end
  in
  let client = Client.create flow in
  let closed = ref 0 in
  let body : Response.body = Stream { length = None; read = (fun _ ~off:_ ~len -> len); close = (fun () -> incr closed) } in
  (match Client.request ~body client `POST url with
  | Ok r -> int "its answer" 413 r.head.status
  | Error e -> Alcotest.fail (Error.to_string e));
  bool "not again" false (Client.reusable client);
  int "the stream was closed" 1 !closed;
  let deaf = object inherit Flow.flow method read_into _ ~off:_ ~len:_ = 0 method write _ ~off:_ ~len:_ = raise Exit end in
  bool "without an answer, what the flow raised" true
    (match Client.get (Client.create deaf) url with _ -> false | exception Exit -> true);
  let failing : Response.body = Stream { length = None; read = (fun _ ~off:_ ~len:_ -> failwith "mine"); close = ignore } in
  bool "the stream's own exception" true
    (match Client.request ~body:failing (Client.create (new Script.flow [])) `POST url with _ -> false | exception Failure _ -> true);
  bool "a stream that is too short" true
    (match Client.request ~body:(stream ~length:9 [ "abc" ]) (Client.create (new Script.flow [])) `POST url with _ -> false | exception Failure _ -> true)
  [@@ocamlformat "disable"]

(* {1 Against our server} *)

(* The client runs first and is answered when it reads: what it wrote is served
   whole, and the reply becomes what it reads. *)
let looped handler =
  let server = Server.create ~limits:{ Limits.default with body_bytes = max_int } () in
  object
    inherit Flow.flow
    val request = Buffer.create 1_000
    val mutable reply = ""
    val mutable at = 0
    method write b ~off ~len = Buffer.add_subbytes request b off len

    method read_into b ~off ~len =
      if at = String.length reply then (
        let outcome = Script.serve ~at_end:`End server handler [ Buffer.contents request ] in
        Buffer.clear request;
        reply <- outcome.output;
        at <- 0);
      let n = min len (String.length reply - at) in
      Bytes.blit_string reply at b off n;
      at <- at + n;
      n
  end

let against_ours () =
  let echo (r : Request.t) = Response.make (Response.of_reader r.body) in
  let client = Client.create (looped echo) in
  let text = String.init 300_000 (fun i -> Char.chr (i * 31 land 255)) in
  let pieces n = List.init n (fun i -> String.make (1 + (i * 37 mod 900)) (Char.chr (97 + (i mod 26)))) in
  let check what body expected =
    match Client.request ~body client `POST url with
    | Error e -> Alcotest.fail (Error.to_string e)
    | Ok r -> (
        match Client.read_all r with
        | Ok got -> string what Digest.(to_hex (string expected)) Digest.(to_hex (string got))
        | Error e -> Alcotest.fail (Error.to_string e))
  in
  check "a string" (String "hello") "hello";
  check "a long string" (String text) text;
  check "nothing" Empty "";
  check "chunks" (stream (pieces 200)) (String.concat "" (pieces 200));
  bool "all on one connection" true (Client.reusable client)
  [@@ocamlformat "disable"]

let groups =
  [
    ("client: responses", List.map case cases);
    ( "client",
      [
        Suite.case "HEAD" heads;
        Suite.case "limits" limits;
        Suite.case "requests" requests;
        Suite.case "keep-alive" keep_alive;
        Suite.case "an early answer" early_answer;
        Suite.case "against our server" against_ours;
      ] );
  ]
