module Suite = Weir_test.Suite
module Programs = Weir_programs.Programs

(* Where in [whole] a piece from the middle of [of_] stands that no header interrupts. *)
let position whole ~of_ =
  let length = 64 in
  let stands piece i = String.sub whole i length = piece in
  let rec find piece i =
    match String.index_from_opt whole i piece.[0] with
    | Some i when i + length <= String.length whole ->
        if stands piece i then Some i else find piece (i + 1)
    | _ -> None
  in
  let rec from at =
    match find (String.sub of_ at length) 0 with Some i -> i | None -> from (at + length)
  in
  from (String.length of_ / 2)

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
  (* The same judge must find one flipped bit of the data. *)
  let whole = Programs.read file in
  let at = position whole ~of_:(Tcp_tests.data 3_000_000) in
  let flip i c = if i = at then Char.chr (Char.code c lxor 1) else c in
  Programs.write file (String.mapi flip whole);
  if World.faults env file = "" then Alcotest.fail "a flipped bit went unseen"

let judged_v6 () =
  Suite.needs_program "tshark";
  Programs.with_scratch @@ fun dir ->
  let file = Filename.concat dir "v6.pcap" in
  World.with_weir ~ipv6:true ~capture:file (fun w ->
      Tcp_tests.exchange w "IPv6, recorded, " (Tcp_tests.data 1_000_000);
      Tcp_tests.refused_by_weir w;
      Tcp_tests.refused_by_kernel w;
      Datagram_tests.kernel_asks w;
      Datagram_tests.unreachable_weir w;
      Datagram_tests.unreachable_kernel w;
      Datagram_tests.kernel_pings w;
      Datagram_tests.weir_pings w);
  Eio_main.run @@ fun env ->
  let n = World.check_clean_capture env file in
  if n < 2_000 then Alcotest.failf "only %d packets in the capture" n

(* Long frames, too; their checksums are the pseudo header's sums. *)
let long_frames () =
  Suite.needs_program "tshark";
  Programs.with_scratch @@ fun dir ->
  let file = Filename.concat dir "long.pcap" in
  World.with_weir ~offload:true ~capture:file (fun w ->
      Tcp_tests.exchange w "offload, recorded, " (Tcp_tests.data 3_000_000));
  Eio_main.run @@ fun env ->
  Alcotest.(check string) "malformed" "" (World.malformed env file);
  let from ip =
    World.tshark env file
      [ "-Y"; "ip.src == " ^ ip ^ " && frame.len > 10000"; "-T"; "fields"; "-e"; "frame.len" ]
  in
  Alcotest.(check bool) "long ones of the kernel" true (from World.kernel <> "");
  Alcotest.(check bool) "and of Weir" true (from World.weir <> "")

let lines s = List.filter (( <> ) "") (String.split_on_char '\n' s)
let fields line = List.map (String.split_on_char ',') (String.split_on_char '\t' line)

(* Blocks as tshark reads them: three at most beside timestamps, none empty or
   backwards; a D-SACK may stand first, the others do not touch each other. *)
let check_blocks line =
  match List.map (List.map int_of_string) (fields line) with
  | [ lefts; rights ] ->
      let n = List.length lefts in
      if n < 1 || n > 3 || n <> List.length rights then Alcotest.failf "%d blocks: %s" n line;
      let forward l r = (r - l) land 0xffff_ffff < 0x8000_0000 && l <> r in
      if not (List.for_all2 forward lefts rights) then Alcotest.failf "a block backwards: %s" line;
      let blocks = List.combine lefts rights in
      if List.length (List.sort_uniq compare blocks) <> n then Alcotest.failf "one twice: %s" line
  | _ -> Alcotest.failf "tshark says %S" line

let sacks () =
  Suite.needs_program "tshark";
  Programs.with_scratch @@ fun dir ->
  let file = Filename.concat dir "lossy.pcap" in
  (* The kernel's own filter would drop whole super-segments on their way here. *)
  World.with_weir ~impair:"loss=1%" ~capture:file (fun w ->
      Tcp_tests.with_nft_loss w (fun () ->
          Tcp_tests.exchange w "1% loss, recorded, " (Tcp_tests.data 3_000_000)));
  Eio_main.run @@ fun env ->
  ignore (World.check_clean_capture env file);
  let from address filter values =
    let filter = Printf.sprintf "ip.src == %s && %s" address filter in
    lines
      (World.tshark env file
         ([ "-Y"; filter; "-T"; "fields" ] @ List.concat_map (fun f -> [ "-e"; f ]) values))
  in
  let permitted a =
    List.length (from a "tcp.flags.syn == 1 && tcp.options.sack_perm" [ "ip.src" ])
  in
  if permitted World.weir < 2 then Alcotest.fail "Weir's SYNs do not permit SACK";
  if permitted World.kernel < 2 then Alcotest.fail "the kernel's SYNs do not permit SACK";
  let blocks a = from a "tcp.options.sack_le" [ "tcp.options.sack_le"; "tcp.options.sack_re" ] in
  let ours = blocks World.weir in
  if List.length ours < 50 then Alcotest.failf "only %d ACKs with blocks" (List.length ours);
  List.iter check_blocks ours;
  (* The kernel answers the same way, and the test above is no stricter than that. *)
  List.iter check_blocks (blocks World.kernel)

let cases =
  [
    Suite.case "tshark finds no malformed packet and no bad checksum" judged;
    Suite.case "nor over IPv6" judged_v6;
    Suite.case "tshark reads frames of 64 KB" long_frames;
    Suite.case "tshark reads the SACK blocks of both sides" sacks;
  ]
