open Weir_link
open Weir_link_unix
open Weir_test
open Record_tests

let check = Alcotest.(check int)
let header = Weir_wire.Pcap.header ~snaplen:Pcap_link.longest
let hour = 3_600_000_000_000

(* As long as it takes: what is lost is not lost for want of time. *)
let writer ?block ?(blocks = 8) ?(patience_ns = hour) ?(grace_ns = hour) ?rotation ?on_error
    ?on_drop path =
  match
    Capture_writer.create ?block ~blocks ~patience_ns ~grace_ns ?rotation ?on_error ?on_drop ~header
      path
  with
  | Ok w -> w
  | Error e -> Alcotest.fail e

let recorded w link =
  Pcap_link.record_by ~epoch_ns:0 ~append:(fun ~head b ~off ~len -> Capture_writer.append w ~head b ~off ~len) link
[@@ocamlformat "disable"]

(* [n] frames through a link that is recorded; what the capture of all would hold. *)
let send ?(first = 1) w n ~len =
  let a, b = Memory.pair ~mtu:60_000 () in
  let link = recorded w a and pool = Frames.pool () in
  List.init n (fun i ->
      let id = first + i in
      let f = Frames.make ~len:(len id) pool id in
      let packet = (id, f.len, Bytes.sub_string f.data f.off f.len) in
      Frames.send link ~now:id f;
      check "the link lives on" id (List.hd (Frames.drain ~now:0 b));
      packet)

let packet = Alcotest.(list (triple int int string))
let various id = 22 + (id * 7_919 mod 1_400)

let whole () =
  temporary @@ fun path ->
  let w = writer ~block:5_000 path in
  let sent = send w 2_000 ~len:various in
  Capture_writer.close w;
  Capture_writer.close w;
  Alcotest.check packet "all, in order" sent (packets (read path));
  check "records" 2_000 (Capture_writer.records w);
  check "lost" 0 (Capture_writer.lost w);
  if Capture_writer.blocks w > 8 then Alcotest.fail "more blocks than there may be"

let empty () =
  temporary @@ fun path ->
  Capture_writer.close (writer path);
  Alcotest.(check string) "the header" header (read path)

(* Records in pieces, as they come to [write]. *)
let in_pieces =
  Suite.qcheck
    (QCheck2.Test.make ~name:"a capture holds the records that fit a block" ~count:60
       QCheck2.Gen.(
         pair (int_range 50 400)
           (list_size (int_bound 60) (list_size (int_range 1 4) (string_size (int_bound 120)))))
       (fun (block, records) ->
         temporary @@ fun path ->
         let w = writer ~block path in
         let record parts =
           List.iter
             (fun s -> Capture_writer.write w (Bytes.of_string s) ~off:0 ~len:(String.length s))
             parts;
           Capture_writer.end_record w;
           String.concat "" parts
         in
         let fit, long =
           List.partition (fun r -> String.length r <= block) (List.map record records)
         in
         Capture_writer.close w;
         read path = header ^ String.concat "" fit
         && Capture_writer.lost w = List.length long
         && Capture_writer.dropped w = List.length long))

(* -- rotation ------------------------------------------------------------ *)

let with_files f =
  temporary @@ fun path ->
  let rec files n =
    let file = Capture_files.numbered path n in
    if Sys.file_exists file then file :: files (n + 1) else []
  in
  let all = ref [] in
  Fun.protect
    ~finally:(fun () -> List.iter (fun p -> if Sys.file_exists p then Sys.remove p) !all)
    (fun () ->
      all := List.init 500 (fun n -> Capture_files.numbered path (n + 1));
      f path (fun ~from -> files from))

let rotated () =
  with_files @@ fun path files ->
  let bytes = 3_000 in
  let w = writer ~block:2_000 ~rotation:{ bytes; keep = None } path in
  let sent = send w 300 ~len:various in
  Capture_writer.close w;
  let files = files ~from:1 in
  let captures = List.map read files in
  Alcotest.check packet "all, in order" sent (List.concat_map packets captures);
  let with_next a b =
    if String.length a > bytes then Alcotest.failf "%d bytes" (String.length a);
    let next = match packets b with (_, n, _) :: _ -> 16 + n | [] -> Alcotest.fail "no packet" in
    if String.length a + next <= bytes then Alcotest.fail "the next one had found room"
  in
  List.iteri (fun i a -> if i > 0 then with_next (List.nth captures (i - 1)) a) captures;
  check "lost" 0 (Capture_writer.lost w)

(* A file holds one record at least, and the oldest go. *)
let kept () =
  with_files @@ fun path files ->
  let w = writer ~rotation:{ bytes = 10; keep = Some 3 } path in
  let sent = send w 20 ~len:various in
  Capture_writer.close w;
  check "no others" 0 (List.length (files ~from:1));
  Alcotest.check packet "the latest"
    (List.filteri (fun i _ -> i >= 17) sent)
    (List.concat_map (fun f -> packets (read f)) (files ~from:18));
  check "deleted is not lost" 0 (Capture_writer.lost w)

let numbered () =
  let name = Alcotest.(check string) "name" in
  name "a.b/c-0001.pcap" (Capture_files.numbered "a.b/c.pcap" 1);
  name "a.b/c-12345" (Capture_files.numbered "a.b/c" 12_345)

let not_in_place_of_a_device () =
  let rotation = { Capture_files.bytes = 1_000; keep = None } in
  match Capture_writer.create ~rotation ~header "/dev/null" with
  | Ok _ -> Alcotest.fail "created"
  | Error e ->
      Alcotest.(check string)
        "a sentence" "cannot write several files: /dev/null is not a regular file" e

(* -- disks that are slow, full, or fail ---------------------------------- *)

(* A disk of which the test decides when it goes on. *)
let with_fifo f =
  temporary @@ fun path ->
  Sys.remove path;
  Unix.mkfifo path 0o600;
  let reader = Unix.openfile path [ O_RDONLY; O_NONBLOCK; O_CLOEXEC ] 0 in
  let was_open = ref true in
  let close () =
    if !was_open then Unix.close reader;
    was_open := false
  in
  Fun.protect ~finally:close (fun () -> f path reader close)

let read_all reader =
  Unix.clear_nonblock reader;
  In_channel.input_all (Unix.in_channel_of_descr (Unix.dup ~cloexec:true reader))

let slow () =
  with_fifo @@ fun path reader _ ->
  let told = ref 0 in
  let w = writer ~block:8_192 ~patience_ns:0 ~on_drop:(fun () -> incr told) path in
  let sent = send w 2_000 ~len:(fun _ -> 1_000) in
  if Capture_writer.blocks w > 8 then Alcotest.fail "more blocks than there may be";
  let dropped = Capture_writer.dropped w in
  if dropped < 1_000 then Alcotest.failf "only %d were dropped" dropped;
  check "told once" 1 !told;
  let reading = Domain.spawn (fun () -> read_all reader) in
  Capture_writer.close w;
  let got = packets (Domain.join reading) in
  check "the others were written" (2_000 - dropped) (List.length got);
  check "lost" dropped (Capture_writer.lost w);
  if not (List.for_all (fun p -> List.mem p sent) got) then Alcotest.fail "not what was sent";
  Alcotest.(check (list int))
    "in order"
    (List.sort compare (List.map (fun (t, _, _) -> t) got))
    (List.map (fun (t, _, _) -> t) got)

(* When the disk goes on, so does the capture. *)
let slow_for_a_while () =
  with_fifo @@ fun path reader _ ->
  let w = writer ~block:8_192 ~patience_ns:0 path in
  ignore (send w 2_000 ~len:(fun _ -> 1_000));
  let dropped = Capture_writer.dropped w in
  let reading = Domain.spawn (fun () -> read_all reader) in
  let rec until_recorded first =
    if first > 1_000_000 then Alcotest.fail "nothing is recorded any more";
    let before = Capture_writer.dropped w in
    ignore (send w 20 ~first ~len:(fun _ -> 1_000));
    if Capture_writer.dropped w > before then (
      Unix.sleepf 0.001;
      until_recorded (first + 20))
    else first
  in
  let first = until_recorded 2_001 in
  Capture_writer.close w;
  let got = List.map (fun (t, _, _) -> t) (packets (Domain.join reading)) in
  if not (List.mem (first + 19) got) then Alcotest.fail "the last frame is missing";
  if Capture_writer.lost w < dropped then Alcotest.fail "dropped, and written"

(* The end does not wait for who never reads; and then the reader goes. *)
let stuck () =
  with_fifo @@ fun path _ close ->
  let errors = ref [] in
  let on_error e = errors := e :: !errors in
  let w = writer ~block:200_000 ~blocks:2 ~patience_ns:0 ~grace_ns:20_000_000 ~on_error path in
  ignore (send w 1_000 ~len:(fun _ -> 1_000));
  Capture_writer.close w;
  Alcotest.(check (list string))
    "told"
    [ path ^ " accepts no more bytes: the last records are lost" ]
    !errors;
  check "lost" 1_000 (Capture_writer.lost w);
  close ();
  let rec ended tries =
    if tries = 0 then Alcotest.fail "the writer has not ended";
    if Capture_writer.failure w = None then (
      Unix.sleepf 0.001;
      ended (tries - 1))
  in
  ended 10_000

let full () =
  if not (Sys.file_exists "/dev/full") then Suite.skip "needs /dev/full";
  let told = ref [] in
  let w = writer ~block:3_000 ~on_error:(fun e -> told := e :: !told) "/dev/full" in
  ignore (send w 500 ~len:various);
  Capture_writer.close w;
  let why = "cannot write /dev/full: No space left on device" in
  Alcotest.(check (list string)) "told once" [ why ] !told;
  Alcotest.(check (option string)) "failure" (Some why) (Capture_writer.failure w);
  check "lost" 500 (Capture_writer.lost w)

let becomes_full ?rotation () =
  with_files @@ fun path files ->
  let failed = ref 0 and total = 400 in
  let w = writer ?rotation ~block:3_000 ~on_error:(fun _ -> incr failed) path in
  with_limit 50_001 (fun () ->
      ignore (send w total ~len:(fun _ -> 500));
      Capture_writer.close w);
  check "told" 1 !failed;
  let files = if rotation = None then [ path ] else files ~from:1 in
  let kept = List.length (List.concat_map (fun f -> packets (read f)) files) in
  if kept = 0 then Alcotest.fail "nothing was kept";
  check "the others are lost" (total - kept) (Capture_writer.lost w)

let no_such_folder () =
  temporary @@ fun path ->
  let file = path ^ ".folder/x.pcap" in
  match Capture_writer.create ~header file with
  | Ok _ -> Alcotest.fail "created"
  | Error e ->
      Alcotest.(check string)
        "a sentence"
        ("cannot write " ^ file ^ ": No such file or directory")
        e

let after_close () =
  temporary @@ fun path ->
  let w = writer path in
  let sent = send w 3 ~len:various in
  Capture_writer.close w;
  ignore (send w 2 ~len:various);
  Alcotest.check packet "the file" sent (packets (read path));
  check "lost" 2 (Capture_writer.lost w)

(* -- what is saved by itself --------------------------------------------- *)

let rec until tries what f =
  if tries = 0 then Alcotest.fail what;
  if not (f ()) then (
    Unix.sleepf 0.005;
    until (tries - 1) what f)

let saved_when_idle () =
  temporary @@ fun path ->
  let w = writer path in
  let round first =
    let sent = send w 2 ~first ~len:various in
    let length = List.fold_left (fun n (_, len, _) -> n + 16 + len) 0 sent in
    (sent, length)
  in
  let first, a = round 1 in
  let holds n () = String.length (read path) = String.length header + n in
  until 4_000 "the first frames are not saved" (holds a);
  let second, b = round 3 in
  until 4_000 "nor those after a pause" (holds (a + b));
  Alcotest.check packet "whole" (first @ second) (packets (read path));
  Capture_writer.close w;
  Alcotest.check packet "and not twice" (first @ second) (packets (read path))

let saved_by_signal () =
  temporary @@ fun path ->
  let w = writer path in
  let sent = send w 50 ~len:various in
  let before = Sys.signal Sys.sigusr2 (Signal_handle (fun _ -> Capture_writer.save w)) in
  Unix.kill (Unix.getpid ()) Sys.sigusr2;
  Sys.set_signal Sys.sigusr2 before;
  Alcotest.check packet "whole" sent (packets (read path));
  Capture_writer.close w

let no_allocation () =
  let w = writer ~blocks:64 "/dev/null" in
  let a, b = Memory.pair () in
  let link = recorded w a and pool = Frames.pool () in
  let round () =
    for now = 1 to 10_000 do
      let f = Frame.alloc pool in
      Frame.set_length f 1_514;
      link#send ~now f;
      Frame.release (b#receive ~now)
    done
  in
  round ();
  let before = Gc.minor_words () in
  round ();
  let words = Gc.minor_words () -. before in
  Capture_writer.close w;
  if words > 20_000. then Alcotest.failf "%.0f words for 10,000 frames" words

let cases =
  [
    Suite.case "all frames, in order" whole;
    Suite.case "no frame" empty;
    in_pieces;
    Suite.case "rotation: each file is a capture" rotated;
    Suite.case "rotation: the latest are kept" kept;
    Suite.case "rotation: names" numbered;
    Suite.case "rotation: not in place of a device" not_in_place_of_a_device;
    Suite.case "a slow disk" slow;
    Suite.case "a disk that is slow for a while" slow_for_a_while;
    Suite.case "a pipe that nobody reads" stuck;
    Suite.case "a full disk" full;
    Suite.case "a disk that becomes full" becomes_full;
    Suite.case "a disk that becomes full, rotation"
      (becomes_full ~rotation:{ bytes = 60_000; keep = None });
    Suite.case "a folder that is not there" no_such_folder;
    Suite.case "after close" after_close;
    Suite.case "saved when no more comes" saved_when_idle;
    Suite.case "saved by a signal handler" saved_by_signal;
    Suite.case "no allocation" no_allocation;
  ]
