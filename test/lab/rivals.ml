open Weir_test
open Weir_lab_rivals

let ok = function Ok v -> v | Error _ -> Alcotest.fail "error"
let run p = ok (Lwt_main.run p)

(* The data devices check themselves on close: a copy that stops early must be
   caught, or the study measures nothing. *)
let damaged () =
  let d = Mirage.Data_direct.create () in
  ignore (Mirage.Data_direct.read_into d (Bytes.create 64) ~off:0 ~len:64);
  Alcotest.check_raises "short" Message.Damaged (fun () -> Mirage.Data_direct.close d);
  let f = Flow_oo.data_direct () in
  ignore (Weir_flow.Flow.copy f Weir_flow.Null.flow : int);
  Alcotest.check_raises "copied elsewhere" Message.Damaged (fun () -> f#close)

let conduit () =
  let f = run (Conduit3.connect () Conduit3.data) in
  Alcotest.(check bool) "its own" true (Option.is_some (Conduit3.cast f Conduit3.data));
  Alcotest.(check bool) "not null's" true (Option.is_none (Conduit3.cast f Conduit3.null));
  run (Conduit3.copy (Cstruct.create 7) f);
  run (Conduit3.close f)

type Conduit3.flow += Stranger

let unknown () =
  match Lwt_main.run (Conduit3.recv Stranger (Cstruct.create 1)) with
  | Error `Not_found -> ()
  | _ -> Alcotest.fail "found"

let fiber () =
  let v =
    Lwt_main.run
      (Prompt_fiber.start (fun () ->
           Prompt_fiber.await (Lwt.pause ());
           1 + Prompt_fiber.await (Prompt_fiber.start (fun () -> Prompt_fiber.await (Lwt.return 2)))))
  in
  Alcotest.(check int) "value" 3 v;
  Alcotest.check_raises "error" Exit (fun () ->
      Lwt_main.run
        (Prompt_fiber.start (fun () ->
             Prompt_fiber.await (Lwt.bind (Lwt.pause ()) (fun () -> Lwt.fail Exit)))))

open Weir_flow_lwt

(* The study's functor, and the generic copy for Conduit 3, over a Weir flow. *)
module Copy = Mirage.Test (Shapes.Mirage)

let joined text =
  let src = Flow_lwt.source ~chunk:1000 text and out = Flow_lwt.sink () in
  let flow : Flow_lwt.flow =
    object
      inherit Flow_lwt.flow
      method read_into = src#read_into
      method! read = src#read
      method write = out#write
    end
  in
  let closed = ref 0 in
  let close () = Lwt.return (incr closed) in
  (Shapes.connection ~close flow, out, closed)

let mirage () =
  let text = String.init 100_000 (fun i -> Char.chr (i mod 251)) in
  let c, out, closed = joined text in
  ok (Lwt_main.run (Copy.copy c));
  Alcotest.(check bool) "copied" true (String.equal text out#contents);
  Lwt_main.run (Shapes.Mirage.shutdown c `write);
  (match Lwt_main.run (Shapes.Mirage.write c Cstruct.empty) with
  | Error `Closed -> ()
  | _ -> Alcotest.fail "written after shutdown");
  Lwt_main.run (Shapes.Mirage.close c);
  Lwt_main.run (Shapes.Mirage.close c);
  Alcotest.(check int) "closed once" 1 !closed;
  match Lwt_main.run (Shapes.Mirage.read c) with
  | Ok `Eof -> ()
  | _ -> Alcotest.fail "read after close"

let as_conduit () =
  let p =
    Conduit3.register
      ~protocol:
        (module struct
          include Shapes.Conduit

          type endpoint = Shapes.connection

          let connect c = Lwt_result.return c
        end)
  in
  let text = String.make 5000 'x' in
  let c, out, closed = joined text in
  let f = run (Conduit3.connect c p) in
  run (Conduit3.copy (Cstruct.create 700) f);
  Alcotest.(check bool) "copied" true (String.equal text out#contents);
  run (Conduit3.close f);
  Alcotest.(check int) "closed" 1 !closed

(* What a session answers to [text], over a flow in memory. *)
let answers serve text =
  let src = Flow_lwt.source ~chunk:700 text and out = Flow_lwt.sink () in
  let flow : Flow_lwt.flow =
    object
      inherit Flow_lwt.flow
      method read_into buf = Lwt.bind (Lwt.pause ()) (fun () -> src#read_into buf)
      method write = out#write
    end
  in
  Lwt_main.run (serve (Weir_http_lwt.Transport.of_flow flow));
  out#contents

(* The session as a thread, and the one by binds: the same bytes. *)
let sessions () =
  let open Weir_http_lwt in
  let text ?(headers = []) s : Handler.response =
    { status = `OK; headers = Http.Header.of_list headers; body = String s }
  in
  let handler (r : Handler.request) =
    match r.head.target with
    | "/fails" -> Lwt.bind (Lwt.pause ()) (fun () -> failwith "on purpose")
    | "/stream" ->
        let left = ref 70_000 in
        let read b ~off ~len =
          let n = Int.min len !left in
          Bytes.fill b off n 's';
          left := !left - n;
          Lwt.map (fun () -> n) (Lwt.pause ())
        in
        Lwt.return { (text "") with body = Stream { length = None; read; close = ignore } }
    | target -> Lwt.map (fun body -> text (target ^ body)) (Handler.read_all ~limit:5_000 r)
  in
  let get target = "GET " ^ target ^ " HTTP/1.1\r\nHost: a\r\n\r\n" in
  let post n =
    Printf.sprintf "POST /up HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n%s" n
      (String.make n 'u')
  in
  let one = Server.create () and other = Http_bound.create () in
  List.iter
    (fun request ->
      Alcotest.(check string)
        "the same bytes"
        (answers (fun t -> Http_bound.serve_connection other t handler) request)
        (answers (fun t -> Server.serve_connection one t handler) request))
    [
      get "/a" ^ get "/b";
      get "/fails" ^ get "/after";
      get "/stream" ^ get "/after";
      post 3_000 ^ post 0 ^ post 5_000;
      post 5_001 ^ get "/after";
      "HEAD /stream HTTP/1.1\r\nHost: a\r\n\r\n" ^ get "/after";
      "nonsense\r\n\r\n";
      "POST /up HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n";
      "GET /a HTTP/1.0\r\n\r\n" ^ get "/after";
      "GET /cut HT";
    ]

let cases =
  Suite.
    [
      case "damage is seen" damaged;
      case "conduit's registry" conduit;
      case "conduit's unknown flow" unknown;
      case "fibers of prompts" fiber;
      case "the study's functor over a Weir flow" mirage;
      case "a Weir flow as a Conduit protocol" as_conduit;
      case "an HTTP session by binds" sessions;
    ]
