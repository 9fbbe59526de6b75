open Weir_programs
module Suite = Weir_test.Suite

let data n = String.init n (fun i -> Char.unsafe_chr (((i * i) lsr 7) land 255))

let files =
  [
    ("index.html", data 2_053);
    ("empty", "");
    ("folder/big.bin", data 3_000_000);
    ("with space.txt", data 1_000);
  ]

let make_site dir =
  let root = Filename.concat dir "site" in
  Sys.mkdir root 0o755;
  Sys.mkdir (Filename.concat root "folder") 0o755;
  List.iter (fun (name, content) -> Programs.write (Filename.concat root name) content) files;
  Programs.write (Filename.concat dir "secret") "not for the world";
  root

(* The line `serving DIR at http://127.0.0.1:PORT/ (...)` tells the port that
   the kernel chose. *)
let url_of output =
  let rec find = function
    | word :: _ when String.starts_with ~prefix:"http://" word -> word
    | _ :: rest -> find rest
    | [] -> Alcotest.failf "no address in %S" output
  in
  find (String.split_on_char ' ' output)

type served = { env : Programs.env; server : Programs.running; url : string; dir : string }

let with_site ?(arguments = []) f () =
  Programs.with_scratch @@ fun dir ->
  let root = make_site dir in
  Eio_main.run @@ fun env ->
  Eio.Switch.run @@ fun sw ->
  let server =
    Programs.start ~sw env ~ready:"serving"
      (Programs.weir "serve" ([ root; "--link"; "mem"; "--forward"; "127.0.0.1:0" ] @ arguments))
  in
  f { env; server; url = url_of (Programs.output server); dir };
  Alcotest.(check int) "status after SIGINT" 0 (Programs.finish ~signal:Sys.sigint server)

let get s args = Programs.run s.env (Programs.weir "get" args)

let fetch s =
  let file = Filename.concat s.dir "got" in
  let check path name =
    let r = get s [ s.url ^ path; "-o"; file ] in
    if r.status <> 0 then Alcotest.fail r.err;
    let md5 x = Digest.(to_hex (string x)) in
    Alcotest.(check string) name (md5 (List.assoc name files)) (md5 (Programs.read file))
  in
  check "" "index.html";
  check "empty" "empty";
  check "folder/big.bin" "folder/big.bin";
  check "with%20space.txt" "with space.txt";
  let r = get s [ s.url ^ "index.html" ] in
  Alcotest.(check string) "to standard output" (List.assoc "index.html" files) r.out;
  let r = get s [ "-I"; s.url ^ "index.html" ] in
  Alcotest.(check bool) "the head" true (Programs.contains r.out "HTTP/1.1 200");
  let r = get s [ s.url ^ "nothing" ] in
  Alcotest.(check int) "404 is status 1" 1 r.status

(* The tables of what is in use that the server has printed, each a list of rows. *)
let tables s =
  let row line =
    match List.rev (List.filter (( <> ) "") (String.split_on_char ' ' line)) with
    | limit :: used :: name -> (String.concat " " (List.rev name), (used, limit))
    | _ -> Alcotest.failf "no row of a table: %S" line
  in
  let rec rows found = function
    | line :: rest when String.starts_with ~prefix:"  " line ->
        let width = String.length (List.hd found) in
        Alcotest.(check int) "aligned" width (String.length line);
        rows (line :: found) rest
    | rest -> (List.rev_map row found, rest)
  in
  let rec all = function
    | [] -> []
    | head :: rule :: rest when Programs.contains head "bounded resource" ->
        let found, rest = rows [ rule ] rest in
        List.tl found :: all rest
    | _ :: rest -> all rest
  in
  let out = Programs.output s.server in
  let whole = Option.fold ~none:"" ~some:(String.sub out 0) (String.rindex_opt out '\n') in
  all (String.split_on_char '\n' whole)

let usage s =
  let get () = ignore (Programs.succeed s.env (Programs.weir "get" [ s.url ]) : string) in
  let last = "echo replies to be read" in
  let rec after n =
    let complete = List.filter (List.mem_assoc last) (tables s) in
    if List.length complete < n then (
      Eio.Time.sleep s.env#clock 0.02;
      after n)
    else List.nth complete (n - 1)
  in
  let look n =
    Unix.kill (Programs.pid s.server) Sys.sigusr1;
    Eio.Time.with_timeout_exn s.env#clock 10. (fun () -> after n)
  in
  let used name table = int_of_string (fst (List.assoc name table)) in
  let limit name table = int_of_string (snd (List.assoc name table)) in
  let check n =
    get ();
    let table = look n in
    let sum names = List.fold_left (fun n name -> n + used name table) 0 names in
    Alcotest.(check int)
      "connections by kind" (used "connections" table)
      (sum [ "open"; "half-open"; "orphans"; "TIME-WAIT" ]);
    let { Weir_core.Config.memory; max_connections; _ } = Weir_core.Config.default in
    Alcotest.(check int) "memory" memory (limit "buffer memory, bytes" table);
    Alcotest.(check int) "connections" max_connections (limit "connections" table);
    Alcotest.(check int) "the other host" 1 (used "neighbours" table);
    Alcotest.(check bool) "a listener" true (limit "connections to be accepted" table > 0);
    Alcotest.(check string) "no bound" "-" (snd (List.assoc "UDP sockets" table))
  in
  check 1;
  check 2;
  get ()

let traversal s =
  Suite.needs_program "curl";
  List.iter
    (fun path ->
      let r =
        Programs.run s.env [ "curl"; "-s"; "--path-as-is"; "-w"; "%{http_code}"; s.url ^ path ]
      in
      if Programs.contains r.out "not for the world" then Alcotest.failf "%s leads out" path;
      let n = String.length r.out in
      let code = if n < 3 then r.out else String.sub r.out (n - 3) 3 in
      if code.[0] <> '4' then Alcotest.failf "%s: status %s" path code)
    [
      "../secret";
      "folder/../../secret";
      "%2e%2e/secret";
      "..%2fsecret";
      "folder/..%2f..%2fsecret";
      "%2e%2e%2fsecret";
      "..%5csecret";
      "secret%00.html";
      "//../secret";
    ]

let capture () =
  Programs.with_scratch @@ fun dir ->
  let file = Filename.concat dir "c.pcap" in
  with_site ~arguments:[ "--pcap"; file; "--quiet" ] fetch ();
  Eio_main.run @@ fun env ->
  let out = Programs.succeed env (Programs.weir "dump" [ file ]) in
  let count = List.length (String.split_on_char '\n' out) in
  if count < 100 then Alcotest.failf "only %d lines" count;
  Alcotest.(check bool) "a SYN to port 80" true (Programs.contains out "10.0.0.1:80 TCP S ")

let lossy = with_site ~arguments:[ "--impair"; "loss=2%"; "--seed"; "3" ] fetch

let port_taken s =
  let address = String.sub s.url 7 (String.length s.url - 8) in
  let r = Programs.run s.env (Programs.weir "serve" [ s.dir; "--forward"; address ]) in
  Alcotest.(check int) "status" 1 r.status;
  Alcotest.(check int) "lines" 1 (List.length (Usage_tests.lines r.err))

(* What a capture that a crash cut short leaves, and what is no capture. *)
let bad_captures () =
  Programs.with_scratch @@ fun dir ->
  Eio_main.run @@ fun env ->
  let whole =
    Programs.read (Filename.concat (Suite.project_root ()) "test/wire/captures/tcp.pcap")
  in
  let check name content =
    let file = Filename.concat dir name in
    Programs.write file content;
    let r = Programs.run env (Programs.weir "dump" [ file ]) in
    if r.status <> 1 || List.length (Usage_tests.lines r.err) <> 1 then
      Alcotest.failf "%s: status %d, standard error %S" name r.status r.err;
    r.out
  in
  let out = check "cut" (String.sub whole 0 (String.length whole - 5)) in
  Alcotest.(check bool) "what is whole is printed" true (Programs.contains out "TCP");
  ignore (check "header" (String.sub whole 0 10));
  ignore (check "empty" "");
  ignore (check "garbage" (data 5_000));
  ignore (check "mutated" (String.mapi (fun i c -> if i = 33 then '\xff' else c) whole));
  ignore
    (Programs.succeed env
       (Programs.weir "dump"
          [ Filename.concat (Suite.project_root ()) "test/wire/captures/tcp.pcap" ]))

let ping () =
  Eio_main.run @@ fun env ->
  let out = Programs.succeed env (Programs.weir "ping" [ "10.0.0.1"; "-c"; "20"; "-i"; "0.01" ]) in
  Alcotest.(check bool) "all back" true (Programs.contains out "20 sent, 20 received, 0.0% lost");
  let out =
    Programs.succeed env
      (Programs.weir "ping" [ "10.0.0.1"; "-c"; "2"; "-i"; "0.01"; "-s"; "60000" ])
  in
  Alcotest.(check bool) "in fragments" true (Programs.contains out "60008 bytes from");
  Usage_tests.fails_silently 1 "ping" [ "10.0.0.77"; "-c"; "1" ] env

(* With 10 ms of round trip and 2% of loss Reno has some 10 Mbit/s; BBR takes no notice. *)
let congestion () =
  Eio_main.run @@ fun env ->
  let time name =
    let options = [ "-n"; "1500000"; "--impair"; "loss=2%,delay=5ms"; "--congestion"; name ] in
    let began = Unix.gettimeofday () in
    ignore (Programs.succeed env ~seconds:60. (Programs.weir "iperf" options) : string);
    Unix.gettimeofday () -. began
  in
  let reno = time "reno" and bbr = time "bbr" in
  if bbr > 0.6 *. reno then Alcotest.failf "BBR took %.2f s, Reno %.2f s" bbr reno;
  let r = Programs.run env (Programs.weir "iperf" [ "--congestion"; "none" ]) in
  Alcotest.(check int) "no such" 2 r.status;
  if not (Programs.contains r.err "bbr") then Alcotest.failf "they are not named: %s" r.err

let iperf () =
  Eio_main.run @@ fun env ->
  let out = Programs.succeed env (Programs.weir "iperf" [ "-n"; "20000000" ]) in
  Alcotest.(check bool) "one way" true (Programs.contains out "in memory, this way ");
  Alcotest.(check bool) "the other" true (Programs.contains out "in memory, the other way");
  Alcotest.(check bool) "rate" true (Programs.contains out "Gbit/s")

let refused s =
  (* Nobody listens there: the far end of the memory link resets. *)
  let r = get s [ "http://127.0.0.1:1/" ] in
  Alcotest.(check int) "status" 1 r.status;
  Alcotest.(check int) "lines" 1 (List.length (Usage_tests.lines r.err))

let line_with part out =
  match List.find_opt (fun l -> Programs.contains l part) (Usage_tests.lines out) with
  | Some l -> String.trim l
  | None -> Alcotest.failf "no %S in %s" part out

(* What a failure tells to type shows the same failure again. *)
let sim () =
  Eio_main.run @@ fun env ->
  let sim arguments = Programs.run env (Programs.weir "sim" arguments) in
  let r = sim [ "echo"; "restart"; "--seeds"; "1-10" ] in
  Alcotest.(check int) "status" 0 r.status;
  Alcotest.(check bool)
    "a line each" true
    (Programs.contains r.out "echo " && Programs.contains r.out "restart ");
  Alcotest.(check bool) "listed" true (Programs.contains (sim [ "--list" ]).out "syn-flood");
  let r = sim [ "echo"; "--seeds"; "1-3"; "--loss"; "70%"; "--time-limit"; "60" ] in
  Alcotest.(check int) "status of a failure" 1 r.status;
  let replay = line_with "replay: weir sim echo --seed" r.out in
  let arguments =
    match String.split_on_char ' ' replay with
    | _replay :: _weir :: _sim :: arguments -> arguments
    | _ -> Alcotest.fail replay
  in
  let again = sim arguments in
  Alcotest.(check int) "it fails again" 1 again.status;
  let told = line_with (List.nth arguments 2 ^ " failed at ") r.out in
  Alcotest.(check string) "in the same way" told (line_with " failed at " again.out)

let sim_seen () =
  Programs.with_scratch @@ fun dir ->
  Eio_main.run @@ fun env ->
  let file = Filename.concat dir "c.pcap" in
  let arguments = [ "echo"; "--seed"; "4"; "--trace"; "--pcap"; file ] in
  let run () =
    let out = Programs.succeed env (Programs.weir "sim" arguments) in
    (out, Programs.read file)
  in
  let out, capture = run () in
  Alcotest.(check bool) "traced" true (Programs.contains out "client > server: ARP who-has");
  Alcotest.(check bool) "the same again" true (run () = (out, capture));
  let dumped = Programs.succeed env (Programs.weir "dump" [ file ]) in
  Alcotest.(check bool) "captured" true (Programs.contains dumped "10.0.0.1:7 TCP S ");
  let json = Programs.succeed env (Programs.weir "sim" [ "echo"; "--seeds"; "1-2"; "--json" ]) in
  Alcotest.(check bool) "JSON" true (Programs.contains json "\"failed\": 0")

(* The worlds differ, and the command that repeats a failure says so. *)
let sim_congestion () =
  Eio_main.run @@ fun env ->
  let sim arguments = Programs.run env (Programs.weir "sim" arguments) in
  let bulk arguments = sim ([ "bulk"; "--seed"; "3"; "--json" ] @ arguments) in
  let digest arguments = line_with "\"digest\"" (bulk arguments).out in
  let cubic = digest [ "--congestion"; "cubic" ] and bbr = digest [ "--congestion"; "bbr" ] in
  Alcotest.(check string) "the default" (digest []) cubic;
  if bbr = cubic || bbr = digest [ "--congestion"; "reno" ] then Alcotest.fail "the same world";
  let failing = [ "--congestion"; "bbr"; "--loss"; "0.7"; "--time-limit"; "60" ] in
  let told = line_with "\"replay\"" (bulk failing).out in
  List.iter
    (fun part -> Alcotest.(check bool) part true (Programs.contains told part))
    [ "weir sim bulk --seed 3"; "--congestion bbr" ];
  Alcotest.(check int) "no such algorithm" 2 (sim [ "bulk"; "--congestion"; "vegas" ]).status

let lines_but_seconds text =
  List.filter (fun l -> not (Programs.contains l "\"seconds\"")) (String.split_on_char '\n' text)

(* Half of these runs fail; all that is told of them comes through. *)
let shards () =
  Programs.with_scratch @@ fun dir ->
  Eio_main.run @@ fun env ->
  let sim arguments = Programs.run env (Programs.weir "sim" arguments) in
  let scenario = [ "echo"; "restart"; "--loss"; "50%"; "--time-limit"; "30"; "--seeds"; "5-36" ] in
  let file name = Filename.concat dir name in
  let shard ?(more = []) name of_ =
    let r = sim (scenario @ more @ [ "--json"; "--shard"; of_ ]) in
    Programs.write (file name) r.out;
    file name
  in
  let all = [ shard "b" "2/3"; shard "c" "3/3"; shard "a" "1/3" ] in
  let a = file "a" and b = file "b" and c = file "c" in
  let same what arguments =
    let whole = sim (scenario @ arguments) and merged = sim (("merge" :: all) @ arguments) in
    Alcotest.(check int) (what ^ ": status") whole.status merged.status;
    Alcotest.(check string) (what ^ ": standard error") whole.err merged.err;
    (whole, merged)
  in
  let whole, merged = same "JSON" [ "--json" ] in
  Alcotest.(check int) "some fail" 1 whole.status;
  Alcotest.(check (list string)) "JSON" (lines_but_seconds whole.out) (lines_but_seconds merged.out);
  let whole, merged = same "text" [] in
  let failures r = List.tl (List.tl (List.tl (List.tl (Usage_tests.lines r.Programs.out)))) in
  Alcotest.(check (list string)) "text" (failures whole) (failures merged);
  let refused part files =
    let r = sim ("merge" :: files) in
    Alcotest.(check int) part 2 r.status;
    Alcotest.(check int) "lines" 1 (List.length (Usage_tests.lines r.err));
    Alcotest.(check bool) (part ^ " in " ^ r.err) true (Programs.contains r.err part)
  in
  refused "shard 3/3 is missing" [ a; b ];
  refused "these are missing: 1, 3" [ b ];
  refused "are both shard 2/3" [ a; b; c; b ];
  refused "not of one sweep: settings" [ a; b; shard "d" "3/3" ~more:[ "--shuffle" ] ];
  refused "number of shards 3 and 4" [ a; b; shard "d" "3/4" ];
  refused "name the files" [];
  refused "No such file" [ a; file "none" ];
  Programs.write (file "e") (String.sub (Programs.read a) 0 500);
  refused "not JSON" [ file "e" ];
  Programs.write (file "f") "{\"version\": 7}";
  refused "not a sweep" [ file "f" ];
  refused "merge takes" [ a; b; c; "--shuffle" ];
  let r = sim [ "echo"; "--shard"; "4/3" ] in
  Alcotest.(check int) "shard 4/3" 2 r.status

(* SIGINT ends a sweep in order; what it has printed is no whole shard. *)
let interrupted () =
  Suite.needs_program "timeout";
  Programs.with_scratch @@ fun dir ->
  Eio_main.run @@ fun env ->
  let sim = Programs.weir "sim" [ "echo"; "--seeds"; "1-10000000"; "--json" ] in
  let r = Programs.run env ([ "timeout"; "--preserve-status"; "-s"; "INT"; "1" ] @ sim) in
  Alcotest.(check int) "status" 130 r.status;
  Alcotest.(check bool) r.err true (Programs.contains r.err "interrupted after ");
  Alcotest.(check bool) "what was found" true (Programs.contains r.out "\"interrupted\": true");
  let file = Filename.concat dir "part" in
  Programs.write file r.out;
  let r = Programs.run env (Programs.weir "sim" [ "merge"; file ]) in
  Alcotest.(check int) "no shard" 2 r.status;
  Alcotest.(check bool) r.err true (Programs.contains r.err "was interrupted")

let cases =
  [
    Suite.case "sim: shards and merge" shards;
    Suite.case "sim: another congestion control" sim_congestion;
    Suite.case "sim: interrupted" interrupted;
    Suite.case "sim: a failure's command shows it again" sim;
    Suite.case "sim --trace, --pcap, --json" sim_seen;
    Suite.case "serve and get: equal" (with_site fetch);
    Suite.case "serve and get over 2% loss" lossy;
    Suite.case "serve: path traversal is refused" (with_site traversal);
    Suite.case "serve: a port that is taken" (with_site port_taken);
    Suite.case "serve: what is in use, on SIGUSR1" (with_site usage);
    Suite.case "the same with --driver lwt" (with_site ~arguments:[ "--driver"; "lwt" ] usage);
    Suite.case "get: refused" (with_site refused);
    Suite.case "serve --pcap, then dump" capture;
    Suite.case "dump: cut short and garbage" bad_captures;
    Suite.case "ping in memory" ping;
    Suite.case "iperf in memory" iperf;
    Suite.slow "iperf, by two congestion controls" congestion;
  ]
