(* `weir dump` over captures that stand still, grow, are cut and replaced. *)

open Weir_programs
module Suite = Weir_test.Suite

let capture name = Filename.concat (Suite.project_root ()) ("test/wire/captures/" ^ name)
let tcp = capture "tcp.pcap"
let dump env ?stdin args = Programs.succeed env ?stdin (Programs.weir "dump" args)
let count s = List.length (Usage_tests.lines s)
let under_eio f () = Eio_main.run (fun env -> f (env : Programs.env))

let check_lines what want s =
  if count s <> want then Alcotest.failf "%s: %d lines in place of %d:\n%s" what (count s) want s

(* -- what is printed ----------------------------------------------------- *)

let numbers env =
  let shown args part =
    let out = dump env (tcp :: args) in
    if not (Programs.contains out part) then Alcotest.failf "no %S in\n%s" part out
  in
  shown [] "TCP S seq=0 win=";
  shown [] "TCP S. seq=0 ack=1 win=";
  let trace args =
    Programs.succeed env (Programs.weir "sim" ([ "echo"; "--seed"; "1"; "--trace" ] @ args))
  in
  let relative s = Programs.contains s "TCP S seq=0 win=" in
  Alcotest.(check bool) "sim --trace" true (relative (trace []));
  Alcotest.(check bool) "sim --trace --absolute" false (relative (trace [ "--absolute" ]));
  shown [ "--absolute" ] "TCP S seq=3645362415 win="

let filters env =
  let all = count (dump env [ tcp ]) in
  let resets = dump env [ tcp; "tcp.rst" ] in
  check_lines "resets" 2 resets;
  let same args =
    Alcotest.(check string) (String.concat " " args) resets (dump env (tcp :: args))
  in
  same [ "port"; "1-65535"; "and"; "tcp.rst" ];
  same [ "tcp and tcp.rst" ];
  same [ "-Y"; "tcp.flags.reset == 1" ];
  check_lines "the others" (all - 2) (dump env [ tcp; "not"; "tcp.rst" ]);
  check_lines "none" 0 (dump env [ tcp; "udp" ]);
  check_lines "-c" 1 (dump env [ tcp; "-c"; "1"; "tcp.rst" ]);
  check_lines "-c" 5 (dump env [ tcp; "-c"; "5" ])

(* An interface of a type that is not known. *)
let unknown_type env =
  Programs.with_scratch @@ fun dir ->
  let file = Filename.concat dir "c.pcap" in
  Programs.write file (String.mapi (fun i c -> if i = 20 then '\147' else c) (Programs.read tcp));
  let out = dump env [ file; "-c"; "1" ] in
  Alcotest.(check bool) "said" true (Programs.contains out "link type 147, ");
  check_lines "it is not TCP" 1 (dump env [ file; "-c"; "1"; "not tcp" ]);
  check_lines "it is not TCP" 0 (dump env [ file; "tcp" ]);
  Alcotest.(check bool)
    "JSON" true
    (Programs.contains (dump env [ file; "--json"; "-c"; "1" ]) {|"link_type":147|})

let json env =
  let parse line = Yojson.Safe.from_string line in
  let objects = List.map parse (Usage_tests.lines (dump env [ tcp; "--json" ])) in
  check_lines "as many" (List.length objects) (dump env [ tcp ]);
  let open Yojson.Safe.Util in
  let at path o = List.fold_left (fun o name -> member name o) o (String.split_on_char '.' path) in
  let syn = List.find (fun o -> at "tcp.syn" o = `Bool true) objects in
  let is path want = Alcotest.(check string) path want (Yojson.Safe.to_string (at path syn)) in
  is "tcp.seq" "0";
  is "tcp.seq_raw" "3645362415";
  is "tcp.stream" "0";
  is "tcp.ack" "null";
  is "tcp.sack_le" "null";
  is "ip.src" {|"10.0.0.1"|};
  is "eth.type" "2048";
  is "tcp.port" "null";
  if not (List.exists (fun o -> at "tcp.dstport" o = `Int 81) objects) then
    Alcotest.fail "nothing was sent to port 81"

let jq env =
  Suite.needs_program "jq";
  let out = dump env [ tcp; "--json" ] in
  let got = Programs.succeed env ~stdin:out [ "jq"; "-r"; "select(.tcp.rst) | .ip.src" ] in
  Alcotest.(check string) "who resets" "10.0.0.1\n10.0.0.2\n" got

(* -- streams ------------------------------------------------------------- *)

let streams env =
  let out = dump env [ tcp; "--follow-stream"; "0" ] in
  Alcotest.(check bool) "headline" true (String.starts_with ~prefix:"stream 0: > is client 10." out);
  let first = List.nth (Usage_tests.lines out) 0 in
  let endpoints =
    List.filter_map
      (fun w -> if String.contains w '.' then Some (List.hd (String.split_on_char ',' w)) else None)
      (String.split_on_char ' ' first)
  in
  let same name = Alcotest.(check string) name out (dump env [ tcp; "--follow-stream"; name ]) in
  same (String.concat "," endpoints);
  same (String.concat "," (List.rev endpoints));
  let fails args =
    let r = Programs.run env (Programs.weir "dump" (tcp :: args)) in
    Alcotest.(check int) (String.concat " " args) 1 r.status;
    Alcotest.(check int) "lines" 1 (count r.err)
  in
  fails [ "--follow-stream"; "4000" ];
  fails [ "--follow-stream"; "10.0.0.1:1,10.0.0.2:2" ]

(* What a side has sent is printed for a terminal, which it must not command. *)
let escaped env =
  let raw side = dump env [ tcp; "--follow-stream"; "0"; "--raw"; side ] in
  let text = dump env [ tcp; "--follow-stream"; "0" ] in
  if String.exists (fun c -> (c < ' ' && c <> '\n' && c <> '\t') || c > '~') text then
    Alcotest.failf "printed %S" text;
  let pieces = Usage_tests.lines (dump env [ tcp; "--follow-stream"; "0"; "--json" ]) in
  let hex s =
    String.concat ""
      (List.map (fun c -> Printf.sprintf "%02x" (Char.code c)) (List.of_seq (String.to_seq s)))
  in
  let of_side side =
    let piece line =
      let o = Yojson.Safe.from_string line in
      let open Yojson.Safe.Util in
      if member "from" o = `String side then to_string (member "hex" o) else ""
    in
    String.concat "" (List.map piece pieces)
  in
  let check side =
    if raw side = "" then Alcotest.failf "the %s has sent nothing" side;
    Alcotest.(check string) side (hex (raw side)) (of_side side)
  in
  check "client";
  check "server"

(* -- captures that grow -------------------------------------------------- *)

let whole = lazy (Programs.read tcp)
let header () = String.sub (Lazy.force whole) 0 24
let body () = String.sub (Lazy.force whole) 24 (String.length (Lazy.force whole) - 24)

let append file s =
  Out_channel.with_open_gen [ Open_append; Open_creat; Open_binary ] 0o644 file (fun out ->
      output_string out s)

let standard_input env =
  let want = dump env [ tcp ] in
  let stdin = Lazy.force whole in
  Alcotest.(check string) "-" want (dump env ~stdin [ "-" ]);
  Alcotest.(check string) "- with -f ends too" want (dump env ~stdin [ "-"; "-f" ]);
  let cut = String.sub stdin 0 (String.length stdin - 5) in
  let r = Programs.run env ~stdin:cut (Programs.weir "dump" [ "-" ]) in
  Alcotest.(check int) "cut: status" 1 r.status;
  Alcotest.(check int) "cut: lines" (count want - 1) (count r.out);
  Alcotest.(check bool) "cut: told" true (Programs.contains r.err "standard input: malformed")

(* A pipe that stays open: what came is printed before more is waited for. *)
let pipe (env : Programs.env) =
  Programs.with_scratch @@ fun dir ->
  Eio.Switch.run @@ fun sw ->
  let fifo = Filename.concat dir "fifo" in
  Unix.mkfifo fifo 0o600;
  let command = Filename.quote_command (List.hd (Programs.weir "dump" [])) [ "dump"; fifo ] in
  let reader = Programs.start ~sw env [ "sh"; "-c"; command ] in
  let out = Eio_unix.run_in_systhread (fun () -> Unix.openfile fifo [ O_WRONLY; O_CLOEXEC ] 0) in
  let write s = ignore (Unix.write_substring out s 0 (String.length s) : int) in
  let wait n =
    Eio.Time.with_timeout_exn env#clock 20. (fun () ->
        while count (Programs.output reader) < n do
          Eio.Time.sleep env#clock 0.02
        done)
  in
  let first = 24 + 16 + 74 in
  write (String.sub (Lazy.force whole) 0 first);
  wait 1;
  write (String.sub (Lazy.force whole) first 2_000);
  wait 4;
  Unix.close out;
  Alcotest.(check int) "cut" 1 (Programs.finish reader)

let growing (env : Programs.env) =
  Programs.with_scratch @@ fun dir ->
  Eio.Switch.run @@ fun sw ->
  let file = Filename.concat dir "c.pcap" in
  Programs.write file "";
  let all = count (dump env [ tcp ]) in
  let follower = Programs.start ~sw env (Programs.weir "dump" [ file; "-f" ]) in
  let wait n =
    let seen () = count (Programs.output follower) in
    (try
       Eio.Time.with_timeout_exn env#clock 20. (fun () ->
           while seen () < n do
             Eio.Time.sleep env#clock 0.02
           done)
     with Eio.Time.Timeout -> Alcotest.failf "%d lines of %d" (seen ()) n);
    Alcotest.(check int) "lines" n (seen ())
  in
  (* In two parts, the first of which ends inside a packet. *)
  append file (header ());
  append file (String.sub (body ()) 0 500);
  append file (String.sub (body ()) 500 (String.length (body ()) - 500));
  wait all;
  append file (body ());
  wait (2 * all);
  (* Cut and begun anew. *)
  Unix.truncate file 0;
  append file (header ());
  Eio.Time.sleep env#clock 0.3;
  append file (body ());
  wait (3 * all);
  (* Renamed; another takes its place a while later. *)
  Sys.rename file (file ^ ".1");
  append (file ^ ".1") (body ());
  wait (4 * all);
  append file (Lazy.force whole);
  wait (5 * all);
  Alcotest.(check int) "ends with SIGINT" (128 + 2) (Programs.finish ~signal:Sys.sigint follower)

(* Kilobytes, the most that it had. *)
let peak_memory pid =
  let lines =
    In_channel.with_open_text (Printf.sprintf "/proc/%d/status" pid) In_channel.input_lines
  in
  let peak = List.find (String.starts_with ~prefix:"VmHWM:") lines in
  Scanf.sscanf peak "VmHWM: %d kB" Fun.id

(* What is read is forgotten: a capture may be longer than the memory. *)
let bounded (env : Programs.env) =
  Programs.with_scratch @@ fun dir ->
  Eio.Switch.run @@ fun sw ->
  let file = Filename.concat dir "c.pcap" in
  let body = body () and times = 6_000 in
  Out_channel.with_open_bin file (fun out ->
      output_string out (header ());
      for _ = 1 to times do
        output_string out body
      done);
  let last = times * count (dump env [ tcp ]) in
  let peak args =
    let last = Printf.sprintf "frame.number == %d" last in
    let follower = Programs.start ~sw env (Programs.weir "dump" ([ "-f"; "-Y"; last ] @ args)) in
    Eio.Time.with_timeout_exn env#clock 60. (fun () ->
        while Programs.output follower = "" do
          Eio.Time.sleep env#clock 0.02
        done);
    let peak = peak_memory (Programs.pid follower) in
    ignore (Programs.finish ~signal:Sys.sigint follower : int);
    peak
  in
  let peak = peak [ file ] and size = (Unix.stat file).st_size / 1_024 in
  if size < 60_000 || peak > size / 2 then Alcotest.failf "%d kB for a file of %d kB" peak size

let cases =
  [
    Suite.case "dump: relative numbers" (under_eio numbers);
    Suite.case "dump: filters" (under_eio filters);
    Suite.case "dump: another link type" (under_eio unknown_type);
    Suite.case "dump --json" (under_eio json);
    Suite.case "dump --json for jq" (under_eio jq);
    Suite.case "dump --follow-stream" (under_eio streams);
    Suite.case "dump --follow-stream --raw, --json" (under_eio escaped);
    Suite.case "dump -" (under_eio standard_input);
    Suite.case "dump of a pipe" (under_eio pipe);
    Suite.case "dump -f" (under_eio growing);
    Suite.slow "dump: bounded memory" (under_eio bounded);
  ]
