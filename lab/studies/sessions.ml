open Weir_lab_harness
open Weir_http_lwt
module Bound = Weir_lab_rivals.Http_bound

type t = (string * Measure.t list) list

(* -- a client in memory ---------------------------------------------------- *)

let timer : Time_limits.timer = { now = Clock.wall_ns; sleep = (fun _ -> fst (Lwt.wait ())) }

(* The server's pending read. *)
type wanted = Nothing | Wanted of { b : Bytes.t; off : int; len : int; give : int Lwt.u }

let converse serve request ~times =
  let left = ref times and at = ref 0 and wanted = ref Nothing in
  let read b ~off ~len =
    let p, give = Lwt.task () in
    wanted := Wanted { b; off; len; give };
    p
  in
  let write _ ~off:_ ~len:_ = Lwt.return_unit in
  let served : unit Lwt.t =
    serve { Transport.read; write; write_by = None; shutdown_send = Lwt.return }
  in
  let next b off len =
    let n = Int.min len (String.length request - !at) in
    Bytes.blit_string request !at b off n;
    at := !at + n;
    if !at = String.length request then (
      at := 0;
      decr left);
    n
  in
  let rec feed () =
    match !wanted with
    | Nothing -> ()
    | Wanted { b; off; len; give } ->
        wanted := Nothing;
        Lwt.wakeup give (if !left = 0 then 0 else next b off len);
        feed ()
  in
  feed ();
  if Lwt.state served <> Return () then failwith "the session did not end"

(* -- what is asked --------------------------------------------------------- *)

let page = Handler.of_response (Weir_http.Response.text (String.make 2_053 'x'))
let get = "GET / HTTP/1.1\r\nHost: 10.0.0.11\r\n\r\n"

let post =
  "POST / HTTP/1.1\r\nHost: 10.0.0.11\r\nContent-Length: 2000\r\n\r\n" ^ String.make 2_000 'y'

let streamed length _ =
  let left = ref length in
  let read _ ~off:_ ~len =
    let n = Int.min len !left in
    left := !left - n;
    Lwt.return n
  in
  Lwt.return { page with body = Stream { length = Some length; read; close = ignore } }

let cases : (string * string * Handler.t) list =
  [
    ("http-page", get, fun _ -> Lwt.return page);
    ("http-stream", get, streamed 1_000_000);
    ("http-upload", post, fun request -> Lwt.map (fun _ -> page) (Handler.read_all request));
  ]

let subjects request handler =
  let now () = 0. in
  let bound = Bound.create ~timer ~now () and threads = Server.create ~timer ~now () in
  let subject name serve =
    Measure.batches name (fun ~timed n -> timed (fun () -> converse serve request ~times:n))
  in
  [
    subject "lwt" (fun transport -> Bound.serve_connection bound transport handler);
    subject "fiber" (fun transport -> Server.serve_connection threads transport handler);
  ]

let part (test, request, handler) session =
  let seconds = if Session.quick session then 0.01 else 0.06 in
  Session.measure session ~group:test ~seconds (subjects request handler)

let parts = List.map part cases
let of_results results = List.map (fun (test, _, _) -> (test, Session.group results test)) cases

(* -- the report ------------------------------------------------------------ *)

let rows t =
  let of_case (test, ms) =
    List.concat_map
      (fun (m : Measure.t) -> Row.of_measure ~study:"threads" ~subject:m.name ~test m)
      ms
    @ Row.ratios ~study:"threads" ~test ~reference:"lwt" ms
  in
  List.concat_map of_case t

let ratio ms =
  let time name = (List.find (fun (m : Measure.t) -> m.name = name) ms).time in
  Sample.interval (Sample.over (time "fiber") (time "lwt"))

let table t =
  let time (m : Measure.t) = Table.Right (Table.ns (Measure.time m)) in
  let words (m : Measure.t) = Table.Right (Printf.sprintf "%.0f" (Sample.interval m.minor).value) in
  let row (test, ms) = (Table.Left test :: List.map time ms) @ List.map words ms in
  let heading = [ "Test"; "lwt"; "fiber"; "lwt\nwords"; "fiber\nwords" ] in
  ( "A request to an HTTP server over Lwt: a page of 2,053 bytes, a stream of 1 MB, an upload of \
     2,000 bytes",
    Table.make heading (List.map row t) )

let conclusion t =
  let part (test, ms) = Printf.sprintf "%s for %s" (Sample.text (ratio ms)) test in
  "An HTTP session as a thread, by the time of one that binds promises: "
  ^ String.concat ", " (List.map part t)
  ^ "."

let targets t =
  List.map
    (fun (test, ms) ->
      {
        Study.claim = test ^ ": a session as a thread / by binds";
        measured = ratio ms;
        bound = 1.1;
        reason = "";
      })
    t
