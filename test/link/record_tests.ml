open Weir_link
open Weir_link_unix
open Weir_test
module Pcap = Weir_wire.Pcap

let check = Alcotest.(check int)

let to_buffer () =
  let buffer = Buffer.create 1_000 in
  (buffer, fun b ~off ~len -> Buffer.add_subbytes buffer b off len)

let packets file =
  let file = Bytes.of_string file in
  match Pcap.fold (fun l p -> p :: l) [] file with
  | Ok l ->
      List.rev_map
        (fun (p : Pcap.packet) -> (p.time, p.original, Bytes.sub_string file p.off p.captured))
        l
  | Error e -> Alcotest.failf "%a" Weir_wire.Error.pp e

let bytes (f : Frame.t) = Bytes.sub_string f.data f.off f.len

(* Two frames there, one back; what was sent, as packets. *)
let exchange ~epoch_ns (link : Link.t) (peer : Link.t) =
  let pool = Frames.pool () in
  let frame len n =
    let f = Frames.make ~len pool n in
    (f, bytes f)
  in
  let a, a_bytes = frame 64 1 and b, b_bytes = frame 1_514 2 and c, c_bytes = frame 100 3 in
  Frames.send link ~now:1_000_000_001 a;
  Frame.release (peer#receive ~now:0);
  Frames.send peer ~now:0 b;
  Frame.release (link#receive ~now:2_000_000_002);
  if link#receive ~now:2_000_000_003 != Frame.none then Alcotest.fail "a frame too many";
  Frames.send link ~now:3_000_000_003 c;
  [
    (epoch_ns + 1_000_000_001, 64, a_bytes);
    (epoch_ns + 2_000_000_002, 1_514, b_bytes);
    (epoch_ns + 3_000_000_003, 100, c_bytes);
  ]

let packet = Alcotest.(list (triple int int string))
let epoch_ns = 1_700_000_000_000_000_000

let both_directions () =
  let a, b = Memory.pair () in
  let buffer, write = to_buffer () in
  let link = Pcap_link.record ~epoch_ns ~write a in
  let sent = exchange ~epoch_ns link b in
  Alcotest.check packet "packets" sent (packets (Buffer.contents buffer));
  check "the link's own counts" 2 link#stats.tx_frames

let cut_short () =
  let a, b = Memory.pair () in
  let buffer, write = to_buffer () in
  let sent = exchange ~epoch_ns (Pcap_link.record ~snaplen:60 ~epoch_ns ~write a) b in
  Alcotest.check packet "60 bytes of each"
    (List.map (fun (t, n, s) -> (t, n, String.sub s 0 60)) sent)
    (packets (Buffer.contents buffer))

let dropped_too () =
  let a, _ = Memory.pair ~queue:1 () in
  let buffer, write = to_buffer () in
  let link = Pcap_link.record ~epoch_ns:0 ~write a in
  let pool = Frames.pool () in
  Frames.send link ~now:(-5) (Frames.make pool 1);
  Frames.send link ~now:7 (Frames.make pool 2);
  check "dropped" 1 link#stats.tx_dropped;
  Alcotest.(check (list int))
    "recorded all the same, no time before 1970" [ 0; 7 ]
    (List.map (fun (t, _, _) -> t) (packets (Buffer.contents buffer)))

let time_of_day () =
  let now = 123 in
  let wall = Wall_clock.epoch_ns ~now + now in
  let off = Float.abs (float_of_int wall -. (Unix.gettimeofday () *. 1e9)) in
  if off > 1e9 then Alcotest.failf "%g ns off" off

let no_allocation () =
  let a, b = Memory.pair () in
  let file = Bytes.create 2_000 in
  let write src ~off ~len = Bytes.blit src off file 0 len in
  let link = Pcap_link.record ~epoch_ns ~write a in
  let pool = Frames.pool () in
  let round () =
    for now = 1 to 10_000 do
      let f = Frame.alloc pool in
      Frame.set_length f 1_514;
      Frames.send link ~now f;
      Frames.send b ~now (b#receive ~now);
      Frame.release (link#receive ~now)
    done
  in
  round ();
  let before = Gc.minor_words () in
  round ();
  let words = Gc.minor_words () -. before in
  if words > 8. then Alcotest.failf "%.0f words" words

let temporary f =
  let path = Filename.temp_file "weir" ".pcap" in
  Fun.protect ~finally:(fun () -> Sys.remove path) (fun () -> f path)

let get = function Ok x -> x | Error e -> Alcotest.fail e
let read path = In_channel.with_open_bin path In_channel.input_all

let lines command =
  let ic = Unix.open_process_in command in
  let lines = In_channel.input_all ic in
  match Unix.close_process_in ic with
  | WEXITED 0 -> String.split_on_char '\n' (String.trim lines)
  | _ -> Alcotest.failf "%s failed" command

let by_tshark () =
  Suite.needs_program "tshark";
  temporary (fun path ->
      let a, b = Memory.pair () in
      let writer = get (File_writer.create path) in
      let link = Pcap_link.record ~snaplen:200 ~epoch_ns ~write:(File_writer.write writer) a in
      ignore (exchange ~epoch_ns link b);
      File_writer.close writer;
      Alcotest.(check (list string))
        "as tshark reads it"
        [
          "1700000001.000000001,64,64,02:00:00:00:00:01";
          "1700000002.000000002,1514,200,02:00:00:00:00:01";
          "1700000003.000000003,100,100,02:00:00:00:00:01";
        ]
        (lines
           (Printf.sprintf
              "tshark -r %s -T fields -E separator=, -e frame.time_epoch -e frame.len -e \
               frame.cap_len -e eth.src 2>/dev/null"
              (Filename.quote path)));
      Alcotest.(check bool)
        "nanoseconds" true
        (List.exists
           (fun l -> String.ends_with ~suffix:"nanoseconds (9)" l)
           (lines
              (Printf.sprintf "capinfos -I -t -y -N -s %s; capinfos %s | grep -i precision" path
                 path))))

let writes_all =
  Suite.qcheck
    (QCheck2.Test.make ~name:"a file holds what was written" ~count:100
       QCheck2.Gen.(pair (int_range 1 100) (list_size (int_bound 30) (string_size (int_bound 300))))
       (fun (buffer, parts) ->
         temporary (fun path ->
             let w = get (File_writer.create ~buffer path) in
             List.iteri
               (fun i s ->
                 File_writer.write w (Bytes.of_string s) ~off:0 ~len:(String.length s);
                 if i mod 7 = 3 then File_writer.flush w)
               parts;
             File_writer.close w;
             File_writer.close w;
             let want = String.concat "" parts in
             read path = want
             && File_writer.written w = String.length want
             && File_writer.dropped w = 0)))

let disk_full () =
  if not (Sys.file_exists "/dev/full") then Suite.skip "needs /dev/full";
  let told = ref [] in
  let on_error e = told := e :: !told in
  let w = get (File_writer.create ~buffer:1_000 ~on_error "/dev/full") in
  let a, b = Memory.pair () in
  let recorded () = File_writer.end_record w in
  let link = Pcap_link.record ~recorded ~epoch_ns ~write:(File_writer.write w) a in
  let pool = Frames.pool () in
  for n = 1 to 50 do
    Frames.send link ~now:n (Frames.make pool n)
  done;
  Alcotest.(check (list int)) "the link lives on" (List.init 50 succ) (Frames.drain ~now:0 b);
  File_writer.close w;
  Alcotest.(check (list string))
    "told once"
    [ "cannot write /dev/full: No space left on device" ]
    !told;
  Alcotest.(check bool) "failed" true (File_writer.failed w);
  check "nothing is in the file" (File_writer.written w) (File_writer.dropped w);
  check "all was counted" (24 + (50 * (16 + 64))) (File_writer.written w);
  check "no frame is in it" 50 (File_writer.lost_records w)

(* [f ()] while no file of this process may grow past [bytes]. *)
let with_limit bytes f =
  Suite.needs_program "prlimit";
  let limit n =
    let command = Printf.sprintf "prlimit --pid %d --fsize=%s:unlimited" (Unix.getpid ()) n in
    if Sys.command command <> 0 then Suite.skip "no limit to be had"
  in
  let before = Sys.signal Sys.sigxfsz Signal_ignore in
  limit (string_of_int bytes);
  Fun.protect f ~finally:(fun () ->
      limit "unlimited";
      Sys.set_signal Sys.sigxfsz before)

(* The file ends with a whole frame, and the others are counted; with one flush
   of several frames, and with frames longer than the buffer. *)
let disk_becomes_full () =
  let try_it ~buffer ~len =
    temporary (fun path ->
        let failed = ref 0 and total = 200 in
        let w = get (File_writer.create ~buffer ~on_error:(fun _ -> incr failed) path) in
        let a, _ = Memory.pair () in
        let recorded () = File_writer.end_record w in
        let link = Pcap_link.record ~recorded ~epoch_ns ~write:(File_writer.write w) a in
        let pool = Frames.pool () in
        with_limit 50_001 (fun () ->
            for n = 1 to total do
              link#send ~now:n (Frames.make ~len pool n)
            done;
            File_writer.close w);
        check "told" 1 !failed;
        let kept = List.length (packets (read path)) in
        if kept = 0 then Alcotest.fail "nothing was kept";
        check "the others are lost" (total - kept) (File_writer.lost_records w);
        check "bytes" (File_writer.written w - String.length (read path)) (File_writer.dropped w))
  in
  try_it ~buffer:1_000 ~len:500;
  try_it ~buffer:7_000 ~len:500;
  try_it ~buffer:300 ~len:1_400;
  try_it ~buffer:30_000 ~len:1_400

let no_such_folder () =
  temporary @@ fun path ->
  let file = path ^ ".folder/x.pcap" in
  match File_writer.create file with
  | Ok _ -> Alcotest.fail "created"
  | Error e ->
      Alcotest.(check string)
        "a sentence"
        ("cannot write " ^ file ^ ": No such file or directory")
        e

let after_close () =
  temporary (fun path ->
      let w = get (File_writer.create path) in
      File_writer.write w (Bytes.of_string "abc") ~off:0 ~len:3;
      File_writer.close w;
      File_writer.write w (Bytes.of_string "def") ~off:0 ~len:3;
      File_writer.flush w;
      Alcotest.(check string) "the file" "abc" (read path);
      check "dropped" 3 (File_writer.dropped w))

let traced () =
  let a, b = Memory.pair () in
  let seen = ref [] in
  let link = Trace_link.wrap ~print:(fun l -> seen := l :: !seen) a in
  let pool = Frames.pool () in
  let arp =
    let f = Frame.alloc pool in
    Frame.set_length f 42;
    let mac n = Weir_wire.Mac.of_int (0x0200_0000_0000 + n) in
    let dst = Weir_wire.Mac.broadcast in
    Weir_wire.Ethernet.emit { dst; src = mac 1; ethertype = 0x0806 } f.data ~off:0;
    let ip s = Weir_wire.Ip.of_ipaddr (Ipaddr.of_string_exn s) in
    Weir_wire.Arp.emit
      {
        operation = Request;
        sender_mac = mac 1;
        sender_ip = ip "10.0.0.1";
        target_mac = mac 0;
        target_ip = ip "10.0.0.2";
      }
      f.data ~off:14;
    f
  in
  Frames.send link ~now:1_200 arp;
  Frames.send b ~now:0 (b#receive ~now:0);
  Frame.release (link#receive ~now:2_000_000_000);
  Alcotest.(check bool) "passes" true (link#receive ~now:3_000_000_000 == Frame.none);
  Suite.expected ~file:"test/link/trace.expected" (String.concat "\n" (List.rev !seen) ^ "\n")

(* A SYN with number 7, its answer lost, and its repetition. *)
let traced_numbers () =
  let syn =
    let b = Bytes.make 54 '\000' in
    let open Weir_wire in
    let src = Ip.of_int 0x0a000001 and dst = Ip.of_int 0x0a000002 in
    Ethernet.emit { dst = Mac.of_int 2; src = Mac.of_int 1; ethertype = 0x0800 } b ~off:0;
    Ipv4.emit { Ipv4.base with src; dst; protocol = 6; data_length = 20 } b ~off:14;
    let pseudo = Ip.pseudo_sum ~src ~dst ~protocol:6 ~length:20 in
    Tcp.emit
      { Tcp.base with src_port = 1; dst_port = 2; seq = 7; syn = true }
      ~pseudo ~data_sum:0 b ~off:34;
    b
  in
  let shown ?absolute want =
    let a, _ = Memory.pair () in
    let print line = Alcotest.(check string) "line" want line in
    let link = Trace_link.wrap ?absolute ~print a in
    for _ = 1 to 2 do
      let f = Frame.alloc (Frames.pool ()) in
      Frame.set_length f (Bytes.length syn);
      Bytes.blit syn 0 f.data f.off (Bytes.length syn);
      Frames.send link ~now:0 f
    done
  in
  let line seq = "0.000000000 out 10.0.0.1:1 > 10.0.0.2:2 TCP S seq=" ^ seq ^ " win=0 len 0" in
  shown (line "0");
  shown ~absolute:false (line "0");
  shown ~absolute:true (line "7")

let cases =
  [
    Suite.case "both directions are recorded" both_directions;
    Suite.case "packets are cut to snaplen" cut_short;
    Suite.case "what the link drops is recorded" dropped_too;
    Suite.case "the time of day" time_of_day;
    Suite.case "no allocation" no_allocation;
    Suite.case "tshark reads the file" by_tshark;
    Suite.case "a full disk" disk_full;
    Suite.case "a disk that becomes full" disk_becomes_full;
    Suite.case "a folder that is not there" no_such_folder;
    Suite.case "after close" after_close;
    writes_all;
    Suite.case "a trace" traced;
    Suite.case "numbers of a trace" traced_numbers;
  ]
