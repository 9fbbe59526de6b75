open Weir_programs
open Weir_test
open World

(* -- what options say ------------------------------------------------------------------ *)

let mistakes t =
  let file = path t "table" in
  Programs.write file "0s impair loss=1%\n5s cut\n3s heal\n";
  let backwards = path t "trace" in
  Programs.write backwards "1\n2\n1\n";
  List.iter
    (fun (options, part) ->
      let r = run t.env ~options [ "true" ] in
      status (String.concat " " options) 2 r;
      says (String.concat " " options) r part)
    [
      ([ "--impair"; "loss=2%@nowhere!" ], "neither an address");
      ([ "--impair"; "loss=200%/in" ], "loss is not from 0 to 1");
      ([ "--rate"; "fast" ], "rate=fast");
      ([ "--rate"; "1mbit,delay=3ms" ], "give a rate such as");
      ([ "--cut"; "5s" ], "give two times");
      ([ "--cut"; "5s..2s" ], "must be later");
      ([ "--fault"; "explode=3%" ], "the faults are");
      ([ "--fault"; "reset=lots" ], "queue=lots");
      ([ "--schedule"; file ], "line 3: its time is before");
      ([ "--schedule"; backwards ], "line 3: 1 is before the line above");
      ([ "--schedule"; path t "none" ], "no such file");
    ]

(* -- packets ----------------------------------------------------------------------------- *)

(* One datagram after the other: which arrive is the seed's choice alone. *)
let numbers_that_arrive t ~port ~options =
  let server =
    Programs.start ~sw:t.sw t.env ~ready:"ready"
      [
        "python3";
        "-u";
        "-c";
        "import socket,sys\n\
         s=socket.socket(socket.AF_INET,socket.SOCK_DGRAM); s.bind((sys.argv[1],int(sys.argv[2])))\n\
         print('ready')\n\
         while True:\n\
        \  b=s.recv(100)\n\
        \  print(b.decode(),flush=True)\n\
        \  if b==b'end': break";
        outside;
        string_of_int port;
      ]
  in
  let client =
    python t
      "import socket,sys,time\n\
       s=socket.socket(socket.AF_INET,socket.SOCK_DGRAM); to=(sys.argv[1],int(sys.argv[2]))\n\
       for n in range(100): s.sendto(b'%d'%n,to); time.sleep(0.001)\n\
       time.sleep(0.1)\n\
       for n in range(20): s.sendto(b'end',to); time.sleep(0.001)\n\
       time.sleep(0.1)"
      [ outside; string_of_int port ]
  in
  status "sending" 0 (run t.env ~options client);
  ignore (Programs.finish server : int);
  Programs.output server |> String.split_on_char '\n' |> List.filter_map int_of_string_opt

let same_seed t =
  let arrive port seed =
    numbers_that_arrive t ~port ~options:[ "--impair"; "loss=20%/out"; "--seed"; seed ]
  in
  let first = arrive 8_501 "7" in
  let n = List.length first in
  Alcotest.(check bool) (Printf.sprintf "%d arrive" n) true (n > 60 && n < 95);
  Alcotest.(check (list int)) "again" first (arrive 8_502 "7");
  Alcotest.(check bool) "another seed" true (first <> arrive 8_503 "8")

let all = List.init 100 Fun.id

let directions t =
  let arrive port options = numbers_that_arrive t ~port ~options in
  Alcotest.(check (list int)) "lost on the way in" all (arrive 8_504 [ "--impair"; "loss=100%/in" ]);
  Alcotest.(check (list int))
    "elsewhere" all
    (arrive 8_505 [ "--impair"; "loss=100%@" ^ other; "--cut"; "0s..@:9999" ]);
  Alcotest.(check (list int))
    "the most specific decides" all
    (arrive 8_506 [ "--impair"; "loss=100%"; "--impair"; "none@198.51.100.0/24:8506" ])

let rates t =
  web t 8_511;
  web ~address:other t 8_512;
  let fetch options url =
    let r, seconds = timed (fun () -> run t.env ~options (curl url)) in
    fetched (String.concat " " options) r;
    (r, seconds)
  in
  let limited = [ "--rate"; "16mbit,queue=32kB/in"; "--summary" ] in
  let r, seconds = fetch limited (url 8_511) in
  says "the queue" r "a queue of 32000 bytes, at most";
  if seconds < 0.5 then Alcotest.failf "1 MB in %.2f s at 16 Mbit/s" seconds;
  let elsewhere = [ "--rate"; "100kbit@" ^ outside ] in
  let _, seconds = fetch elsewhere (url ~address:other 8_512) in
  if seconds > 5. then Alcotest.failf "not limited, but %.2f s" seconds;
  (* A packet each millisecond: 12 Mbit/s. *)
  Programs.write (path t "trace") "1\n2\n3\n4\n";
  let _, seconds = fetch [ "--schedule"; path t "trace" ^ "/in" ] (url 8_511) in
  if seconds < 0.6 then Alcotest.failf "1 MB in %.2f s by a packet a millisecond" seconds

let cuts t =
  web t 8_521;
  let during options =
    let r, seconds = timed (fun () -> run t.env ~options (curl (url 8_521))) in
    fetched (String.concat " " options) r;
    if seconds < 0.6 then Alcotest.failf "it was not cut: %.2f s" seconds
  in
  during [ "--cut"; "0s..600ms" ];
  let file = path t "table" in
  Programs.write file "# a table\n0s cut @198.51.100.7\n600ms heal  # all\n1000s repeat\n";
  during [ "--schedule"; file ];
  let r = run t.env ~options:[ "--cut"; "0s.." ] (curl ~seconds:1 (url 8_521)) in
  status "for ever" 28 r

(* -- faults --------------------------------------------------------------------------------- *)

let faults t =
  web t 8_531;
  let meets options expected part =
    let r = run t.env ~options:(options @ [ "--log"; "text" ]) (curl ~seconds:1 (url 8_531)) in
    status (String.concat " " options) expected r;
    says (String.concat " " options) r part
  in
  meets [ "--fault"; "refuse" ] 7 "fault: refuse";
  meets [ "--fault"; "blackhole" ] 28 "fault: blackhole";
  meets [ "--fault"; "reset=100kB@" ^ outside ] 56 "fault: reset after 100000 bytes";
  meets [ "--fault"; "stall=100kB@:8531" ] 28 "fault: stall after 100000 bytes";
  meets [ "--fault"; "refuse=0%"; "--fault"; "refuse@" ^ other ] 0 "closed";
  let script =
    Printf.sprintf "for i in $(seq 20); do curl -s -o /dev/null %s; echo $?; done" (url 8_531)
  in
  let verdicts seed =
    let r = run t.env ~options:[ "--fault"; "refuse=50%"; "--seed"; seed ] (sh script) in
    status "many" 0 r;
    r.out
  in
  let first = verdicts "3" in
  Alcotest.(check bool) "some pass" true (Programs.contains first "0\n");
  Alcotest.(check bool) "some do not" true (Programs.contains first "7\n");
  Alcotest.(check string) "the same seed" first (verdicts "3")

let name_server t =
  ignore
    (Programs.start ~sw:t.sw t.env ~ready:"ready"
       [
         "python3";
         "-u";
         "-c";
         "import socket,sys\n\
          s=socket.socket(socket.AF_INET,socket.SOCK_DGRAM); s.bind((sys.argv[1],53)); \
          print('ready')\n\
          while True:\n\
         \  q,a=s.recvfrom(512); end=12\n\
         \  while q[end]: end+=1+q[end]\n\
         \  k=q[end+1:end+3]; n=q[12:end+5]\n\
         \  r=b'\\xc0\\x0c\\0\\1\\0\\1\\0\\0\\0\\x3c\\0\\4'+socket.inet_aton(sys.argv[1])\n\
         \  s.sendto(q[:2]+b'\\x81\\x80\\0\\1'+(b'\\0\\1' if k==b'\\0\\1' else b'\\0\\0')\n\
         \    +b'\\0\\0\\0\\0'+n+(r if k==b'\\0\\1' else b''),a)";
         outside;
       ]
      : Programs.running)

(* The program asks a server outside by its address: its /etc/resolv.conf is the machine's. *)
let ask =
  "import socket,struct,sys\n\
   def ask(name):\n\
  \  s=socket.socket(socket.AF_INET,socket.SOCK_DGRAM); s.settimeout(0.5)\n\
  \  q=struct.pack('>6H',77,0x100,1,0,0,0)+b''.join(bytes([len(p)])+p for p in \
   name.encode().split(b'.'))+b'\\0\\0\\1\\0\\1'\n\
  \  s.sendto(q,(sys.argv[1],53))\n\
  \  try: b=s.recv(512)\n\
  \  except TimeoutError: return 'timeout'\n\
  \  return str(b[3]&15)\n\
   print(*[ask(n) for n in sys.argv[2:]])\n"

let names t =
  name_server t;
  web t 8_541;
  let asked options expected =
    let r = run t.env ~options (python t ask [ outside; "a.example.org"; "b.example.net" ]) in
    status (String.concat " " options) 0 r;
    Alcotest.(check string) (String.concat " " options) expected (String.trim r.out)
  in
  asked [] "0 0";
  asked [ "--fault"; "dns=100%" ] "2 2";
  asked [ "--fault"; "dns=100%:nxdomain@*.example.org" ] "3 0";
  asked [ "--fault"; "dns=100%:timeout@b.example.net" ] "0 timeout";
  (* What was learnt from answers names connections, and chooses them. *)
  let script =
    String.concat " " (python t ask [ outside; "www.example.org" ])
    ^ "; "
    ^ String.concat " " (curl (url 8_541))
    ^ " -o /dev/null"
  in
  let r = run t.env ~options:[ "--log"; "text" ] (sh script) in
  status "named" 0 r;
  says "named" r "TCP www.example.org (198.51.100.7:8541): closed";
  let r = run t.env ~options:[ "--fault"; "refuse@*.example.org:8541" ] (sh script) in
  status "refused by name" 7 r

let cases =
  [
    Suite.slow "mistakes" (with_ mistakes);
    Suite.slow "the same seed" (with_ same_seed);
    Suite.slow "directions and destinations" (with_ directions);
    Suite.slow "rates and traces" (with_ rates);
    Suite.slow "cuts and schedules" (with_ cuts);
    Suite.slow "faults of connections" (with_ faults);
    Suite.slow "faults of names" (with_ names);
  ]
