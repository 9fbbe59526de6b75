(* Order, response framing and failures, beyond one request and its answer. *)

open Weir_http
open Weir_test
open Exchange

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
  same_texts "bodies"
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
  Alcotest.(check bool)
    "a refusal has no body either" true
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
  ]
