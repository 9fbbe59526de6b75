(* Standard descriptors that are closed or cannot be written, and the script. *)

open Weir_programs
module Suite = Weir_test.Suite

type env = Programs.env

(* Whatever becomes of the standard descriptors: at most one line, no backtrace,
   and a status that says so. *)
let descriptors (env : env) =
  let project file = Filename.concat (Suite.project_root ()) file in
  let commands =
    [
      ("ping", [ "10.0.0.1"; "-c"; "1" ]);
      ("iperf", [ "-n"; "100000" ]);
      ("sim", [ "echo"; "--seeds"; "1-2" ]);
      ("sim", [ "--list" ]);
      ("dump", [ project "test/wire/captures/tcp.pcap" ]);
      ("lab", [ "--help=plain" ]);
      ("serve", [ "--help=plain" ]);
      ("demo", [ "--help=plain" ]);
      ("get", [ "--help=plain" ]);
    ]
  in
  let run (sub, args) redirect =
    let command = Filename.quote_command (List.hd (Programs.weir sub [])) (sub :: args) in
    Programs.run env [ "sh"; "-c"; Printf.sprintf "(%s) %s" command redirect ]
  in
  let check redirect status lines command =
    let r = run command redirect in
    let told = Usage_tests.lines r.err in
    let bad = List.exists (fun l -> not (String.starts_with ~prefix:"weir: " l)) told in
    if r.status <> status || List.length told <> lines || bad then
      Alcotest.failf "weir %s %s: status %d, standard error: %s" (fst command) redirect r.status
        r.err
  in
  let each redirect status lines = List.iter (check redirect status lines) commands in
  if Sys.file_exists "/dev/full" then (
    each ">/dev/full" 1 1;
    each ">/dev/full 2>/dev/full" 1 0);
  each ">&-" 1 1;
  each ">&- 2>&- <&-" 1 0;
  each ">/dev/null 2>&- <&-" 0 0;
  List.iter (check "| true" 0 0) commands

(* A file must not take the place of a descriptor that is closed: what is printed
   would go there. *)
let capture_as_descriptor (env : env) =
  Programs.with_scratch @@ fun dir ->
  let file = Filename.concat dir "c.pcap" in
  let argv = Programs.weir "ping" [ "10.0.0.1"; "-c"; "1"; "--pcap"; file ] in
  let command = Filename.quote_command (List.hd argv) (List.tl argv) in
  ignore (Programs.run env [ "sh"; "-c"; command ^ " <&- >&- 2>&-" ]);
  ignore (Programs.succeed env (Programs.weir "dump" [ file ]))

(* -- the script ---------------------------------------------------------- *)

(* `weir lab nosuch`: refused before the peers in other languages are made. *)
let lab_refuses_first (env : env) =
  Programs.with_scratch @@ fun dir ->
  let path name = Filename.concat dir name in
  let script name text =
    Programs.write (path name) ("#!/bin/sh\n" ^ text);
    Unix.chmod (path name) 0o755
  in
  Programs.write (path "weir") (Programs.read (Filename.concat (Suite.project_root ()) "weir"));
  Unix.chmod (path "weir") 0o755;
  List.iter (fun d -> Unix.mkdir (path d) 0o755) [ "scripts"; "lab"; "lab/peers" ];
  let weir = Filename.quote (List.hd (Programs.weir "lab" [])) in
  script "scripts/with-ocaml"
    (Printf.sprintf "shift; [ \"$WEIR_PEERS\" = none ] || exit 0; exec %s \"$@\"\n" weir);
  script "lab/peers/build" (Printf.sprintf "echo built >>%s\n" (Filename.quote (path "built")));
  let clean = [ "env"; "-u"; "WEIR_IN_ROOT"; "-u"; "WEIR_PEERS"; path "weir"; "lab" ] in
  let refused args =
    let r = Programs.run env (clean @ args) in
    Alcotest.(check (pair int int))
      "status, lines" (2, 1)
      (r.status, List.length (Usage_tests.lines r.err));
    if Sys.file_exists (path "built") then Alcotest.fail "the peers were made first"
  in
  refused [ "nosuch" ];
  refused [ "codecs"; "nosuch" ];
  refused [ "--no-such-option" ];
  refused [ "--json"; "/no/such/folder/x.json" ];
  let good = Programs.run env (clean @ [ "codecs" ]) in
  Alcotest.(check (pair int string)) "what is good is not refused" (0, "") (good.status, good.err);
  Alcotest.(check bool) "and the peers are made" true (Sys.file_exists (path "built"))

let cases =
  let case = Edges.case in
  [
    case "standard descriptors that cannot be written" descriptors;
    case "standard descriptors that are closed" capture_as_descriptor;
    case "lab: refused before anything is made" lab_refuses_first;
  ]
