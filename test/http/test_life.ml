(* Stopping, time limits, lingering, logging; and the machine alone. *)

open Weir_http
open Weir_test
open Exchange
module Flow = Weir_flow.Flow

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
  try_one "nothing has ever come" "close" 2 [];
  try_one "idle after a request" "200 close" 1 [ get [] ];
  try_one "an empty line is nothing" "close" 2 [ "\r\n" ];
  try_one "an empty line is idle" "200 close" 1 [ get []; "\r\n" ];
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
  Alcotest.(check (list int)) "one limit for the whole head" [ 1; 4; 2; 2 ] !waits

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
  (match Server.serve_connection server flow (reply (stream ~closed 100_000)) with
  | () -> Alcotest.fail "an end in order"
  | exception Server.Timed_out -> ());
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
    | "/long" -> Response.text (String.make 50_000 'x')
    | "/raise" -> Response.make (Stream { length = None; read = (fun _ ~off:_ ~len:_ -> raise Exit); close = ignore })
    | _ -> Response.text "hello"
  in
  let to_ path fields = get ~line:("GET " ^ path ^ " HTTP/1.1") fields in
  ignore (serve ~server ~handler
    [ to_ "/" [ "User-Agent: a \"quoted\\\xff\"" ] ^ to_ "/stream" [ "Referer: http://b/" ] ^ get ~line:"HEAD / HTTP/1.1" [] ^ to_ "/long" [] ^ to_ "/raise" [] ]);
  ignore (serve ~server [ "bad\r\n" ]);
  let stamp = "10.0.0.1 - - [06/Nov/1994:08:49:37 +0000] " in
  Alcotest.(check (list string)) "lines"
    [
      stamp ^ {|"GET / HTTP/1.1" 200 5 "-" "a \"quoted\\\xff\""|};
      stamp ^ {|"GET /stream HTTP/1.1" 200 100000 "http://b/" "-"|};
      stamp ^ {|"HEAD / HTTP/1.1" 200 0 "-" "-"|};
      stamp ^ {|"GET /long HTTP/1.1" 200 50000 "-" "-"|};
      stamp ^ {|"GET /raise HTTP/1.1" 500 45 "-" "-"|};
      stamp ^ {|"-" 400 43 "-" "-"|};
    ]
    (List.rev !lines)
  [@@ocamlformat "disable"]

(* A body that cannot be made to its end, and a connection that breaks within
   one, are no complete responses. *)
let cut () =
  let entries = ref [] and after = ref max_int in
  let log (e : Access_log.entry) = entries := (e.status, e.body_bytes, e.cut) :: !entries in
  let server = Server.create ~log () in
  let told what expected =
    Alcotest.(check (list (triple int int bool))) what expected (List.rev !entries);
    entries := []
  in
  let short body = ignore (serve ~server ~handler:(reply body) [ get [] ^ get [] ]) in
  short (stream ~length:200_000 ~piece:7_000 70_000);
  told "shorter than was said" [ (200, 70_000, true) ];
  short (stream ~length:100 0);
  told "before the first byte: an answer of its own" [ (500, 61, false) ];
  let breaking body =
    let flow =
      object
        inherit Flow.flow
        val script = new Script.flow [ get [] ]
        method read_into = script#read_into

        method write _ ~off:_ ~len =
          after := !after - len;
          if !after < 0 then raise Script.Stalled
      end
    in
    try Server.serve_connection server flow (reply body) with Script.Stalled -> ()
  in
  after := 150_000;
  breaking (stream ~length:500_000 500_000);
  let told_cut what =
    match !entries with
    | [ (200, n, true) ] when n > 80_000 && n < 230_000 -> entries := []
    | _ -> told what []
  in
  told_cut "the flow broke within a stream";
  after := 150_000;
  breaking (String (String.make 500_000 'x'));
  told_cut "and within a string";
  after := max_int;
  breaking (String (String.make 500_000 'x'));
  told "it did not" [ (200, 500_000, false) ];
  let entry = { Access_log.request = None; status = 200; body_bytes = 7; cut = true } in
  Alcotest.(check string)
    "a line" "a - - [01/Jan/1970:00:00:00 +0000] \"-\" 200 7 \"-\" \"-\" cut"
    (Access_log.line ~peer:"a" ~time:0. entry)

(* A flow with a buffer of its own, into which files are read. *)
class buffered chunks =
  object (self)
    inherit Script.flow ~at_end:`End chunks
    val mutable direct = 0
    method direct = direct

    method write_by ~want f =
      let room = min want 10_000 in
      let b = Bytes.make (room + 4) '#' in
      let n = f b 2 room in
      if n < 1 || n > room then Alcotest.failf "%d bytes of %d" n room;
      Alcotest.(check string) "nothing beyond" "##" (Bytes.sub_string b (room + 2) 2);
      Buffer.add_subbytes out b 2 n;
      direct <- direct + n;
      n

    method! cast : type a. a Flow.ty -> a option =
      function Flow.Buffered -> Some (self :> Flow.buffered) | _ -> None
  end

let into_the_buffer () =
  let entries = ref [] and failures = ref [] and closed = ref 0 in
  let log (e : Access_log.entry) = entries := (e.status, e.body_bytes, e.cut) :: !entries in
  let report _ e = failures := Printexc.to_string e :: !failures in
  let server = Server.create ~log ~report () in
  let serve what ~expected ~told body =
    entries := [];
    failures := [];
    closed := 0;
    let flow = new buffered [ get [] ^ get [] ] in
    let first = ref true in
    let handler _ =
      let body = if !first then body else Response.String "second" in
      first := false;
      Response.make body
    in
    Server.serve_connection server flow handler;
    Alcotest.(check (list (triple int int bool))) what expected (List.rev !entries);
    Alcotest.(check (list string)) (what ^ ": reported") told !failures;
    Alcotest.(check int) (what ^ ": closed") 1 !closed;
    flow
  in
  let whole = stream ~length:200_000 ~closed 200_000 in
  let flow =
    serve "whole" ~expected:[ (200, 200_000, false); (200, 6, false) ] ~told:[] (ready whole)
  in
  (match Script.replies flow#output with
  | [ a; b ] ->
      Alcotest.(check bool) "all bytes" true (a.body = String.make 200_000 's');
      Alcotest.(check string) "and the next" "second" b.body
  | _ -> Alcotest.fail "not two replies");
  (* The head goes with the first bytes. *)
  Alcotest.(check int) "other writes" 2 flow#writes;
  if flow#direct < 200_000 - 65_536 then Alcotest.failf "only %d bytes" flow#direct;
  let flow =
    serve "of no known length"
      ~expected:[ (200, 90_000, false); (200, 6, false) ]
      ~told:[]
      (ready (stream ~closed 90_000))
  in
  Alcotest.(check int) "in chunks" 0 flow#direct;
  let flow =
    serve "one that may wait"
      ~expected:[ (200, 90_000, false); (200, 6, false) ]
      ~told:[]
      (stream ~length:90_000 ~closed 90_000)
  in
  Alcotest.(check int) "by itself" 0 flow#direct;
  let cut = [ (200, 150_000, true) ] in
  let is_cut what told body = ignore (serve what ~expected:cut ~told body : buffered) in
  is_cut "too short" [] (ready (stream ~length:200_000 ~closed 150_000));
  let ending what =
    let at = ref 0 in
    let read _ ~off:_ ~len =
      let n = min len (150_000 - !at) in
      at := !at + n;
      if n = 0 then what len else n
    in
    Response.Ready { length = Some 200_000; read; close = (fun () -> incr closed) }
  in
  is_cut "raising" [ "Stdlib.Exit" ] (ending (fun _ -> raise Exit));
  is_cut "too long"
    [ "Invalid_argument(\"a response's stream gave more than it was asked for\")" ]
    (ending (fun len -> len + 1))

let failing_log () =
  let told = ref 0 in
  let log _ = raise (Sys_error "Broken pipe") in
  let server = Server.create ~log ~report:(fun _ _ -> incr told) () in
  check_summary "all are answered" "200 200 200 keep" (serve ~server [ get []; get []; get [] ]);
  Alcotest.(check int) "and told of" 3 !told

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
  Alcotest.(check bool)
    "taken" true
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
    ( "life",
      [
        case "stop" stopping;
        case "time limits" time_limits;
        case "time limit of writing" write_limit;
        case "lingering" lingering;
        case "idle notes" idle_notes;
        case "log" logging;
        case "log of what was cut" cut;
        case "into the flow's buffer" into_the_buffer;
        case "a log that fails" failing_log;
        case "driven by hand" driven_by_hand;
      ] );
  ]
