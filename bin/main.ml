open Cmdliner

let cmd =
  let man =
    [
      `S Manpage.s_description;
      `P
        "Weir is a TCP/IP stack in OCaml, in user space. Without root, its hosts meet on a link in \
         memory; with a TAP device they meet the kernel.";
      `S Manpage.s_examples;
      `P "$(b,weir serve site) serves a folder at http://127.0.0.1:8080/";
      `P "$(b,weir iperf) measures TCP in memory";
      `P "$(b,weir dump demo.pcap) prints a capture";
      `P "$(b,weir sim restart --seeds 1-1000) looks for a seed under which something breaks";
    ]
  in
  let default = Term.(ret (const (`Help (`Pager, None)))) in
  Cmd.group ~default
    (Cmd.info "weir" ~exits:Fail.exits ~version:"0.1.0" ~man
       ~doc:"a TCP/IP stack in user space, and its tools")
    [ Serve.cmd; Get.cmd; Ping.cmd; Iperf.cmd; Dump.cmd; Sim.cmd; Lab.cmd; Demo.cmd ]

let rec plain = function
  | '\027' :: rest -> after_escape rest
  | c :: rest -> c :: plain rest
  | [] -> []

and after_escape = function 'm' :: rest -> plain rest | _ :: rest -> after_escape rest | [] -> []

(* Cmdliner shows usage first and the fault after it, on wrapped and coloured
   lines; of these the fault is kept, in one line. *)
let fault said =
  let said = String.of_seq (List.to_seq (plain (List.of_seq (String.to_seq said)))) in
  let rec from = function
    | l :: _ as lines when String.starts_with ~prefix:"weir: " l -> lines
    | _ :: rest -> from rest
    | [] -> [ "weir: "; said ]
  in
  Fail.one_line (String.concat "\n" (from (String.split_on_char '\n' said)))

(* Cmdliner's own status for bad arguments is 124; scripts expect 2. *)
let evaluate () =
  let said = Buffer.create 256 in
  let err = Format.formatter_of_buffer said in
  let status = Fail.run_status (fun () -> Cmd.eval' ~catch:false ~err cmd) in
  Format.pp_print_flush err ();
  let said = Buffer.contents said in
  (try if status = 124 then prerr_endline (fault said ^ " (see --help)") else prerr_string said
   with Sys_error _ -> ());
  match status with 124 -> 2 | 125 -> 1 | s -> s

let () =
  Weir_lab_stack.Worker.run_if_asked ();
  Sys.set_signal Sys.sigpipe Signal_ignore;
  assert Weir_descriptors.occupied;
  let status = evaluate () in
  let unwritten = Fail.flush_all ~told:(status <> 0) in
  exit (if status = 0 then unwritten else status)
