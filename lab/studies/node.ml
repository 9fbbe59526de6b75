open Weir_lab_harness

(* In the build folder, relative to this program. *)
let find_program () =
  let rec up dir =
    let file = Filename.concat dir "lab/js/workloads.bc.js" in
    if Sys.file_exists file then Some file
    else
      let parent = Filename.dirname dir in
      if parent = dir then None else up parent
  in
  up (Filename.dirname Sys.executable_name)

let reading ~waits line =
  match String.split_on_char ' ' line with
  | [ subject; test; ns ] ->
      let reading =
        {
          Measure.time = float_of_string ns;
          minor = nan;
          major = nan;
          promoted = nan;
          runs = waits;
          cpu_ns = 0;
          wall_ns = 0;
          largest = waits;
        }
      in
      Some (test, subject, reading)
  | _ -> None

let output args =
  let ic = Unix.open_process_args_in args.(0) args in
  let text = In_channel.input_all ic in
  (Unix.close_process_in ic, text)

let readings ~waits =
  match find_program () with
  | None -> Error "lab/js is not built (it needs js_of_ocaml)"
  | Some file -> (
      match output [| "node"; file; string_of_int waits |] with
      | WEXITED 0, text when String.ends_with ~suffix:"ok\n" text ->
          Ok (List.filter_map (reading ~waits) (String.split_on_char '\n' text))
      | WEXITED 127, _ -> Error "node is not installed"
      | _, text -> Error ("the workloads failed: " ^ text)
      | exception Unix.Unix_error (e, _, _) -> Error ("node: " ^ Unix.error_message e))
