open Weir_test
open Weir_lab_harness
open Weir_lab_studies

let run study =
  match Weir_lab.Lab.outcomes ~quick:true [ study.Study.name ] with
  | Ok [ (_, o) ] -> o
  | Ok _ -> Alcotest.fail "one study"
  | Error e -> Alcotest.fail e

let contains = Weir_test.Text.contains

(* Every row that was published has one that was measured. *)
let flows () =
  let o = run Flows.study in
  List.iter
    (function
      | [ subject; test; (("time" | "minor_words") as metric); _ ] ->
          let v = Row.find o.rows ~subject ~test ~metric in
          Alcotest.(check bool) (subject ^ " " ^ test ^ " " ^ metric) true (Option.is_some v)
      | _ -> ())
    Weir_lab_data.(Csv.rows Published.flows);
  let words test subject = Option.get (Row.find o.rows ~subject ~test ~metric:"minor_words") in
  Alcotest.(check (float 0.5))
    "a dispatched operation allocates nothing" 0. (words "operation" "oo");
  Alcotest.(check bool) "conduit allocates most" true (words "data" "conduit3" > words "data" "oo");
  let page =
    Page.html ~command:(String.concat " ") ~machine:(Machine.facts ()) [ (Flows.study, o) ]
  in
  Alcotest.(check bool) "the page holds the table" true (contains page "36.88us");
  Alcotest.(check int) "and figures" 3 (List.length o.plots);
  Alcotest.(check bool) "and the command" true (contains page "<code>flows</code>");
  Alcotest.(check int) "a conclusion" 4 (List.length o.conclusion);
  Alcotest.(check bool)
    "of numbers" false
    (List.exists (fun s -> contains s "nan" || contains s "inf") o.conclusion);
  Alcotest.(check bool) "the page refers to nothing outside" false (contains page "src=")

let threads () =
  let o = run Threads.study in
  List.iter
    (fun subject ->
      List.iter
        (fun test ->
          List.iter
            (fun n ->
              let test = Printf.sprintf "%s/%d" test n in
              match Row.find o.rows ~subject ~test ~metric:"time" with
              | Some v ->
                  Alcotest.(check bool)
                    (subject ^ " " ^ test ^ " has a time")
                    true (Float.is_finite v)
              | None -> Alcotest.failf "%s %s is not there" subject test)
            (Threads.depths ~quick:true))
        [ "basic-quick"; "basic-medium"; "basic-slow"; "recurse-slow"; "recurse2-slow" ])
    [ "lwt"; "lwt-ppx"; "fiber"; "prompt"; "lwt-direct"; "eio" ];
  let request_words test subject =
    Option.get (Row.find o.rows ~subject ~test ~metric:"minor_words")
  in
  List.iter
    (fun test ->
      Alcotest.(check bool)
        (test ^ ": a thread allocates less than binds")
        true
        (request_words test "fiber" < request_words test "lwt"))
    [ "http-page"; "http-stream"; "http-upload" ];
  let words n subject =
    Option.get
      (Row.find o.rows ~subject ~test:(Printf.sprintf "recurse2-turn/%d" n) ~metric:"minor_words")
    /. float (n + 1)
  in
  let grows = words 1000 "fiber" /. words 50 "fiber" in
  Alcotest.(check int) "a figure a case, and the exponents" 13 (List.length o.plots);
  Alcotest.(check int) "a conclusion" 13 (List.length o.conclusion);
  Alcotest.(check bool) "of numbers" false (List.exists (fun s -> contains s "nan") o.conclusion);
  (* Each published number stands in a table: the longest column, and the retest's. *)
  let tables = String.concat "\n" (List.map (fun (_, t) -> Table.to_string t) o.tables) in
  List.iter
    (fun s -> Alcotest.(check bool) (s ^ " is shown") true (contains tables s))
    [ "939.165"; "94.708"; "3.373"; "79.914"; "49.260"; "1.836" ];
  Alcotest.(check (float 0.05)) "words per await do not grow with depth" 1. grows

let node () =
  Suite.needs_program "node";
  match Node.readings ~waits:20_000 with
  | Ok readings -> Alcotest.(check int) "readings" 12 (List.length readings)
  | Error why when String.starts_with ~prefix:"lab/js" why -> Suite.skip why
  | Error why -> Alcotest.fail why

(* Every row that was published has one that was measured. *)
let codecs () =
  let open Weir_lab_codecs in
  let o = run Codecs.study in
  List.iter
    (function
      | [ subject; test; (("time" | "minor_words") as metric); _ ] ->
          let v = Row.find o.rows ~subject ~test ~metric in
          Alcotest.(check bool) (subject ^ " " ^ test ^ " " ^ metric) true (Option.is_some v)
      | _ -> ())
    Weir_lab_data.(Csv.rows Published.codecs);
  let find metric subject test = Option.get (Row.find o.rows ~subject ~test ~metric) in
  let words = find "minor_words" and bytes subject = find "bytes" subject "write" in
  Alcotest.(check (float 0.5)) "a visit in place allocates nothing" 0. (words "capnp" "visit");
  Alcotest.(check bool)
    "a buffer used again allocates less" true
    (words "binprot-reused" "write" < words "binprot" "write");
  Alcotest.(check (float 0.)) "protobuf's bytes" 1609. (bytes "protobuf-bin");
  Alcotest.(check (float 0.))
    "eight empty strings of two bytes more" 1625. (bytes "protobuf-bin-optional");
  Alcotest.(check (float 0.)) "the deriver's are the same" 1609. (bytes "deriving-protobuf-proto3");
  Alcotest.(check bool) "JSON is longer" true (bytes "protobuf-json" > bytes "protobuf-bin");
  let claims = List.map (fun t -> t.Study.claim) o.targets in
  Alcotest.(check bool) "targets" true (List.mem "protobuf-bin rw / binprot rw" claims);
  Alcotest.(check bool)
    "a sentence with the published ratio" true
    (List.exists
       (fun c -> contains c "protobuf-bin 0." && contains c "published 3.10")
       o.conclusion);
  Alcotest.(check bool) "a figure" true (List.exists (fun p -> contains p "thrift-binary") o.plots)

(* A codec that loses something is not measured. *)
let codec_that_loses () =
  let open Weir_lab_codecs in
  let bad =
    Subject.make "bad" ~value:(1, 2)
      ~write:(fun (a, _) -> string_of_int a)
      ~read:(fun s -> (int_of_string s, 0))
      ~length:String.length
  in
  match bad.check () with
  | exception Failure e -> Alcotest.(check bool) e true (contains e "bad")
  | () -> Alcotest.fail "it passed"

(* A peer that is a shell script: what it does after its first line. *)
let with_script text f =
  let file = Filename.temp_file "weir-peer" ".sh" in
  Out_channel.with_open_bin file (fun oc -> output_string oc ("#!/bin/sh\n" ^ text));
  Unix.chmod file 0o700;
  Fun.protect ~finally:(fun () -> Sys.remove file) (fun () -> f file)

let peer_start file = Weir_lab_codecs.Peer.start file ~format:"json" ~message:"{}"

let peers_obey () =
  let open Weir_lab_codecs in
  with_script
    {|[ "$1 $(cat "$2")" = "json {}" ] && echo ready 2
while read -r test n; do echo "$((n * 3)) $((n * 4))"; done|}
    (fun file ->
      let peer = Result.get_ok (peer_start file) in
      let took = Peer.run peer "read" 5 in
      Alcotest.(check (pair int int)) "took" (15, 20) (took.cpu_ns, took.wall_ns);
      Peer.stop peer)

let fails what f =
  match f () with
  | exception Failure e -> Alcotest.(check bool) e true (contains e what)
  | _ -> Alcotest.fail "it did not fail"

let peers_misbehave () =
  let open Weir_lab_codecs in
  let no text =
    with_script text (fun file ->
        match peer_start file with Error _ -> () | Ok _ -> Alcotest.fail ("it began: " ^ text))
  in
  List.iter no [ "exit 1"; "echo ready 3"; "echo hello; cat" ];
  (match peer_start "/nowhere/peer" with
  | Error e -> Alcotest.(check bool) e true (e <> "")
  | Ok _ -> Alcotest.fail "nothing began");
  with_script "echo ready 2; read -r x; echo nonsense; read -r x" (fun file ->
      let peer = Result.get_ok (peer_start file) in
      fails "nonsense" (fun () -> Peer.run peer "read" 1);
      fails "ended" (fun () -> Peer.run peer "read" 1);
      fails "ended" (fun () -> Peer.run peer "read" 1);
      Peer.stop peer)

(* What lab/peers/build made before, if it did: each writes our bytes again. *)
let peers_there () =
  let open Weir_lab_codecs in
  let build = Filename.concat (Suite.project_root ()) "lab/peers/build" in
  let from_build = Unix.open_process_args_in build [| build; "--where" |] in
  let folder = In_channel.input_line from_build in
  ignore (Unix.close_process_in from_build);
  let peers, missing = Peers.start folder in
  List.iter (fun p -> Peer.stop p.Peers.peer) peers;
  Alcotest.(check int) "all are accounted for" 5 (List.length peers + List.length missing);
  if peers = [] then Suite.skip "lab/peers/build has made none"

(* A build that is interrupted notes no failure: the next call tries again. *)
let interrupted_build () =
  let folder = Filename.temp_dir "weir-peers" "" in
  let file name = Filename.concat folder name in
  Out_channel.with_open_bin (file "cargo") (fun oc ->
      output_string oc ("#!/bin/sh\necho $$ >" ^ file "started" ^ "\nexec sleep 60\n"));
  Unix.chmod (file "cargo") 0o700;
  let environment =
    Array.append
      (Array.of_list
         (List.filter
            (fun v -> not (String.starts_with ~prefix:"PATH=" v))
            (Array.to_list (Unix.environment ()))))
      [| "PATH=" ^ folder ^ ":" ^ Sys.getenv "PATH"; "XDG_CACHE_HOME=" ^ folder |]
  in
  let build = Filename.concat (Suite.project_root ()) "lab/peers/build" in
  Child.within ~quiet:true ~environment ~seconds:30. [ build; "codecs" ] (fun child ->
      let rec wait tries =
        if tries = 0 then Alcotest.fail "cargo was not run"
        else if not (Sys.file_exists (file "started")) then begin
          Unix.sleepf 0.05;
          wait (tries - 1)
        end
      in
      wait 200;
      Unix.kill (Child.pid child) Sys.sigint;
      match Child.lines child with
      | _ -> Alcotest.fail "it went on"
      | exception Child.Failed why ->
          Alcotest.(check bool) why true (String.ends_with ~suffix:"status 130" why));
  let rec files dir =
    List.concat_map
      (fun name ->
        let path = Filename.concat dir name in
        if Sys.is_directory path then files path else [ name ])
      (Array.to_list (Sys.readdir dir))
  in
  let left = files folder in
  List.iter
    (fun name -> Alcotest.(check bool) name false (List.mem name left))
    [ "rust.why"; "rust.tried"; "rust" ];
  ignore (Sys.command ("rm -rf " ^ Filename.quote folder))

let published () =
  let open Weir_lab_data in
  let fields text n =
    List.iter
      (fun r -> Alcotest.(check int) (String.concat "," r) n (List.length r))
      (Csv.rows text)
  in
  fields Published.flows 4;
  fields Published.threads 4;
  fields Published.codecs 4;
  fields Published.stack 5;
  Alcotest.(check int) "12 curves of 8 points" 96 (List.length (Csv.rows Published.threads))

let unknown () =
  match Weir_lab.Lab.run [ "flow" ] with
  | Error e -> Alcotest.(check bool) e true (contains e "there are flows")
  | Ok () -> Alcotest.fail "ran"

let cases =
  Suite.
    [
      case "published numbers" published;
      case "flows, quick" flows;
      slow "threads, quick" threads;
      slow "threads as JavaScript" node;
      slow "codecs, quick" codecs;
      case "a codec that loses a field" codec_that_loses;
      case "peers, as scripts" peers_obey;
      case "peers that misbehave" peers_misbehave;
      case "peers in other languages" peers_there;
      case "an interrupted build" interrupted_build;
      case "no such study" unknown;
    ]
