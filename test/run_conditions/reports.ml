open Weir_programs
open Weir_test
open World

let options t more = [ "--json"; path t "out.json"; "--html"; path t "out.html" ] @ more

let document t =
  status "a run" 0
    (run t.env ~options:(options t [ "--impair"; "loss=3%,delay=5ms" ]) (curl (url 8_551)));
  let j = Yojson.Safe.from_file (path t "out.json") in
  let open Yojson.Safe.Util in
  let connections = j |> member "connections" |> to_list in
  Alcotest.(check int) "connections" 1 (List.length connections);
  let c = List.hd connections in
  let number name = c |> member name |> to_int in
  Alcotest.(check bool) "bytes" true (number "bytes_in" > 1_000_000);
  Alcotest.(check bool) "a round trip of two delays" true (number "rtt_ns" > 9_000_000);
  Alcotest.(check bool) "retransmissions" true (number "retransmitted" > 0);
  Alcotest.(check bool) "outside" true (number "outer_rtt_ns" > 0);
  Alcotest.(check string) "ended" "closed" (c |> member "ended" |> to_string);
  let sum l = List.fold_left (fun n x -> n + to_int x) 0 l in
  let series = j |> member "series" in
  Alcotest.(check bool) "samples" true (sum (series |> member "bytes_in" |> to_list) > 500_000);
  let page = Programs.read (World.path t "out.html") in
  Alcotest.(check bool) "no address of another page" false (Programs.contains page "src=");
  Alcotest.(check bool) "the data" true (Programs.contains page "\"outer_rtt_ns\"")

(* The page is data of outsiders: a name must not end its script. *)
let hostile t =
  let r =
    run t.env ~options:(options t []) [ "sh"; "-c"; "exit 3"; "</script><script>alert(1)</script>" ]
  in
  status "the program's status" 3 r;
  let page = Programs.read (World.path t "out.html") in
  Alcotest.(check bool) "kept inside" false (Programs.contains page "</script><script>alert")

let lines text = String.split_on_char '\n' text |> List.filter (( <> ) "")

let capture t =
  Suite.needs_program "tshark";
  let file = path t "out.pcapng" in
  let check options =
    fetched "recorded" (run t.env ~options:([ "--pcap"; file ] @ options) (curl (url 8_551)));
    let shark more = lines (Programs.succeed t.env ([ "tshark"; "-r"; file ] @ more)) in
    Alcotest.(check (list string)) "malformed" [] (shark [ "-Y"; "_ws.malformed" ]);
    let comments = shark [ "-T"; "fields"; "-e"; "frame.comment" ] in
    let has part = List.exists (fun c -> Programs.contains c part) comments in
    Alcotest.(check bool) "begins" true (has "connection 0 begins: TCP 198.51.100.7:8551");
    has
  in
  let has = check [ "--impair"; "loss=3%,corrupt=1%"; "--seed"; "4" ] in
  Alcotest.(check bool) "lost packets are there" true (has "lost");
  Alcotest.(check bool) "changed ones too" true (has "one bit changed");
  ignore (check [] : string -> bool);
  let text = Programs.succeed t.env (Programs.weir "dump" [ file ]) in
  Alcotest.(check bool) "weir dump reads it" true (Programs.contains text "198.51.100.7")

let table t =
  let command =
    sh
      (Printf.sprintf "curl -s -o /dev/null %s; curl -s -o /dev/null %s; true" (url 8_551)
         (url 8_599))
  in
  let r = run t.env ~options:[ "--summary"; "--log"; "json" ] command in
  status "two connections" 0 r;
  says "the table" r "198.51.100.7:8599";
  says "the table" r "sent again";
  let of_json l = try Some (Yojson.Safe.from_string l) with Yojson.Json_error _ -> None in
  let logged = List.filter_map of_json (lines r.err) in
  let open Yojson.Safe.Util in
  Alcotest.(check (list string))
    "how they ended"
    [ "closed"; "refused by the server" ]
    (List.map (fun j -> j |> member "ended" |> to_string) logged
    |> List.filter (( <> ) "")
    |> List.sort compare)

(* A live line on a terminal, and none elsewhere. *)
let progress t =
  let on_terminal =
    "import os,pty,sys\n\
     pid,fd=pty.fork()\n\
     if pid==0: os.execvp(sys.argv[1],sys.argv[1:])\n\
     seen=b''\n\
     try:\n\
    \  while True:\n\
    \    b=os.read(fd,1000)\n\
    \    if not b: break\n\
    \    seen+=b\n\
     except OSError: pass\n\
     print(ascii(seen)); sys.exit(os.waitpid(pid,0)[1]>>8)"
  in
  let file = path t "terminal.py" in
  Programs.write file on_terminal;
  let script = Printf.sprintf "curl -s -o /dev/null %s; sleep 0.8; echo over; exit 4" (url 8_551) in
  let command = Programs.weir "run" [ "--progress"; "--"; "sh"; "-c"; script ] in
  let r = Programs.run t.env ("python3" :: file :: command) in
  status "on a terminal" 4 r;
  let has part =
    if not (Programs.contains r.out part) then Alcotest.failf "no %s in %s" part r.out
  in
  has "\\r\\x1b[Kweir: ";
  has "1 connections, 0 open, 0 failed";
  has "MB/s in";
  (* The line is gone at the end. *)
  has "over\\r\\n\\r\\x1b[K";
  let r = Programs.run t.env command in
  status "into a pipe" 4 r;
  Alcotest.(check string) "nothing" "" r.err

let served f =
  with_ (fun t ->
      web t 8_551;
      f t)

let cases =
  [
    Suite.slow "JSON and the page" (served document);
    Suite.slow "a page with hostile text" (with_ hostile);
    Suite.slow "pcapng with comments" (served capture);
    Suite.slow "a table and a log" (served table);
    Suite.slow "a live line" (served progress);
  ]
