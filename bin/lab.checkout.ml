open Cmdliner

let be_worker_if_asked = Weir_lab_stack.Worker.run_if_asked
let known = Weir_lab.Lab.names
let all_names = String.concat ", " known

let check_study name =
  if not (List.mem name known) then Fail.usage "there is no study %s; there are %s" name all_names

(* Check the file before minutes of measuring. *)
let check_writable file =
  try Out_channel.(close (open_gen [ Open_append; Open_creat ] 0o644 file))
  with Sys_error e -> Fail.usage "--json: %s" e

let check_folder dir =
  if Sys.file_exists dir && not (Sys.is_directory dir) then
    Fail.usage "--html: %s is not a folder" dir

let read_baseline file =
  match Weir_lab.Baseline.read file with
  | Ok rows -> rows
  | Error e -> Fail.usage "--baseline: %s" e

let run quick json html baseline check studies =
  List.iter check_study studies;
  let baseline = Option.map read_baseline baseline in
  Option.iter check_writable json;
  Option.iter check_folder html;
  if not check then
    match Weir_lab.Lab.run ~quick ?json ?html ?baseline studies with
    | Ok () -> ()
    | Error e -> Fail.failed "%s" e

let quick = Arg.(value & flag & info [ "quick" ] ~doc:"Measure less: seconds instead of minutes.")
let file name what = Arg.(value & opt (some string) None & info [ name ] ~docv:"FILE" ~doc:what)
let json = file "json" "Write the numbers to $(docv)."

let baseline =
  file "baseline"
    "Print the differences from the numbers that an earlier $(b,--json) wrote to $(docv)."

let html =
  Arg.(
    value
    & opt (some string) None
    & info [ "html" ] ~docv:"DIR" ~doc:"Write a page with tables and plots to $(docv)/index.html.")

let check =
  Arg.(value & flag & info [ "check" ] ~docs:Manpage.s_none ~doc:"Only check the arguments.")

let studies =
  let doc = Printf.sprintf "The studies to run: %s (default: all)." all_names in
  Arg.(value & pos_all string [] & info [] ~docv:"STUDY" ~doc)

let cmd =
  let man =
    [
      `S Manpage.s_description;
      `P
        "Reruns published studies on this machine and prints their results beside the published \
         numbers. Parts that need a TAP or another program (wrk, nginx, node, cargo, go) are left \
         out, with a message, where it is missing. The codecs study also measures Rust, Go and \
         C++, and the stack study other stacks, with what `lab/peers/build` made: $(b,./weir lab) \
         runs that first, once, and may fetch packages; with $(b,--quick) it does not.";
      `S Manpage.s_examples;
      `P "$(b,weir lab stack --quick) takes seconds";
      `P "$(b,weir lab --json out.json --html out) runs all and writes a report";
      `P "$(b,weir lab stack --baseline out.json) compares with that";
    ]
  in
  Cmd.v
    (Cmd.info "lab" ~exits:Fail.exits ~man
       ~doc:"measure flows, threads, stacks and codecs against their rivals")
    Term.(
      const (fun q j h b c s -> Fail.run (fun () -> run q j h b c s))
      $ quick $ json $ html $ baseline $ check $ studies)
