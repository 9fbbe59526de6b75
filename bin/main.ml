open Cmdliner

let cmd =
  let man =
    [
      `S Manpage.s_description;
      `P
        "Weir is a TCP/IP stack in OCaml, in user space. Without root, its hosts are joined by a \
         link in memory; a TAP device joins a host to the kernel.";
      `S Manpage.s_examples;
      `P "$(b,weir serve site) serves a folder at http://127.0.0.1:8080/";
      `P "$(b,weir iperf) measures TCP in memory";
      `P "$(b,weir dump demo.pcap) prints a capture";
      `P "$(b,weir sim restart --seeds 1-1000) looks for a seed that makes a check fail";
    ]
  in
  let default = Term.(ret (const (`Help (`Pager, None)))) in
  Cmd.group ~default
    (Cmd.info "weir" ~exits:Fail.exits ~version:Weir_arguments.version ~man
       ~doc:"a TCP/IP stack in user space, and its tools")
    [
      Serve.cmd;
      Get.cmd;
      Ping.cmd;
      Iperf.cmd;
      Resolve.cmd;
      Dump.cmd;
      Sim.cmd;
      Lab.cmd;
      Demo.cmd;
      Run.cmd;
    ]

let () =
  Lab.be_worker_if_asked ();
  Sys.set_signal Sys.sigpipe Signal_ignore;
  assert Weir_descriptors.occupied;
  let status = Weir_arguments.evaluate ~run:Fail.run_status cmd in
  let unwritten = Fail.flush_all ~told:(status <> 0) in
  exit (if status = 0 then unwritten else status)
