open Cmdliner

let be_worker_if_asked = Weir_lab.Lab.be_worker_if_asked
let known = Weir_lab.Lab.names
let all_names = String.concat ", " known

let check_study name =
  if not (List.mem name known) then Fail.usage "there is no study %s: choose from %s" name all_names

(* Check the file before minutes of measuring. *)
let check_writable file =
  try Out_channel.(close (open_gen [ Open_append; Open_creat ] 0o644 file))
  with Sys_error e -> Fail.usage "--json: %s" e

let check_folder dir =
  if Sys.file_exists dir && not (Sys.is_directory dir) then
    Fail.usage "--html: %s is not a folder" dir

let check_rounds n = if n < 2 || n > 1000 then Fail.usage "--rounds: %d is not from 2 to 1000" n

let read_baseline file =
  match Weir_lab.Baseline.read file with
  | Ok rows -> rows
  | Error e -> Fail.usage "--baseline: %s" e

let run quick rounds json html baseline check studies =
  List.iter check_study studies;
  Option.iter check_rounds rounds;
  let baseline = Option.map read_baseline baseline in
  Option.iter check_writable json;
  Option.iter check_folder html;
  if not check then
    match Weir_lab.Lab.run ~quick ?rounds ?json ?html ?baseline studies with
    | Ok () -> ()
    | Error e -> Fail.failed "%s" e

let quick = Arg.(value & flag & info [ "quick" ] ~doc:"Measure less: seconds instead of minutes.")

let rounds =
  let doc =
    "Measure in $(docv) processes, one after the other (default 12, or 3 with $(b,--quick)). More \
     give narrower intervals. The stack study has its own number."
  in
  Arg.(value & opt (some int) None & info [ "rounds" ] ~docv:"N" ~doc)

let file name what = Arg.(value & opt (some string) None & info [ name ] ~docv:"FILE" ~doc:what)
let json = file "json" "Write the numbers to $(docv)."

let baseline =
  file "baseline"
    "Print what has changed since an earlier run wrote its numbers to $(docv) with $(b,--json)."

let html =
  Arg.(
    value
    & opt (some string) None
    & info [ "html" ] ~docv:"DIR"
        ~doc:
          "Write a page with tables and plots to $(docv)/index.html, and a JSON file for each \
           study.")

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
        "Repeats published studies on this machine and prints their results with the published \
         numbers. What needs a TAP or another program (wrk, nginx, node, cargo, go) is left out, \
         with a message, where that is missing. The codecs study also measures Rust, Go and C++, \
         and the stack study other stacks: $(b,./weir lab) first builds them once, with \
         `lab/peers/build`, and may fetch packages. With $(b,--quick) it builds nothing.";
      `P
        "The studies of flows, threads and codecs run in rounds. Each round is a process of its \
         own, and the rounds of all studies alternate. An interval says where a second run would \
         find the number. A change from the baseline is printed if it is outside both intervals \
         and greater than 3%.";
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
      const (fun q r j h b c s -> Fail.run (fun () -> run q r j h b c s))
      $ quick $ rounds $ json $ html $ baseline $ check $ studies)
