open Weir_test
open Weir_lab_harness
open Weir_lab_stack

let near = Alcotest.(check (float 1e-9))
let yes what b = Alcotest.(check bool) what true b

(* -- children ------------------------------------------------------------ *)

let fails what f =
  match f () with _ -> Alcotest.failf "%s did not fail" what | exception Child.Failed _ -> ()

let gone pid =
  match Unix.kill pid 0 with () -> false | exception Unix.Unix_error (ESRCH, _, _) -> true

let children () =
  Alcotest.(check (list string))
    "lines" [ "a"; "b" ]
    (Child.run ~seconds:5. [ "printf"; "a\\nb\\nc" ]);
  fails "status 1" (fun () -> Child.run ~seconds:5. [ "false" ]);
  fails "no such program" (fun () -> Child.run ~seconds:5. [ "no-such-program" ]);
  Child.within ~seconds:5. [ "cat" ] (fun c ->
      Child.tell c "hello";
      Child.await c "hello")

let slow_children () =
  let pid = ref 0 in
  let began = Unix.gettimeofday () in
  fails "a sleeper" (fun () ->
      Child.within ~seconds:0.2 [ "sleep"; "60" ] (fun c ->
          pid := Child.pid c;
          Child.lines c));
  yes "gone" (gone !pid);
  fails "silence" (fun () -> Child.within ~seconds:5. [ "true" ] (fun c -> Child.await c "ready"));
  (* One that ignores SIGTERM is killed. *)
  Child.within ~seconds:9. [ "sh"; "-c"; "trap '' TERM; echo ready; exec sleep 60" ] (fun c ->
      pid := Child.pid c;
      Child.await c "ready");
  yes "killed" (gone !pid);
  yes "in time" (Unix.gettimeofday () -. began < 10.)

let contains = Weir_test.Text.contains

(* -- the study ----------------------------------------------------------- *)

(* The folder in which rivals are sought, by this process and its workers. *)
let with_peers folder f =
  let before = Option.value (Sys.getenv_opt "WEIR_PEERS") ~default:"/nonexistent" in
  Unix.putenv "WEIR_PEERS" folder;
  Fun.protect ~finally:(fun () -> Unix.putenv "WEIR_PEERS" before) f

(* What this process starts, and what those start, have this folder for their
   temporary files, so that what is left of either can be seen. *)
let with_own_temporary f =
  let dir = Filename.temp_dir "weir-test" "" in
  let before = Filename.get_temp_dir_name () in
  Unix.putenv "TMPDIR" dir;
  Filename.set_temp_dir_name dir;
  Fun.protect
    ~finally:(fun () ->
      Unix.putenv "TMPDIR" before;
      Filename.set_temp_dir_name before)
    (fun () -> f dir);
  Alcotest.(check (list string)) "no files are left" [] (Array.to_list (Sys.readdir dir));
  Sys.rmdir dir

let environment pid =
  try In_channel.with_open_bin (Printf.sprintf "/proc/%s/environ" pid) In_channel.input_all
  with Sys_error _ -> ""

let processes_of dir =
  Sys.readdir "/proc" |> Array.to_list
  |> List.filter (fun pid ->
      Option.fold ~none:false ~some:(( <> ) (Unix.getpid ())) (int_of_string_opt pid)
      && contains (environment pid) ("TMPDIR=" ^ dir))

let rec none_left ?(tries = 150) dir =
  match processes_of dir with
  | [] -> ()
  | left when tries = 0 -> Alcotest.failf "processes are left: %s" (String.concat " " left)
  | _ ->
      Unix.sleepf 0.02;
      none_left ~tries:(tries - 1) dir

let drivers = [ "weir-eio"; "weir-lwt" ]
let memory_metrics = [ "rate"; "live_words"; "minor_words_per_segment" ]
let http_metrics = [ "rate"; "latency_p50"; "latency_p99"; "errors" ]

let promised ~root ~nginx =
  let all tests subjects metrics =
    List.concat_map
      (fun t -> List.concat_map (fun s -> List.map (fun m -> (t, s, m)) metrics) subjects)
      tests
  in
  let both tests = tests @ List.map (fun t -> t ^ "-offload") tests in
  let bulk = both [ "tap-bulk-in"; "tap-bulk-out" ] and http = both [ "http-c256"; "http-c1" ] in
  all
    [ "mem-bulk"; "mem-bulk-offload"; "mem-bulk-pcap"; "mem-udp"; "mem-udp-pcap" ]
    drivers memory_metrics
  @
  if not root then []
  else
    all bulk drivers [ "rate"; "minor_words_per_segment"; "rate_over_kernel" ]
    @ all bulk [ "kernel"; "weir-packet" ] [ "rate" ]
    @ (if Space.device_unavailable Xdp <> None then []
       else all [ "tap-bulk-in"; "tap-bulk-out"; "http-c256"; "http-c1" ] [ "weir-xdp" ] [ "rate" ])
    @ all http (drivers @ if nginx then [ "nginx" ] else []) http_metrics
    @ if nginx then all http drivers [ "rate_over_nginx" ] else []

let check_row (r : Row.t) =
  let what = String.concat " " [ r.test; r.subject; r.metric ] in
  Alcotest.(check string) "study" "stack" r.study;
  yes (what ^ ": in its interval") (r.low <= r.value && r.value <= r.high);
  yes (what ^ ": measured") (r.n >= 1);
  if r.metric = "errors" then near (what ^ ": none") 0. r.value
  else if String.ends_with ~suffix:"_stdev" r.metric || String.ends_with ~suffix:"_within" r.metric
  then yes (what ^ ": not negative") (r.value >= 0.)
  else yes (what ^ ": positive") (r.value > 0.)

(* Every published number has one of ours; those on the way are at other marks. *)
let reproduced rows ~root = function
  | [ theirs; test; metric; _; _ ] when root || not (String.starts_with ~prefix:"http" test) ->
      let subject = List.assoc theirs Published.subjects in
      let is (r : Row.t) =
        (r.subject, r.metric) = (subject, metric)
        &&
        match String.split_on_char '/' test with
        | [ t; _ ] -> String.starts_with ~prefix:(t ^ "/") r.test
        | _ -> r.test = test
      in
      yes (String.concat " " [ subject; test; metric ]) (List.exists is rows)
  | _ -> ()

let quick () =
  with_own_temporary @@ fun dir ->
  with_peers "/nonexistent" @@ fun () ->
  let outcome =
    match Weir_lab.Lab.outcomes ~quick:true [ "stack" ] with
    | Ok [ (_, o) ] -> o
    | Ok _ -> Alcotest.fail "one study"
    | Error e -> Alcotest.fail e
  in
  let rows =
    match Report_tests.in_file (Row.json ~machine:[] outcome.rows) Weir_lab.Baseline.read with
    | Ok rows -> rows
    | Error e -> Alcotest.fail e
  in
  Alcotest.(check int) "every row is in the JSON" (List.length outcome.rows) (List.length rows);
  let root = Space.unavailable () = None && Child.on_path "wrk" in
  List.iter
    (fun (test, subject, metric) ->
      if Row.find rows ~test ~subject ~metric = None then
        Alcotest.failf "no row %s %s %s; %s" test subject metric
          (String.concat "\n" (List.map (fun (_, t) -> Table.to_string t) outcome.tables)))
    (promised ~root ~nginx:(Child.on_path "nginx"));
  List.iter check_row rows;
  List.iter (reproduced rows ~root) Weir_lab_data.(Csv.rows Published.stack);
  List.iter
    (fun subject ->
      let words test = Row.find rows ~subject ~test ~metric:"minor_words_per_segment" in
      (* 1.6 times what a segment cost when this was first asked. *)
      yes "a datagram allocates no more than it did"
        (Option.fold (words "mem-udp") ~none:false ~some:(fun w -> w < 231.)))
    drivers;
  Alcotest.(check int) "figures" (if root then 10 else 5) (List.length outcome.plots);
  let conclusion = String.concat "\n" outcome.conclusion in
  yes "the conclusion has numbers" (contains conclusion "TCP in memory: ");
  yes "and all of them are" (not (contains conclusion "nan"));
  let left_out = Table.to_string (List.assoc "Not measured" outcome.tables) in
  List.iter
    (fun (r : Rival.t) ->
      yes (r.name ^ " is named as absent")
        (contains left_out ("tap-bulk-in " ^ r.name ^ " left out: ")))
    Rival.all;
  Alcotest.(check bool)
    "what else is left out is said" (not root)
    (contains left_out "tap-bulk-in weir-eio left out: ");
  none_left dir

(* The published numbers stand beside ours. *)
let published () =
  List.iter
    (function
      | [ subject; _; _; _; value ] ->
          yes subject (List.mem_assoc subject Published.subjects);
          yes value (float_of_string value > 0.)
      | fields -> Alcotest.failf "not a row: %s" (String.concat "," fields))
    (Weir_lab_data.Csv.rows Weir_lab_data.Published.stack)

let impossible () =
  let memory =
    Worker.Memory { transport = Tcp; offload = false; bytes = 1000; pcap = false; watched = false }
  in
  yes "the kernel has no memory link" (not (Worker.can Kernel memory));
  fails "the kernel in memory" (fun () -> Worker.measure Kernel memory)

(* -- rivals -------------------------------------------------------------- *)

let rival name = List.find (fun (r : Rival.t) -> r.name = name) Rival.all

let short_tasks (r : Rival.t) =
  List.concat_map
    (fun offload ->
      Worker.
        [
          Bulk { direction = `In; offload; bytes = 5_000_000 };
          Bulk { direction = `Out; offload; bytes = 5_000_000 };
          Http { connections = 16; offload; seconds = 1 };
        ])
    (if r.offload then [ false; true ] else [ false ])

(* Each byte is counted at the kernel's end, which verifies sums without offload. *)
let obeys name =
  let r = rival name in
  List.iter
    (fun task ->
      let readings = Worker.measure (Rival r) task in
      let value metric = List.find_opt (fun (x : Reading.t) -> x.metric = metric) readings in
      let check metric f = Option.iter (fun (x : Reading.t) -> f x.value) (value metric) in
      yes (name ^ " has a rate") (value "rate" <> None);
      check "rate" (fun v -> yes (name ^ " has moved") (v > 0.));
      check "errors" (near (name ^ ": errors") 0.))
    (short_tasks r)

let in_folder f =
  let dir = Filename.temp_dir "weir-test" "" in
  Fun.protect
    ~finally:(fun () ->
      Array.iter (fun f -> Sys.remove (Filename.concat dir f)) (Sys.readdir dir);
      Sys.rmdir dir)
    (fun () -> with_peers dir (fun () -> f dir))

let source file = Filename.concat (Suite.project_root ()) ("lab/peers/" ^ file)

(* The limit needs a C compiler only. *)
let limit () =
  Netns.possible ();
  List.iter Suite.needs_program [ "ip"; "wrk"; "gcc" ];
  in_folder @@ fun dir ->
  let program = Filename.concat dir "limit" in
  ignore
    (Child.run ~seconds:60.
       [ "gcc"; "-O2"; "-Wall"; "-Wextra"; "-Werror"; "-o"; program; source "limit/main.c" ]);
  obeys "limit"

(* Those that lab/peers/build made before, if it did. *)
let built () =
  Netns.possible ();
  List.iter Suite.needs_program [ "ip"; "wrk" ];
  let folder = Child.run ~seconds:20. [ source "build"; "--where" ] |> List.hd in
  with_peers folder @@ fun () ->
  match List.filter (fun r -> Rival.unavailable r = None) Rival.all with
  | [] -> Suite.skip "lab/peers/build has made none"
  | rivals -> List.iter (fun (r : Rival.t) -> obeys r.name) rivals

let misbehaving () =
  Netns.possible ();
  Suite.needs_program "ip";
  in_folder @@ fun dir ->
  let r = rival "smoltcp"
  and task = Worker.Bulk { direction = `In; offload = false; bytes = 1000 } in
  let script text =
    let file = Filename.concat dir "smoltcp" in
    Out_channel.with_open_bin file (fun oc -> output_string oc ("#!/bin/sh\n" ^ text));
    Unix.chmod file 0o700
  in
  Alcotest.(check (option string))
    "not built" (Some "it has not been built; `lab/peers/build stack` builds it")
    (Rival.unavailable r);
  fails "one that is not there" (fun () -> Worker.measure (Rival r) task);
  List.iter
    (fun text ->
      script text;
      yes "there" (Rival.unavailable r = None);
      fails text (fun () -> Worker.measure (Rival r) task))
    [ "exit 1"; "echo hello" ];
  yes "smoltcp has no offload"
    (not (Worker.can (Rival r) (Bulk { direction = `In; offload = true; bytes = 1 })))

(* Ratios are of the same round; a round in which one failed has none. *)
let ratios () =
  let rate v = [ Reading.make "rate" "Mbit/s" v; Reading.make "errors" "errors" 0. ] in
  let rows =
    Rounds.ratios "tap-bulk-in"
      [
        ("weir-eio", [ rate 10.; rate 40.; rate 90. ]);
        ("weir-lwt", [ rate 5.; []; rate 9. ]);
        ("smoltcp", [ rate 5.; rate 10.; rate 30. ]);
        ("kernel", [ []; []; [] ]);
      ]
  in
  let is subject metric value n =
    match Report.find rows ~subject ~test:"tap-bulk-in" ~metric with
    | None -> Alcotest.failf "no %s of %s" metric subject
    | Some r ->
        near (metric ^ " of " ^ subject) value r.value;
        Alcotest.(check int) "n" n r.n
  in
  is "weir-eio" "rate_over_smoltcp" 3. 3;
  is "weir-lwt" "rate_over_smoltcp" 0.65 2;
  is "weir-lwt" "rate_over_weir-eio" 0.3 2;
  Alcotest.(check int) "no others" 3 (List.length rows)

(* A worker told to end in the middle takes all it started with it. *)
let interrupted () =
  Netns.possible ();
  List.iter Suite.needs_program [ "ip"; "wrk"; "nginx" ];
  with_own_temporary @@ fun dir ->
  Child.within_worker ~seconds:30. [ "nginx"; "http"; "16"; "false"; "20" ] (fun c ->
      let rec load tries =
        let wrk pid =
          try In_channel.with_open_bin ("/proc/" ^ pid ^ "/comm") In_channel.input_all = "wrk\n"
          with Sys_error _ -> false
        in
        if not (List.exists wrk (processes_of dir)) then
          if tries = 0 then Alcotest.fail "wrk was not started"
          else begin
            Unix.sleepf 0.05;
            load (tries - 1)
          end
      in
      load 200;
      Unix.kill (Child.pid c) Sys.sigterm;
      none_left dir)

let () =
  Worker.run_if_asked ();
  Suite.run "lab_stack"
    (Report_tests.tests
    @ [
        ("children", [ Suite.case "what they write" children; Suite.case "bounded" slow_children ]);
        ( "study",
          [
            Suite.case "quick run" quick;
            Suite.case "published numbers" published;
            Suite.case "what cannot be" impossible;
            Suite.case "interrupted" interrupted;
          ] );
        ("scale", Scale_tests.cases);
        ( "rivals",
          [
            Suite.case "ratios" ratios;
            Suite.case "the limit" limit;
            Suite.case "misbehaving" misbehaving;
            Suite.slow "those that are built" built;
          ] );
      ])
