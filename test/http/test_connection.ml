(* What a connection does beyond one request and its answer. *)

open Weir_http
open Weir_test
module Flow = Weir_flow.Flow

let get = Cases.get
let check_summary what expected outcome =
  Alcotest.(check string) what expected (Script.summary outcome)

let serve ?at_end ?(server = Server.create ()) ?(handler = Cases.handler) chunks =
  Script.serve ?at_end server handler chunks

let one outcome =
  match Script.replies outcome.Script.output with
  | [ reply ] -> reply
  | replies -> Alcotest.failf "%d replies instead of one" (List.length replies)

(* Long texts are compared by their digest, to keep failures readable. *)
let brief s =
  if String.length s < 100 then s
  else Printf.sprintf "%d bytes, %s" (String.length s) Digest.(to_hex (string s))

let same_texts what expected actual =
  Alcotest.(check (list string)) what (List.map brief expected) (List.map brief actual)

let bodies outcome = List.map (fun r -> r.Script.body) (Script.replies outcome.Script.output)

let post ?(fields = []) body =
  Cases.post (("Content-Length: " ^ string_of_int (String.length body)) :: fields) body

(* A stream of [n] bytes in pieces of at most [piece]; [closed] counts. *)
let stream ?length ?(piece = max_int) ?(closed = ref 0) n : Response.body =
  let left = ref n in
  let read b ~off ~len =
    let k = min (min len piece) !left in
    Bytes.fill b off k 's';
    left := !left - k;
    k
  in
  Stream { length; read; close = (fun () -> incr closed) }

let reply body : Handler.t = fun _ -> Response.make body

(* {1 Order and gathering} *)

let pipelining () =
  (* More than the buffer holds, so that it is moved within a request. *)
  let n = 500 in
  let request i = get ~line:(Printf.sprintf "GET /%d HTTP/1.1" i) [] in
  let raw = String.concat "" (List.init n request) in
  let whole = serve [ raw ] in
  same_texts "in order" (List.init n (Printf.sprintf "GET /%d 0:")) (bodies whole);
  Alcotest.(check bool) "gathered" true (whole.flow#writes <= n / 20);
  let ungathered = serve ~server:(Server.create ~gather:0 ()) [ raw ] in
  Alcotest.(check string) "the same without gathering" whole.output ungathered.output;
  Alcotest.(check int) "each sent alone" n ungathered.flow#writes

let pipelined_mixture () =
  let chunked = Cases.chunked "3\r\nabc\r\n0\r\n\r\n" in
  let outcome = serve [ get [] ^ post "hello" ^ chunked ^ post "" ^ get [] ] in
  same_texts
    "bodies"
    [ "GET / 0:"; "POST /p 5:hello"; "POST /p 3:abc"; "POST /p 0:"; "GET / 0:" ]
    (bodies outcome)

let one_write () =
  let outcome = serve ~handler:(reply (String (String.make 2_053 'x'))) [ get [] ] in
  Alcotest.(check int) "head and body leave together" 1 outcome.flow#writes;
  let streamed = serve ~handler:(reply (stream ~length:2_053 2_053)) [ get [] ] in
  Alcotest.(check int) "so does a streamed one" 1 streamed.flow#writes

let gather_is_bounded () =
  let raw = String.concat "" (List.init 40 (fun _ -> get [])) in
  let outcome = serve ~handler:(reply (String (String.make 10_000 'x'))) [ raw ] in
  Alcotest.(check int) "replies" 40 (List.length (bodies outcome));
  Alcotest.(check bool) "not all in one write" true (outcome.flow#writes >= 20)

(* {1 Response framing} *)

let long_string () =
  let text = String.init 300_000 (fun i -> Char.chr (97 + (i mod 26))) in
  let outcome = serve ~handler:(reply (String text)) [ get [] ^ get [] ] in
  same_texts "bodies" [ text; text ] (bodies outcome)

let streams () =
  let try_one ?length ?piece n =
    let closed = ref 0 in
    let outcome = serve ~handler:(reply (stream ?length ?piece ~closed n)) [ get [] ] in
    let reply = one outcome in
    Alcotest.(check int) "length" n (String.length reply.body);
    Alcotest.(check int) "closed once" 1 !closed;
    Alcotest.(check bool) "kept" true outcome.kept;
    Script.field reply "transfer-encoding"
  in
  List.iter
    (fun n ->
      Alcotest.(check (option string)) "length known" None (try_one ~length:n n);
      Alcotest.(check (option string)) "chunked" (Some "chunked") (try_one n);
      ignore (try_one ~piece:7 (min n 10_000)))
    [ 0; 1; 9; 15; 16; 17; 255; 256; 4_095; 4_096; 65_535; 65_536; 65_537; 1_000_000 ]

let stream_is_prompt () =
  (* Each piece is sent before the next is asked for. *)
  let flow = ref None and seen = ref [] in
  let handler _ =
    let left = ref 3 in
    let read b ~off ~len:_ =
      let sent = match !flow with Some f -> String.length f#output | None -> 0 in
      seen := sent :: !seen;
      if !left = 0 then 0
      else (
        decr left;
        Bytes.set b off 'x';
        1)
    in
    Response.make (Stream { length = None; read; close = ignore })
  in
  let f = new Script.flow ~at_end:`End [ get [] ] in
  flow := Some f;
  Server.serve_connection (Server.create ()) f handler;
  match List.rev !seen with
  | [ a; b; c; d ] -> Alcotest.(check bool) "sent in between" true (a < b && b < c && c < d)
  | _ -> Alcotest.fail "the stream was not read four times"

let http_1_0 () =
  let raw = "GET / HTTP/1.0\r\n\r\n" in
  let outcome = serve ~handler:(reply (stream 1_000)) [ raw ] in
  let r = one outcome in
  Alcotest.(check int) "body up to the close" 1_000 (String.length r.body);
  Alcotest.(check (option string)) "no chunks" None (Script.field r "transfer-encoding");
  Alcotest.(check (option string)) "close" (Some "close") (Script.field r "connection");
  Alcotest.(check bool) "closed" false outcome.kept;
  let kept = serve [ "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n" ] in
  Alcotest.(check (option string)) "said" (Some "keep-alive") (Script.field (one kept) "connection")

let head_requests () =
  let raw = get ~line:"HEAD / HTTP/1.1" [] in
  let try_one body =
    let outcome = serve ~handler:(reply body) [ raw ] in
    Alcotest.(check bool) "kept" true outcome.kept;
    match Script.replies ~heads:[ 0 ] outcome.output with
    | [ r ] -> r
    | _ -> Alcotest.fail "not one reply"
  in
  let length r = Script.field r "content-length" in
  Alcotest.(check (option string)) "string" (Some "3") (length (try_one (String "abc")));
  let closed = ref 0 in
  Alcotest.(check (option string))
    "stream" (Some "9")
    (length (try_one (stream ~closed ~length:9 9)));
  Alcotest.(check int) "closed unread" 1 !closed;
  let r = try_one (stream 9) in
  Alcotest.(check (option string)) "chunked" (Some "chunked") (Script.field r "transfer-encoding");
  Alcotest.(check (option string)) "empty says nothing" None (length (try_one Empty));
  let refused = serve [ "HEAD / HTTP/1.1\r\n\r\n" ] in
  Alcotest.(check bool) "a refusal has no body either" true
    (String.ends_with ~suffix:"\r\n\r\n" refused.output)

let bodiless () =
  let try_one status body =
    let outcome = serve ~handler:(fun _ -> Response.make ~status body) [ get [] ^ get [] ] in
    Alcotest.(check int) "replies" 2 (List.length (Script.replies outcome.output));
    List.hd (Script.replies outcome.output)
  in
  let framing r = (Script.field r "content-length", Script.field r "transfer-encoding") in
  let none = Alcotest.(check (pair (option string) (option string))) in
  none "204" (None, None) (framing (try_one `No_content (String "x")));
  none "304" (None, None) (framing (try_one `Not_modified (stream 9)));
  none "205" (Some "0", None) (framing (try_one `Reset_content (String "x")));
  none "200" (Some "0", None) (framing (try_one `OK Empty))

let handler_fields () =
  let headers =
    [ ("Content-Length", "99"); ("transfer-encoding", "gzip"); ("Connection", "x"); ("Set-Cookie", "a=1"); ("Set-Cookie", "b=2"); ("Date", "then") ]
    [@ocamlformat "disable"]
  in
  let server = Server.create ~now:(fun () -> 784_111_777.) () in
  let outcome = serve ~server ~handler:(fun _ -> Response.text ~headers "abc") [ get [] ^ get [] ] in
  let r = List.hd (Script.replies outcome.output) in
  let all name = List.filter_map (fun (n, v) -> if n = name then Some v else None) r.fields in
  let check = Alcotest.(check (list string)) in
  check "our length" [ "3" ] (all "content-length");
  check "no coding" [] (all "transfer-encoding");
  check "no connection" [] (all "connection");
  check "cookies in order" [ "a=1"; "b=2" ] (all "set-cookie");
  check "the handler's date" [ "then" ] (all "date");
  let plain = serve ~server [ get [] ] in
  Alcotest.(check (option string))
    "our date" (Some "Sun, 06 Nov 1994 08:49:37 GMT")
    (Script.field (one plain) "date");
  let closing = serve ~handler:(fun _ -> Response.text ~headers:[ ("connection", "Close") ] "") [ get [] ^ get [] ] in
  check_summary "the handler closes" "200 close" closing
  [@@ocamlformat "disable"]

let impossible_responses () =
  let reported = ref 0 in
  let server = Server.create ~report:(fun _ _ -> incr reported) () in
  let closed = ref 0 in
  let try_one response =
    let outcome = serve ~server ~handler:(fun _ -> response) [ get [] ^ get [] ] in
    check_summary "500 and on" "500 500 keep" outcome;
    Alcotest.(check bool) "nothing injected" true (Script.find_sub outcome.output "Evil" 0 = None)
  in
  try_one (Response.text ~headers:[ ("X", "a\r\nEvil: b") ] "");
  try_one (Response.text ~headers:[ ("X\r\nEvil", "a") ] "");
  try_one (Response.text ~headers:[ ("", "a") ] "");
  try_one (Response.make ~status:(`Code 99) Empty);
  try_one (Response.make ~status:`Continue Empty);
  try_one (Response.make ~headers:[ ("a b", "") ] (stream ~closed 9));
  try_one (Response.make (stream ~length:(-1) ~closed 9));
  Alcotest.(check int) "reported" 14 !reported;
  Alcotest.(check int) "streams closed" 4 !closed

(* {1 Failures} *)

let handler_raises () =
  let reported = ref [] in
  let server = Server.create ~report:(fun h e -> reported := (h.target, e) :: !reported) () in
  let handler (r : Request.t) = if r.head.target = "/x" then raise Exit else Response.text "fine" in
  let outcome = serve ~server ~handler [ get ~line:"GET /x HTTP/1.1" [] ^ get [] ] in
  check_summary "500, then on" "500 200 keep" outcome;
  Alcotest.(check bool) "reported" true (!reported = [ ("/x", Exit) ])

let stream_raises () =
  let closed = ref 0 in
  let after n =
    let left = ref n in
    let read b ~off ~len =
      if !left = 0 then raise Exit;
      decr left;
      Bytes.fill b off len 'x';
      len
    in
    reply (Stream { length = None; read; close = (fun () -> incr closed) })
  in
  check_summary "nothing sent yet: 500" "500 close" (serve ~handler:(after 0) [ get [] ^ get [] ]);
  let broken = serve ~handler:(after 1) [ get [] ^ get [] ] in
  Alcotest.(check bool) "cut off: no last chunk" true
    (not (String.ends_with ~suffix:"0\r\n\r\n" broken.output));
  Alcotest.(check bool) "closed" false broken.kept;
  Alcotest.(check bool) "no second head" true (Script.find_sub broken.output "HTTP/1.1" 1 = None);
  check_summary "earlier replies stand" "200 500 close"
    (let n = ref 0 in
     serve ~handler:(fun r -> incr n; if !n = 1 then Response.text "a" else after 0 r) [ get [] ^ get [] ]);
  Alcotest.(check int) "closed each" 3 !closed
  [@@ocamlformat "disable"]

let stream_lies () =
  check_summary "too short, nothing sent" "500 close"
    (serve ~handler:(reply (stream ~length:10 0)) [ get [] ]);
  let short = serve ~handler:(reply (stream ~length:100_000 ~piece:50_000 50_000)) [ get [] ] in
  Alcotest.(check bool) "too short: cut off" false short.kept;
  let long : Response.body = Stream { length = Some 5; read = (fun _ ~off:_ ~len -> len + 1); close = ignore } in
  check_summary "too long" "500 close" (serve ~handler:(reply long) [ get [] ]);
  check_summary "longer is not asked for" "200 keep"
    (serve ~handler:(reply (stream ~length:10 99)) [ get [] ])
  [@@ocamlformat "disable"]

let early_end () =
  let try_one raw = Script.summary (serve ~at_end:`End [ raw ]) in
  let check = Alcotest.(check string) in
  check "nothing" "close" (try_one "");
  check "an empty line" "close" (try_one "\r\n");
  check "within the head" "400 close" (try_one "GET / HTTP/1.1\r\nHo");
  check "after a request" "200 close" (try_one (get []));
  check "pipelined before it" "200 200 close" (try_one (get [] ^ get []));
  check "within a body" "400 close" (try_one (Cases.post [ "Content-Length: 9" ] "abc"));
  check "within a chunk" "400 close" (try_one (Cases.chunked "5\r\nab"));
  check "within a trailer" "400 close" (try_one (Cases.chunked "0\r\nX: y"));
  check "within an unread body" "200 close"
    (try_one (Cases.r [ "POST /unread HTTP/1.1"; "Host: a"; "Content-Length: 9" ] ^ "abc"))

(* {1 Request bodies} *)

let field_values () =
  let handler (r : Request.t) = Response.text (Option.value (Request.header r "x") ~default:"none") in
  let value line = (one (serve ~handler [ get [ line ] ])).body in
  let is what expected line = Alcotest.(check string) what expected (value line) in
  is "blanks around it" "a \t b" "X: \t a \t b \t ";
  is "none" "y" "X:y";
  is "empty" "" "X:  ";
  is "any case of the name" "y" "x: y";
  is "quotes stay" "\"a, b\"" "X: \"a, b\"";
  is "the last of two" "b" "X: a\r\nX: b";
  is "another" "none" "XX: a"

let refused_bodies () =
  let connection raw = Script.field (one (serve ~server:(Cases.server ()) [ raw ])) "connection" in
  let closes what raw = Alcotest.(check (option string)) what (Some "close") (connection raw) in
  closes "malformed" (Cases.chunked "x");
  closes "too long" (Cases.chunked "fff\r\n");
  closes "unread and too long to drop" (Cases.r [ "POST /unread HTTP/1.1"; "Host: a"; "Content-Length: 301" ])

(* Nothing of one request counts for the next. *)
let forgotten () =
  let extension = Cases.chunked ("1;" ^ String.make 30 'x' ^ "\r\na\r\n0;" ^ String.make 30 'x' ^ "\r\n\r\n") in
  check_summary "extensions" "200 200 200 keep"
    (serve ~server:(Cases.server ()) [ extension ^ extension ^ extension ]);
  let expecting = Cases.post [ "Content-Length: 1"; "Expect: 100-continue" ] "" in
  check_summary "expectation" "100 200 200 keep"
    (serve [ expecting; "a"; Cases.post [ "Content-Length: 1" ] ""; "b" ]);
  let refused = serve [ get ~line:"HEAD / HTTP/1.1" [] ^ "bad\r\n" ] in
  match Script.replies ~heads:[ 0 ] refused.output with
  | [ _; { status = 400; body; _ } ] -> Alcotest.(check bool) "HEAD" true (body <> "")
  | _ -> Alcotest.fail "not two replies"

let large_uploads () =
  let body = String.init 200_000 (fun i -> Char.chr (i * 7 land 255)) in
  let cut s n = List.init ((String.length s + n - 1) / n) (fun i -> String.sub s (i * n) (min n (String.length s - (i * n)))) in
  let chunked =
    Cases.chunked (String.concat "" (List.map (fun s -> Printf.sprintf "%x\r\n%s\r\n" (String.length s) s) (cut body 30_000)) ^ "0\r\n\r\n")
  in
  let got = ref "" in
  let handler size (r : Request.t) =
    let b = Bytes.create size and all = Buffer.create 1_000 in
    let rec go () =
      let n = Flow.read_into r.body b ~off:0 ~len:size in
      if n > 0 then (Buffer.add_subbytes all b 0 n; go ())
    in
    go ();
    got := Buffer.contents all;
    Response.text "ok"
  in
  List.iter (fun raw ->
    List.iter (fun size ->
      List.iter (fun piece ->
        let outcome = serve ~handler:(handler size) (cut (raw ^ get ~line:"GET /unread HTTP/1.1" []) piece) in
        ignore !got;
        check_summary "both answered" "200 200 keep" outcome)
      [ 999; 4_096; 1_000_000 ])
    [ 1_000; 4_096; 70_000 ])
  [ post body; chunked ];
  let echo (r : Request.t) = Response.make (String (Request.read_all r)) in
  same_texts "intact" [ body; body ] (bodies (serve ~handler:echo (cut (post body ^ chunked) 5_000)))
  [@@ocamlformat "disable"]

let echo_while_reading () =
  (* The response's body is the request's, neither held whole. *)
  let body = String.init 150_000 (fun i -> Char.chr (i land 127)) in
  let handler (r : Request.t) = Response.make (Response.of_reader r.body) in
  let raw = post body in
  let chunks = [ String.sub raw 0 1_000; String.sub raw 1_000 (String.length raw - 1_000) ] in
  let outcome = serve ~handler (chunks @ [ get [] ]) in
  same_texts "echoed" [ body; "" ] (bodies outcome);
  let cut = serve ~handler ~at_end:`End [ String.sub raw 0 100_000 ] in
  Alcotest.(check bool) "a cut one is cut off" true (not (String.ends_with ~suffix:"0\r\n\r\n" cut.output))

let stale_body () =
  let kept = ref Request.no_body and raised = ref false in
  let handler (r : Request.t) =
    (try ignore (Flow.read_into !kept (Bytes.create 1) ~off:0 ~len:1)
     with Invalid_argument _ -> raised := true);
    kept := r.body;
    Response.text "x"
  in
  let outcome = serve ~handler [ post "abc" ^ post "def" ] in
  check_summary "answered" "200 200 keep" outcome;
  Alcotest.(check bool) "the first body is gone" true !raised

let expect_continue () =
  let fields = [ "Expect: 100-continue" ] in
  let head n = Cases.post (("Content-Length: " ^ string_of_int n) :: fields) "" in
  check_summary "sent when waited for" "100 200 keep" (serve [ head 5; "hello" ]);
  check_summary "not if the body is there" "200 keep" (serve [ head 5 ^ "hello" ]);
  check_summary "not if it is not read, and closed" "200 close"
    (serve [ Cases.r [ "POST /unread HTTP/1.1"; "Host: a"; "Content-Length: 5"; "Expect: 100-continue" ]; "hello" ]);
  check_summary "not for 413" "413 close"
    (serve ~server:(Cases.server ()) [ head 2_000 ]);
  check_summary "not in 1.0" "200 keep"
    (serve [ Cases.r [ "POST / HTTP/1.0"; "Connection: keep-alive"; "Content-Length: 5"; "Expect: 100-continue" ]; "hello" ]);
  check_summary "not without a body" "200 keep" (serve [ get fields ]);
  check_summary "after the replies before it" "200 100 200 keep" (serve [ get [] ^ head 5; "hello" ])
  [@@ocamlformat "disable"]

(* {1 Stopping, time, logging} *)

let stopping () =
  let stopped = ref false in
  let server = Server.create ~stop:(fun () -> !stopped) () in
  let handler (r : Request.t) =
    if r.head.target = "/stop" then stopped := true;
    Response.make (stream 100_000)
  in
  let outcome = serve ~server ~handler [ get [] ^ get ~line:"GET /stop HTTP/1.1" [] ^ get [] ] in
  check_summary "the response in hand is finished" "200 200 close" outcome;
  let last = List.nth (Script.replies outcome.output) 1 in
  Alcotest.(check (option string)) "and says so" (Some "close") (Script.field last "connection");
  Alcotest.(check int) "whole" 100_000 (String.length last.body);
  let idle = serve ~server [ get [] ] in
  Alcotest.(check int) "an idle connection is not read" 0 idle.flow#reads

let timeouts : Server.timeouts = { idle = 1; head = 2; body = 3; write = 4; linger = 5 }

(* A wait at the script's end lasts too long. *)
let timed () =
  let waits = ref [] in
  let with_timeout ns f =
    waits := ns :: !waits;
    try f () with Script.Stalled -> raise Server.Timed_out
  in
  (waits, Server.create ~limits:Cases.limits ~timeouts ~timer:{ with_timeout } ())

let time_limits () =
  let try_one what expected last chunks =
    let waits, server = timed () in
    check_summary what expected (serve ~server chunks);
    Alcotest.(check int) (what ^ ": the wait") last (List.find (fun w -> w <> 4) !waits)
  in
  try_one "idle" "close" 1 [];
  try_one "idle after a request" "200 close" 1 [ get [] ];
  try_one "an empty line is idle" "close" 1 [ "\r\n" ];
  try_one "head" "408 close" 2 [ "GET" ];
  try_one "body" "408 close" 3 [ Cases.post [ "Content-Length: 5" ] "he" ];
  try_one "chunked body" "408 close" 3 [ Cases.chunked "5\r\nhe" ];
  try_one "dropped body" "200 close" 3
    [ Cases.r [ "POST /unread HTTP/1.1"; "Host: a"; "Content-Length: 5" ] ];
  let _, server = timed () in
  let late = one (serve ~server [ Cases.post [ "Content-Length: 5" ] "he" ]) in
  Alcotest.(check (option string)) "408 closes" (Some "close") (Script.field late "connection");
  let waits, server = timed () in
  let slow = serve ~server (Script.bytewise (get [])) in
  check_summary "byte by byte" "200 close" slow;
  Alcotest.(check (list int)) "one limit for the whole head" [ 1; 4; 2; 1 ] !waits

let write_limit () =
  let flow =
    object
      inherit Flow.flow
      val script = new Script.flow [ get [] ]
      method read_into = script#read_into
      method write _ ~off:_ ~len:_ = raise Script.Stalled
    end
  in
  let _, server = timed () in
  let closed = ref 0 in
  Server.serve_connection server flow (reply (stream ~closed 100_000));
  Alcotest.(check int) "the stream was closed" 1 !closed

let lingering () =
  let run ~at_end raw extra =
    let waits, server = timed () in
    let shut = ref 0 in
    let flow = new Script.flow ~at_end (raw :: extra) in
    (try Server.serve_connection ~shutdown_send:(fun () -> incr shut) server flow Cases.handler
     with Script.Stalled -> Alcotest.fail "no limit");
    (!shut, flow#reads, List.hd !waits)
  in
  let closing = get [ "Connection: close" ] in
  let shut, reads, wait = run ~at_end:`End closing [ "more"; "and more" ] in
  Alcotest.(check (list int)) "read to the end" [ 1; 4; 5 ] [ shut; reads; wait ];
  let shut, _, _ = run ~at_end:`Stall closing [ "more" ] in
  Alcotest.(check int) "within its limit" 1 shut;
  let shut, reads, _ = run ~at_end:`End closing (List.init 100 (fun _ -> String.make 100 'x')) in
  Alcotest.(check (list int)) "and its bytes" [ 1; 4 ] [ shut; reads ];
  let shut, _, _ = run ~at_end:`End (get []) [] in
  Alcotest.(check int) "not if the client closed first" 0 shut

let idle_notes () =
  let notes = ref [] in
  let chunks = [ get []; "GET / HTTP/1.1\r\n"; "Host: a\r\n\r\n" ] in
  let on_idle i = notes := i :: !notes in
  ignore (Script.serve ~on_idle ~at_end:`End (Server.create ()) Cases.handler chunks);
  Alcotest.(check (list bool)) "notes" [ true; false; true; false; true; false ] (List.rev !notes)

let logging () =
  let lines = ref [] in
  let log e = lines := Access_log.line ~peer:"10.0.0.1" ~time:784_111_777. e :: !lines in
  let server = Server.create ~log () in
  let handler (r : Request.t) =
    match Request.path r.head with
    | "/stream" -> Response.make (stream 100_000)
    | "/raise" -> Response.make (Stream { length = None; read = (fun _ ~off:_ ~len:_ -> raise Exit); close = ignore })
    | _ -> Response.text "hello"
  in
  let to_ path fields = get ~line:("GET " ^ path ^ " HTTP/1.1") fields in
  ignore (serve ~server ~handler
    [ to_ "/" [ "User-Agent: a \"quoted\\\xff\"" ] ^ to_ "/stream" [ "Referer: http://b/" ] ^ get ~line:"HEAD / HTTP/1.1" [] ^ to_ "/raise" [] ]);
  ignore (serve ~server [ "bad\r\n" ]);
  let stamp = "10.0.0.1 - - [06/Nov/1994:08:49:37 +0000] " in
  Alcotest.(check (list string)) "lines"
    [
      stamp ^ {|"GET / HTTP/1.1" 200 5 "-" "a \"quoted\\\xff\""|};
      stamp ^ {|"GET /stream HTTP/1.1" 200 100000 "http://b/" "-"|};
      stamp ^ {|"HEAD / HTTP/1.1" 200 0 "-" "-"|};
      stamp ^ {|"GET /raise HTTP/1.1" 500 45 "-" "-"|};
      stamp ^ {|"-" 400 43 "-" "-"|};
    ]
    (List.rev !lines)
  [@@ocamlformat "disable"]

(* {1 The machine without a flow} *)

(* Another driver than Server's: what a monadic loop would do. *)
let driven_by_hand () =
  let m =
    Connection.create ~limits:Limits.default ~buffers:(Buffers.create ())
      ~date:(fun () -> "")
      ~stop:(fun () -> false)
      ()
  in
  let feed s =
    let room = Connection.read_space m in
    Alcotest.(check bool) "room" true (room >= String.length s);
    Bytes.blit_string s 0 (Connection.read_bytes m) (Connection.read_at m) (String.length s);
    Connection.received m (String.length s)
  in
  let is what expected = Alcotest.(check bool) what true (Connection.next m = expected) in
  is "idle at first" Read_idle;
  is "and still" Read_idle;
  feed "GET /a";
  is "head begun" Read_head;
  feed " HTTP/1.1\r\nHost: a\r\n\r\n";
  is "a request" Handle;
  is "still" Handle;
  Alcotest.(check string) "target" "/a" (Connection.head m).target;
  Alcotest.(check bool) "taken" true
    (Connection.respond m ~status:200 ~headers:(Http.Header.init ()) Unsized);
  is "its body" Fill;
  let n = Connection.fill_space m in
  Bytes.blit_string "hello" 0 (Connection.fill_bytes m) (Connection.fill_at m) 5;
  Alcotest.(check bool) "space" true (n >= 5);
  Connection.filled m 5;
  is "to send" Write;
  Alcotest.(check string)
    "bytes" "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"
    (Bytes.sub_string (Connection.write_bytes m) (Connection.write_at m) (Connection.write_length m));
  Connection.written m;
  is "more of it" Fill;
  ignore (Connection.fill_space m);
  Connection.filled m 0;
  is "the last chunk" Write;
  Connection.written m;
  is "idle again" Read_idle;
  Connection.received m 0;
  is "over" Close;
  Connection.release m

let groups =
  let case = Suite.case in
  [
    ( "pipelining",
      [
        case "in order and gathered" pipelining;
        case "bodies of all kinds" pipelined_mixture;
        case "a small response is one write" one_write;
        case "gathering is bounded" gather_is_bounded;
      ] );
    ( "responses",
      [
        case "long strings" long_string;
        case "streams" streams;
        case "streams are sent as they come" stream_is_prompt;
        case "HTTP/1.0" http_1_0;
        case "HEAD" head_requests;
        case "statuses without a body" bodiless;
        case "the handler's fields" handler_fields;
        case "impossible ones" impossible_responses;
      ] );
    ( "failures",
      [
        case "the handler raises" handler_raises;
        case "the stream raises" stream_raises;
        case "the stream lies" stream_lies;
        case "the client ends early" early_end;
      ] );
    ( "requests",
      [
        case "field values" field_values;
        case "refused ones close" refused_bodies;
        case "each for itself" forgotten;
        case "large, in all cuts" large_uploads;
        case "echoed while they come" echo_while_reading;
        case "not after the response" stale_body;
        case "100-continue" expect_continue;
      ] );
    ( "life",
      [
        case "stop" stopping;
        case "time limits" time_limits;
        case "time limit of writing" write_limit;
        case "lingering" lingering;
        case "idle notes" idle_notes;
        case "log" logging;
        case "driven by hand" driven_by_hand;
      ] );
  ]
