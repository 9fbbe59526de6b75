module Suite = Weir_test.Suite

(* Everything once, recorded: nothing that Weir or the kernel sent may be
   malformed. Both sides' checksums are complete on a TAP without offload. *)
let judged () =
  Suite.needs_program "tshark";
  Weir_programs.Programs.with_scratch @@ fun dir ->
  let file = Filename.concat dir "all.pcap" in
  World.with_weir ~capture:file (fun w ->
      Tcp_tests.exchange w "recorded, " (Tcp_tests.data 3_000_000);
      Tcp_tests.refused_by_weir w;
      Tcp_tests.refused_by_kernel w;
      Datagram_tests.kernel_asks w;
      Datagram_tests.unreachable_weir w;
      Datagram_tests.unreachable_kernel w;
      Datagram_tests.kernel_pings w;
      Datagram_tests.weir_pings w);
  let n = Eio_main.run (fun env -> World.check_clean_capture env file) in
  if n < 8_000 then Alcotest.failf "only %d packets in the capture" n

let cases = [ Suite.case "tshark finds no malformed packet and no bad checksum" judged ]
