open Weir_programs
open Weir_test

(* The outside: an address beside loopback's, with servers on both. *)
let outside = "198.51.100.7"
let outside6 = "2001:db8::7"
let weir ?(options = []) command = Programs.weir "run" (options @ ("--" :: command))
let sh script = [ "sh"; "-c"; script ]

let with_env f () =
  Netns.needed ();
  Eio_main.run @@ fun env ->
  Eio.Switch.run @@ fun sw -> f env sw

let run env ?seconds ?options command = Programs.run env ?seconds (weir ?options command)

let status what expected (r : Programs.result) =
  if r.status <> expected then
    Alcotest.failf "%s: status %d, not %d\n%s\n%s" what r.status expected r.out r.err

(* -- as if Weir were not there ------------------------------------------------- *)

let statuses env _sw =
  status "success" 0 (run env [ "true" ]);
  List.iter
    (fun n -> status "failure" n (run env (sh (Printf.sprintf "exit %d" n))))
    [ 1; 2; 7; 123; 124; 125; 126; 255 ];
  status "a signal" (128 + 15) (run env (sh "kill -TERM $$"));
  status "no such program" 127 (run env [ "./no-such-program" ]);
  status "no program" 126 (run env [ "/" ]);
  status "none" 2 (run env []);
  status "a rule that makes no sense" 2 (run env ~options:[ "--deny"; "1.2.3" ] [ "true" ])

let same_surroundings env _sw =
  let script = "id -u; pwd; echo $HOME; umask; trap | wc -l; ulimit -n; cat" in
  let direct = Programs.run env ~stdin:"input" (sh script) in
  let inside = Programs.run env ~stdin:"input" (weir (sh script)) in
  Alcotest.(check string) "output" direct.out inside.out;
  Alcotest.(check string) "errors" direct.err inside.err

let signals env sw =
  let ready name =
    Printf.sprintf "trap 'echo got it; exit 3' %s; echo ready; while :; do sleep 0.05; done" name
  in
  List.iter
    (fun (name, signal) ->
      let r = Programs.start ~sw env ~ready:"ready" (weir (sh (ready name))) in
      Alcotest.(check int) (name ^ ": its status") 3 (Programs.finish ~signal r);
      Alcotest.(check bool) (name ^ ": told") true (Programs.contains (Programs.output r) "got it"))
    Sys.[ ("TERM", sigterm); ("INT", sigint); ("QUIT", sigquit); ("USR1", sigusr1) ];
  (* Stopped and continued, as a shell does it. *)
  let r = Programs.start ~sw env ~ready:"ready" (weir (sh "echo ready; kill -STOP $$; exit 5")) in
  Unix.sleepf 0.3;
  Alcotest.(check int) "continued" 5 (Programs.finish ~signal:Sys.sigcont r)

(* Processes of this namespace with [word] among their arguments. *)
let with_argument word =
  Sys.readdir "/proc" |> Array.to_list
  |> List.filter (fun pid ->
      int_of_string_opt pid <> None
      &&
      match Programs.read (Printf.sprintf "/proc/%s/cmdline" pid) with
      | line -> List.mem word (String.split_on_char '\000' line)
      | exception Sys_error _ -> false)

(* Processes come and go a little after what starts and ends them. *)
let rec await ?(tries = 100) ~there word =
  let found = with_argument word in
  if found <> [] <> there then
    if tries = 0 then
      Alcotest.failf "%s: %s" word (if there then "not there" else String.concat " " found)
    else (
      Unix.sleepf 0.05;
      await ~tries:(tries - 1) ~there word)

let gone = await ~there:false

(* Each with a number of its own, so that no other test's processes count. *)
let nothing_left env sw =
  status "a program with children" 0 (run env (sh "sleep 7101 & sleep 7102 & exit 0"));
  gone "7101";
  gone "7102";
  let killed number kill =
    let script = Printf.sprintf "sleep %s & echo ready; wait" number in
    let r = Programs.start ~sw env ~ready:"ready" (weir (sh script)) in
    await ~there:true number;
    kill r;
    gone number
  in
  killed "7103" (fun r -> ignore (Programs.finish ~signal:Sys.sigkill r : int));
  (* As a terminal does that is closed. *)
  killed "7104" (fun r -> ignore (Programs.finish ~signal:Sys.sighup r : int))

(* -- the way out ------------------------------------------------------------------ *)

let web ~sw env folder address port =
  ignore
    (Programs.start ~sw env ~ready:"Serving"
       [ "python3"; "-u"; "-m"; "http.server"; string_of_int port; "--bind"; address; "-d"; folder ]
      : Programs.running)

let with_site f =
  with_env @@ fun env sw ->
  Programs.with_scratch @@ fun folder ->
  let path = Filename.concat folder "big" in
  Programs.write path (String.init 3_000_000 (fun i -> Char.chr (i * (i lsr 5) land 255)));
  ignore (Programs.run env [ "ip"; "address"; "replace"; outside ^ "/32"; "dev"; "lo" ]);
  ignore (Programs.run env [ "ip"; "address"; "replace"; outside6 ^ "/128"; "dev"; "lo"; "nodad" ]);
  f env sw folder path

let curl url = [ "curl"; "-sS"; "--max-time"; "20"; url ]
let url ?(port = 8_401) address = Printf.sprintf "http://%s:%d/big" address port

let fetched what path (r : Programs.result) =
  status what 0 r;
  Alcotest.(check string) what Digest.(to_hex (file path)) Digest.(to_hex (string r.out))

let fetch =
  with_site @@ fun env sw folder path ->
  web ~sw env folder outside 8_401;
  fetched "curl" path (run env (curl (url outside)));
  web ~sw env folder outside6 8_409;
  fetched "IPv6" path (run env (curl (url ~port:8_409 ("[" ^ outside6 ^ "]"))));
  fetched "python" path
    (run env
       [
         "python3";
         "-c";
         "import sys,urllib.request as u; \
          sys.stdout.buffer.write(u.urlopen(sys.argv[1],timeout=20).read())";
         url outside;
       ]);
  fetched "node" path
    (run env
       [
         "node";
         "-e";
         "fetch(process.argv[1]).then(r=>r.arrayBuffer()).then(b=>process.stdout.write(Buffer.from(b)))";
         url outside;
       ]);
  let many =
    Printf.sprintf
      "for i in $(seq 40); do curl -sS --max-time 20 %s | md5sum & done | sort | uniq -c"
      (url outside)
  in
  let r = run env ~seconds:60. (sh many) in
  status "in parallel" 0 r;
  Alcotest.(check string)
    "all the same"
    (Printf.sprintf "40 %s -" Digest.(to_hex (file path)))
    (String.concat " " (List.filter (( <> ) "") (String.split_on_char ' ' (String.trim r.out))))

(* curl's own word and status are the same as without Weir. *)
let refused env _sw =
  ignore (Programs.run env [ "ip"; "address"; "replace"; outside ^ "/32"; "dev"; "lo" ]);
  let command = curl (url ~port:8_499 outside) in
  let direct = Programs.run env command and inside = run env command in
  Alcotest.(check int) "status" direct.status inside.status

let policies =
  with_site @@ fun env sw folder path ->
  web ~sw env folder outside 8_402;
  web ~sw env folder "127.0.0.1" 8_403;
  let there = url ~port:8_402 outside and own = url ~port:8_403 "10.0.2.2" in
  web ~sw env folder "::1" 8_410;
  let denied what options at = status what 7 (run env ~options (curl at)) in
  denied "all" [ "--deny"; "0.0.0.0/0" ] there;
  denied "its port" [ "--deny"; ":8402" ] there;
  fetched "another port" path (run env ~options:[ "--deny"; ":80" ] (curl there));
  fetched "allowed in what is denied" path
    (run env ~options:[ "--deny"; "0.0.0.0/0"; "--allow"; outside ^ ":8402" ] (curl there));
  denied "the user's loopback" [] own;
  denied "by its number" [] (url ~port:8_403 "127.0.0.1");
  fetched "loopback, allowed" path (run env ~options:[ "--allow-host-loopback" ] (curl own));
  denied "all of IPv6" [ "--deny"; "::/0"; "--allow-host-loopback" ] (url ~port:8_410 "[fd00::2]");
  fetched "IPv6 loopback, allowed" path
    (run env ~options:[ "--allow-host-loopback" ] (curl (url ~port:8_410 "[fd00::2]")))

let datagrams =
  with_site @@ fun env sw _ _ ->
  ignore
    (Programs.start ~sw env ~ready:"ready"
       [
         "python3";
         "-u";
         "-c";
         "import socket,sys\n\
          s=socket.socket(socket.AF_INET,socket.SOCK_DGRAM); s.bind((sys.argv[1],8404)); \
          print('ready')\n\
          while True:\n\
         \  b,a=s.recvfrom(65536); s.sendto(b.upper(),a)";
         outside;
       ]
      : Programs.running);
  let ask =
    "import socket,sys\n\
     s=socket.socket(socket.AF_INET,socket.SOCK_DGRAM); s.settimeout(10)\n\
     for n in (1,100,1400,9000):\n\
    \  s.sendto(b'a'*n,(sys.argv[1],8404)); b,a=s.recvfrom(65536)\n\
    \  print(len(b),b==b'A'*n,a[0],a[1])"
  in
  let r = run env [ "python3"; "-c"; ask; outside ] in
  status "datagrams" 0 r;
  Alcotest.(check string)
    "answers come from there"
    (String.concat ""
       (List.map (fun n -> Printf.sprintf "%d True %s 8404\n" n outside) [ 1; 100; 1_400; 9_000 ]))
    r.out

(* A late answer finds the program's port closed, and its kernel says so: that must end nothing. *)
let late_answers =
  with_site @@ fun env sw folder path ->
  web ~sw env folder outside 8_411;
  ignore
    (Programs.start ~sw env ~ready:"ready"
       [
         "python3";
         "-u";
         "-c";
         "import socket,sys,time\n\
          s=socket.socket(socket.AF_INET,socket.SOCK_DGRAM); s.bind((sys.argv[1],8412)); \
          print('ready')\n\
          while True:\n\
         \  b,a=s.recvfrom(65536); time.sleep(0.2)\n\
         \  for i in range(5): s.sendto(b,a)";
         outside;
       ]
      : Programs.running);
  let ask =
    Printf.sprintf
      "python3 -c \"import socket; s=socket.socket(socket.AF_INET,socket.SOCK_DGRAM); \
       s.sendto(b'x',('%s',8412))\"; sleep 0.6; curl -sS --max-time 20 %s"
      outside (url ~port:8_411 outside)
  in
  fetched "after it" path (run env (sh ask))

(* The program ends while an attempt to connect is not answered: there is nothing to wait for. *)
let unanswered =
  with_site @@ fun env _ _ _ ->
  Suite.needs_program "nft";
  List.iter
    (fun rule -> ignore (Programs.succeed env (String.split_on_char ' ' rule) : string))
    [
      "nft add table ip silent";
      "nft add chain ip silent out { type filter hook output priority 0 ; }";
      "nft add rule ip silent out tcp dport 8413 drop";
    ];
  let command = [ "timeout"; "0.5"; "curl"; "-s"; url ~port:8_413 outside ] in
  let r = run env ~seconds:8. command in
  ignore (Programs.run env [ "nft"; "delete"; "table"; "ip"; "silent" ] : Programs.result);
  status "given up" 124 r

(* A server that answers only when it has seen the client's end, and one that resets. *)
let ends =
  with_site @@ fun env sw _ _ ->
  ignore
    (Programs.start ~sw env ~ready:"ready"
       [
         "python3";
         "-u";
         "-c";
         "import socket,struct,sys\n\
          s=socket.create_server((sys.argv[1],8405)); print('ready')\n\
          while True:\n\
         \  c,_=s.accept(); b=b''\n\
         \  while True:\n\
         \    x=c.recv(65536)\n\
         \    b+=x\n\
         \    if not x or b==b'reset': break\n\
         \  if b==b'reset': c.setsockopt(socket.SOL_SOCKET,socket.SO_LINGER,struct.pack('ii',1,0))\n\
         \  else: c.sendall(b'%d bytes' % len(b))\n\
         \  c.close()";
         outside;
       ]
      : Programs.running);
  let client =
    "import socket,sys\n\
     c=socket.create_connection((sys.argv[1],8405),10); \
     c.sendall(sys.argv[2].encode()*int(sys.argv[3]))\n\
     if sys.argv[2]!='reset': c.shutdown(socket.SHUT_WR)\n\
     try: print(c.recv(100).decode())\n\
     except ConnectionResetError: print('reset')"
  in
  let ask word times = (run env [ "python3"; "-c"; client; outside; word; times ]).out in
  Alcotest.(check string) "a half-close" "300000 bytes\n" (ask "abc" "100000");
  Alcotest.(check string) "a reset" "reset\n" (ask "reset" "1")

let recorded =
  with_site @@ fun env sw folder path ->
  Suite.needs_program "tshark";
  web ~sw env folder outside 8_406;
  let file = Filename.concat folder "out.pcapng" in
  let options = [ "--impair"; "loss=1%,delay=2ms"; "--seed"; "7"; "--pcap"; file ] in
  fetched "lossy" path (run env ~seconds:60. ~options (curl (url ~port:8_406 outside)));
  let frames filter =
    Programs.succeed env [ "tshark"; "-r"; file; "-Y"; filter ]
    |> String.split_on_char '\n' |> List.length |> pred
  in
  Alcotest.(check int) "malformed" 0 (frames "_ws.malformed");
  Alcotest.(check bool) "retransmissions" true (frames "tcp.analysis.retransmission" > 0)

(* A program may end while its last bytes are in the kernel's buffers. *)
let written_last =
  with_site @@ fun env sw _ _ ->
  let server =
    Programs.start ~sw env ~ready:"ready"
      [
        "python3";
        "-u";
        "-c";
        "import socket,sys,time\n\
         s=socket.create_server((sys.argv[1],8408)); print('ready')\n\
         c,_=s.accept(); time.sleep(1); n=0\n\
         while True:\n\
        \  x=c.recv(65536)\n\
        \  if not x: break\n\
        \  n+=len(x)\n\
         print('got',n)";
        outside;
      ]
  in
  let client =
    "import os,socket,sys; c=socket.create_connection((sys.argv[1],8408)); \
     c.setsockopt(socket.SOL_SOCKET,socket.SO_SNDBUF,400000); c.sendall(b'x'*300000); os._exit(0)"
  in
  status "the client" 0 (run env [ "python3"; "-c"; client; outside ]);
  Alcotest.(check int) "the server ends" 0 (Programs.finish server);
  Alcotest.(check bool) "all arrived" true (Programs.contains (Programs.output server) "got 300000")

let summary =
  with_site @@ fun env sw folder _ ->
  web ~sw env folder outside 8_407;
  let r =
    run env ~options:[ "--summary"; "--log"; "text" ]
      (sh (Printf.sprintf "curl -s -o /dev/null %s" (url ~port:8_407 outside)))
  in
  status "curl" 0 r;
  let says part = Alcotest.(check bool) part true (Programs.contains r.err part) in
  says "TCP 198.51.100.7:8407: closed";
  says "3000";
  says "bytes out"

let cases =
  let slow name f = Suite.slow name f in
  [
    ( "program",
      [
        slow "statuses" (with_env statuses);
        slow "surroundings" (with_env same_surroundings);
        slow "signals" (with_env signals);
        slow "nothing is left" (with_env nothing_left);
      ] );
    ( "network",
      [
        slow "fetching" fetch;
        slow "refused" (with_env refused);
        slow "policies" policies;
        slow "datagrams" datagrams;
        slow "late answers" late_answers;
        slow "no answer" unanswered;
        slow "half-close and reset" ends;
        slow "impaired and recorded" recorded;
        slow "what is written last" written_last;
        slow "log and summary" summary;
      ] );
  ]

let () =
  (* Ignored under nohup, and then by what is run too. *)
  Sys.set_signal Sys.sighup Signal_default;
  (* These in the background. *)
  List.iter (fun s -> Sys.set_signal s Sys.Signal_default) Sys.[ sigint; sigquit ];
  Netns.run (fun () -> Suite.run "run" cases)
