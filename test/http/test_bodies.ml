(* What a handler gets of a request. *)

open Weir_http
open Weir_test
open Exchange
module Flow = Weir_flow.Flow

let field_values () =
  let handler (r : Request.t) =
    Response.text (Option.value (Request.header r "x") ~default:"none")
  in
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
  closes "unread and too long to drop"
    (Cases.r [ "POST /unread HTTP/1.1"; "Host: a"; "Content-Length: 301" ])

(* Nothing of one request counts for the next. *)
let forgotten () =
  let extension =
    Cases.chunked ("1;" ^ String.make 30 'x' ^ "\r\na\r\n0;" ^ String.make 30 'x' ^ "\r\n\r\n")
  in
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
  Alcotest.(check bool)
    "a cut one is cut off" true
    (not (String.ends_with ~suffix:"0\r\n\r\n" cut.output))

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

let groups =
  let case = Suite.case in
  [
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
  ]
