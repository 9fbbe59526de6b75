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
    ]
  in
  let default = Term.(ret (const (`Help (`Pager, None)))) in
  Cmd.group ~default
    (Cmd.info "weir" ~version:"0.1.0" ~man ~doc:"a TCP/IP stack in user space, and its tools")
    [ Serve.cmd; Get.cmd; Ping.cmd; Iperf.cmd; Dump.cmd; Demo.cmd ]

(* Cmdliner's own status for bad arguments is 124; scripts expect 2. *)
let () =
  Sys.set_signal Sys.sigpipe Signal_ignore;
  let status = match Cmd.eval' cmd with 124 -> 2 | 125 -> 1 | s -> s in
  exit status
