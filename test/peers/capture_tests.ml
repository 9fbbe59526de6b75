module Suite = Weir_test.Suite
module Programs = Weir_programs.Programs

(* Everything once, recorded: nothing that Weir or the kernel sent may be
   malformed. Both sides' checksums are complete on a TAP without offload. *)
let judged () =
  Suite.needs_program "tshark";
  Programs.with_scratch @@ fun dir ->
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
  Eio_main.run @@ fun env ->
  let n = World.check_clean_capture env file in
  if n < 8_000 then Alcotest.failf "only %d packets in the capture" n;
  (* The same judge must find one flipped bit, here in the middle of the data. *)
  let whole = Programs.read file in
  let at = String.length whole / 2 in
  let flip i c = if i = at then Char.chr (Char.code c lxor 1) else c in
  Programs.write file (String.mapi flip whole);
  if World.faults env file = "" then Alcotest.fail "a flipped bit went unseen"

let cases = [ Suite.case "tshark finds no malformed packet and no bad checksum" judged ]
