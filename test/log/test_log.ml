open Weir_log
module Suite = Weir_test.Suite

let contents fd =
  let b = Bytes.create 65_536 and all = Buffer.create 65_536 in
  let rec go () =
    match Unix.read fd b 0 (Bytes.length b) with
    | 0 -> Buffer.contents all
    | n ->
        Buffer.add_subbytes all b 0 n;
        go ()
  in
  go ()

let lines_of text = List.filter (( <> ) "") (String.split_on_char '\n' text)
let numbered n = List.init n (fun i -> Printf.sprintf "line %d %s" i (String.make (i mod 90) 'x'))

(* [f] writes into a pipe; what a thread read from it until both ends of it that
   may write are closed. *)
let through_pipe f =
  let r, w = Unix.pipe ~cloexec:true () in
  let got = ref "" in
  let reader = Thread.create (fun () -> got := contents r) () in
  f w;
  Unix.close w;
  Thread.join reader;
  Unix.close r;
  !got

let in_order () =
  let expected = numbered 20_000 in
  let got =
    through_pipe (fun w ->
        let log = Lines.create ~capacity:10_000_000 w in
        List.iter (Lines.line log) expected;
        Lines.close ~timeout:20. log;
        Alcotest.(check int) "none lost" 0 (Lines.lost log);
        Lines.line log "too late";
        Alcotest.(check int) "but after the end" 1 (Lines.lost log))
  in
  Alcotest.(check bool) "the same" true (lines_of got = expected)

let of_domains () =
  let got =
    through_pipe (fun w ->
        let log = Lines.create ~capacity:10_000_000 w in
        let some () = List.iter (Lines.line log) (numbered 2_000) in
        let other = Domain.spawn some in
        some ();
        Domain.join other;
        Lines.close ~timeout:20. log)
  in
  let expected = List.sort compare (numbered 2_000 @ numbered 2_000) in
  Alcotest.(check bool) "all" true (List.sort compare (lines_of got) = expected)

(* A pipe that nobody reads: who logs goes on. Read at last, it says where lines
   are missing, and how many. *)
let nobody_reads () =
  let r, w = Unix.pipe ~cloexec:true () in
  let log = Lines.create ~capacity:50_000 w in
  let n = 20_000 in
  List.iter (Lines.line log) (numbered n);
  let lost = Lines.lost log in
  if lost < n / 2 then Alcotest.failf "only %d lost" lost;
  let got = ref "" in
  let reader = Thread.create (fun () -> got := contents r) () in
  let rec until_told () =
    if Lines.untold log > 0 then (
      Thread.delay 0.001;
      until_told ())
  in
  until_told ();
  Lines.line log "the last";
  Lines.close ~timeout:20. log;
  Unix.close w;
  Thread.join reader;
  Unix.close r;
  let kept, others = List.partition (String.starts_with ~prefix:"line ") (lines_of !got) in
  let told, last = List.partition (fun l -> l <> "the last") others in
  Alcotest.(check (list string)) "the last" [ "the last" ] last;
  let count l =
    Scanf.sscanf l
      "%d line%_[s] of this log lost: they were logged faster than they could be written%!" Fun.id
  in
  Alcotest.(check int) "all are told" lost (List.fold_left (fun n l -> n + count l) 0 told);
  Alcotest.(check int) "the others are there" (n - lost) (List.length kept)

(* Closing waits no longer than it says, and counts what it leaves. *)
let held_up () =
  let r, w = Unix.pipe ~cloexec:true () in
  let log = Lines.create ~capacity:500_000 w in
  let n = 5_000 in
  List.iter (Lines.line log) (numbered n);
  Lines.close ~timeout:0.05 log;
  let lost = Lines.lost log in
  if lost = 0 || Lines.untold log <> lost then
    Alcotest.failf "%d lost, %d untold" lost (Lines.untold log);
  let reader = Thread.create (fun () -> ignore (contents r)) () in
  Unix.close w;
  Thread.join reader;
  Unix.close r

let wait_for what p =
  let rec go n =
    if not (p ()) then
      if n = 0 then Alcotest.fail what
      else (
        Thread.delay 0.001;
        go (n - 1))
  in
  go 20_000

let in_file f =
  let path = Filename.temp_file "weir" ".log" in
  Fun.protect
    ~finally:(fun () -> Sys.remove path)
    (fun () ->
      f path;
      lines_of (In_channel.with_open_bin path In_channel.input_all))

(* The descriptor is [target] from now on. *)
let become fd target flags =
  let other = Unix.openfile target flags 0o600 in
  Unix.dup2 ~cloexec:true other fd;
  Unix.close other

let full_disk () =
  if not (Sys.file_exists "/dev/full") then Suite.skip "there is no /dev/full";
  let got =
    in_file (fun path ->
        let fd = Unix.openfile "/dev/full" [ O_WRONLY; O_CLOEXEC ] 0 in
        let log = Lines.create fd in
        List.iter (Lines.line log) [ "one"; "two"; "three" ];
        wait_for "lost" (fun () -> Lines.lost log = 3);
        Alcotest.(check (option string)) "why" (Some "No space left on device") (Lines.failure log);
        Alcotest.(check int) "not told" 3 (Lines.untold log);
        become fd path [ O_WRONLY; O_APPEND; O_CLOEXEC ];
        Lines.line log "four";
        Lines.close ~timeout:20. log;
        Alcotest.(check (pair int int)) "told" (3, 0) (Lines.lost log, Lines.untold log);
        Unix.close fd)
  in
  Alcotest.(check (list string))
    "in its place"
    [ "3 lines of this log lost: No space left on device"; "four" ]
    got

(* SIGPIPE is not ignored here: it must not end this process. *)
let broken_pipe () =
  let got =
    in_file (fun path ->
        let r, w = Unix.pipe ~cloexec:true () in
        let log = Lines.create w in
        let long = String.make 200_000 'x' in
        Lines.line log "whole";
        Lines.line log long;
        (* The pipe is full and the long line torn. *)
        wait_for "written" (fun () -> Unix.select [] [ w ] [] 0. = ([], [], []));
        Unix.close r;
        wait_for "lost" (fun () -> Lines.lost log = 1);
        Lines.line log "lost";
        wait_for "lost" (fun () -> Lines.lost log = 2);
        become w path [ O_WRONLY; O_APPEND; O_CLOEXEC ];
        Lines.line log "after";
        Lines.close ~timeout:20. log;
        Alcotest.(check int) "told" 0 (Lines.untold log);
        Unix.close w)
  in
  Alcotest.(check (list string)) "after" [ "2 lines of this log lost: Broken pipe"; "after" ] got

let nothing () =
  let log = Lines.create Unix.stdout in
  Lines.close log;
  Alcotest.(check int) "no line" 0 (Lines.lost log)

let () =
  Sys.set_signal Sys.sigpipe Signal_default;
  Suite.run "log"
    [
      ( "lines",
        [
          Suite.case "all, in order" in_order;
          Suite.case "of several domains" of_domains;
          Suite.case "nobody reads" nobody_reads;
          Suite.case "closed while held up" held_up;
          Suite.case "a full disk" full_disk;
          Suite.case "a broken pipe" broken_pipe;
          Suite.case "nothing to write" nothing;
        ] );
    ]
