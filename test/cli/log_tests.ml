(* What stands around the service may fail: logs, captures, files. None of it ends
   a request, and all of it is told. *)

open Weir_programs
open Edges
module Suite = Weir_test.Suite

let check_answered s what n =
  Alcotest.(check int)
    what n
    (within s.env 20. what (fun () -> answered s.env s.port n ~agent:(String.make 7_000 'x')))

let check_end s ~lost_by =
  let status, err = interrupt s in
  Alcotest.(check int) "status" 0 status;
  match Usage_tests.lines err with
  | [ line ] ->
      let n, by =
        Scanf.sscanf line "weir: %d line%_s of standard output lost: %s@\n" (fun n by -> (n, by))
      in
      Alcotest.(check string) "by" lost_by by;
      if n < 5 then Alcotest.failf "only %d lines were lost" n
  | _ -> Alcotest.failf "standard error: %s" err

(* `weir serve … | head -1` *)
let reader_gone driver (env : env) =
  Eio.Switch.run @@ fun sw ->
  let source, sink = Eio.Process.pipe ~sw (Eio.Stdenv.process_mgr env) in
  with_server env ~stdout:sink driver @@ fun s ->
  Eio.Flow.close sink;
  check_answered s "while it is read" 1;
  let line = Eio.Buf_read.line (Eio.Buf_read.of_flow ~max_size:100_000 source) in
  Alcotest.(check bool) "the first line" true (String.starts_with ~prefix:"serving" line);
  Eio.Flow.close source;
  check_answered s "afterwards" 20;
  check_answered s "on another connection" 20;
  check_end s ~lost_by:"Broken pipe"

let full_disk driver (env : env) =
  if not (Sys.file_exists "/dev/full") then Suite.skip "there is no /dev/full";
  Eio.Switch.run @@ fun sw ->
  let full = Eio.Path.(open_out ~sw ~create:`Never (Eio.Stdenv.fs env / "/dev/full")) in
  with_server env ~stdout:full driver @@ fun s ->
  check_answered s "at first" 20;
  check_answered s "afterwards" 20;
  check_end s ~lost_by:"No space left on device"

(* More lines than pipe and queue hold. *)
let nobody_reads driver (env : env) =
  Eio.Switch.run @@ fun sw ->
  let _source, sink = Eio.Process.pipe ~sw (Eio.Stdenv.process_mgr env) in
  with_server env ~stdout:sink driver @@ fun s ->
  Eio.Flow.close sink;
  check_answered s "at first" 500;
  check_answered s "afterwards" 20;
  check_end s ~lost_by:"they were logged faster than they could be written"

(* Read at last, the log says what is missing; so does the summary. *)
let read_late driver (env : env) =
  Eio.Switch.run @@ fun sw ->
  let source, sink = Eio.Process.pipe ~sw (Eio.Stdenv.process_mgr env) in
  with_server env ~stdout:sink driver @@ fun s ->
  Eio.Flow.close sink;
  check_answered s "unread" 500;
  let log = Buffer.create 2_000_000 in
  let read = Eio.Fiber.fork_promise ~sw (fun () -> Eio.Flow.copy source (Eio.Flow.buffer_sink log)) in
  within env 10. "the log goes on" (fun () ->
      while not (Programs.contains (Buffer.contents log) " of this log lost: ") do
        sleep env 0.02
      done);
  check_answered s "afterwards" 3;
  let status, err = interrupt s in
  Eio.Promise.await_exn read;
  Alcotest.(check (pair int string)) "all is told" (0, "") (status, err);
  let lines = Usage_tests.lines (Buffer.contents log) in
  let lost =
    List.filter_map (fun l -> Scanf.sscanf_opt l "%d line%_[s] of this log lost:" Fun.id) lines
    |> List.fold_left ( + ) 0
  in
  let logged = List.length (List.filter (fun l -> Programs.contains l "GET / HTTP") lines) in
  Alcotest.(check int) "all but those" 503 (logged + lost);
  let summary = List.nth lines (List.length lines - 1) in
  Alcotest.(check bool) "the summary" true
    (Programs.contains summary (Printf.sprintf "; %d log lines lost" lost))
  [@@ocamlformat "disable"]

(* -- captures ------------------------------------------------------------ *)

let capture_on_full_disk (env : env) =
  if not (Sys.file_exists "/dev/full") then Suite.skip "there is no /dev/full";
  let check sub args =
    let r = Programs.run env (Programs.weir sub (args @ [ "--pcap"; "/dev/full" ])) in
    Alcotest.(check int) "status" 1 r.status;
    match Usage_tests.lines r.err with
    | [ line ] ->
        let n =
          Scanf.sscanf line
            "weir: cannot write /dev/full: No space left on device; %d frames are missing from the \
             capture"
            Fun.id
        in
        if n < 4 then Alcotest.failf "only %d frames" n
    | _ -> Alcotest.failf "%s: %s" sub r.err
  in
  check "ping" [ "10.0.0.1"; "-c"; "2"; "-i"; "0.01" ];
  check "iperf" [ "-n"; "1000000" ];
  check "iperf" [ "-n"; "1000000"; "--driver"; "lwt" ]

let served_with_full_capture driver (env : env) =
  if not (Sys.file_exists "/dev/full") then Suite.skip "there is no /dev/full";
  Eio.Switch.run @@ fun sw ->
  let source, sink = Eio.Process.pipe ~sw (Eio.Stdenv.process_mgr env) in
  with_server env ~stdout:sink ~arguments:[ "--pcap"; "/dev/full" ] driver @@ fun s ->
  Eio.Flow.close sink;
  let log = Buffer.create 10_000 in
  let read = Eio.Fiber.fork_promise ~sw (fun () -> Eio.Flow.copy source (Eio.Flow.buffer_sink log)) in
  check_answered s "at first" 20;
  check_answered s "afterwards" 20;
  let status, err = interrupt s in
  Eio.Promise.await_exn read;
  Alcotest.(check int) "status" 1 status;
  Alcotest.(check int) "one line" 1 (List.length (Usage_tests.lines err));
  Alcotest.(check bool) "that counts" true (Programs.contains err " frames are missing from the capture");
  Alcotest.(check bool) "and told at once" true
    (Programs.contains (Buffer.contents log) "/dev/full: No space left on device: frames are no longer recorded")
  [@@ocamlformat "disable"]

(* -- files that become shorter ------------------------------------------- *)

let truncated driver (env : env) =
  Eio.Switch.run @@ fun sw ->
  let source, sink = Eio.Process.pipe ~sw (Eio.Stdenv.process_mgr env) in
  with_server env ~stdout:sink driver @@ fun s ->
  Eio.Flow.close sink;
  let log = Buffer.create 10_000 in
  let read = Eio.Fiber.fork_promise ~sw (fun () -> Eio.Flow.copy source (Eio.Flow.buffer_sink log)) in
  let length = 40_000_000 and file = Filename.concat s.root "file" in
  Programs.write file "";
  Unix.truncate file length;
  let got =
    Eio.Switch.run @@ fun sw ->
    let flow = connect env ~sw ~tries:500 s.port in
    Eio.Flow.copy_string (request "/file" ^ request "/file") flow;
    let b = Cstruct.create 1_000 in
    let first = Eio.Flow.single_read flow b in
    Unix.truncate file 1_000_000;
    within env 20. "the end" (fun () -> first + String.length (Eio.Flow.read_all flow))
  in
  if got >= length then Alcotest.fail "it was sent whole";
  let status, err = interrupt s in
  Eio.Promise.await_exn read;
  Alcotest.(check (pair int string)) "a good end" (0, "") (status, err);
  match List.filter (fun l -> Programs.contains l "GET /file") (Usage_tests.lines (Buffer.contents log)) with
  | [ line ] ->
      let at = String.index_from line (String.index line '"' + 1) '"' in
      let status, bytes = Scanf.sscanf (String.sub line (at + 1) (String.length line - at - 1)) " %d %d" (fun s b -> (s, b)) in
      Alcotest.(check bool) "marked" true (String.ends_with ~suffix:" cut" line);
      Alcotest.(check int) "status" 200 status;
      (* The head is beside the body in what came. *)
      if bytes > got || bytes < got - 1_000 then Alcotest.failf "%d bytes of %d" bytes got
  | lines -> Alcotest.failf "%d lines: the connection was used again" (List.length lines)
  [@@ocamlformat "disable"]

let cases =
  both "log: its reader goes" reader_gone
  @ both "log: a full disk" full_disk
  @ both "log: nobody reads it" nobody_reads
  @ both "log: read late" read_late
  @ [ case "--pcap on a full disk" capture_on_full_disk ]
  @ both "serve --pcap on a full disk" served_with_full_capture
  @ both "a file that is truncated while it is served" truncated
