open Weir_programs
open Weir_test

let outside = "198.51.100.7"
let sh script = [ "sh"; "-c"; script ]
let weir options command = Programs.weir "run" (options @ ("--" :: command))

let with_ f () =
  Netns.needed ();
  Eio_main.run @@ fun env ->
  Eio.Switch.run @@ fun sw ->
  Programs.with_scratch @@ fun folder ->
  ignore (Programs.run env [ "ip"; "address"; "replace"; outside ^ "/32"; "dev"; "lo" ]);
  f env sw folder

let status what expected (r : Programs.result) =
  if r.status <> expected then
    Alcotest.failf "%s: status %d, not %d\n%s\n%s" what r.status expected r.out r.err

(* -- what is there -------------------------------------------------------------------- *)

let numbered dir =
  try Sys.readdir dir |> Array.to_list |> List.filter_map int_of_string_opt with Sys_error _ -> []

let words pid =
  match Programs.read (Printf.sprintf "/proc/%d/cmdline" pid) with
  | line -> String.split_on_char '\000' line
  | exception Sys_error _ -> []

(* Processes with [word] among their arguments. *)
let with_argument word = List.filter (fun pid -> List.mem word (words pid)) (numbered "/proc")

(* Every network namespace that a process is in. *)
let namespaces () =
  List.filter_map
    (fun pid ->
      try Some (Unix.readlink (Printf.sprintf "/proc/%d/ns/net" pid))
      with Unix.Unix_error _ -> None)
    (numbered "/proc")
  |> List.sort_uniq compare

let rec until ?(tries = 200) what f =
  if not (f ()) then
    if tries = 0 then Alcotest.failf "%s" what
    else (
      Unix.sleepf 0.025;
      until ~tries:(tries - 1) what f)

let files folder = List.sort compare (Array.to_list (Sys.readdir folder))

(* -- kills ------------------------------------------------------------------------------ *)

let options folder =
  [
    "--pcap";
    Filename.concat folder "c.pcapng";
    "--html";
    Filename.concat folder "c.html";
    "--json";
    Filename.concat folder "c.json";
    "--impair";
    "delay=1ms";
  ]

(* [kill r number] ends something; the program, [sleep number], waits for it. Its namespace goes
   with the last process in it, and the device with the namespace. *)
let killed env sw folder ~number ~files:expected kill =
  let script = Printf.sprintf "sleep %s & echo ready; wait" number in
  let r = Programs.start ~sw env ~ready:"ready" (weir (options folder) (sh script)) in
  until "the program runs" (fun () -> with_argument number <> []);
  let inside = List.hd (with_argument number) in
  let namespace = Unix.readlink (Printf.sprintf "/proc/%d/ns/net" inside) in
  kill r inside;
  until "no process stays" (fun () -> with_argument number = []);
  until "no namespace stays" (fun () -> not (List.mem namespace (namespaces ())));
  let capture = Filename.concat folder "c.pcapng" in
  (* Killed before anything was written, it is empty. *)
  if (Unix.stat capture).st_size > 0 then
    status "the capture is whole as far as it goes" 0
      (Programs.run env (Programs.weir "dump" [ capture ]));
  Alcotest.(check (list string)) "files" expected (files folder);
  List.iter (fun f -> Sys.remove (Filename.concat folder f)) expected

let whole = [ "c.html"; "c.json"; "c.pcapng" ]

let kills env sw folder =
  let killed = killed env sw folder in
  killed ~number:"7201" ~files:[ "c.pcapng" ] (fun r _ ->
      ignore (Programs.finish ~signal:Sys.sigkill r : int));
  killed ~number:"7202" ~files:whole (fun r inside ->
      (* The shell that waits for [inside] is the program. *)
      let stat = Programs.read (Printf.sprintf "/proc/%d/stat" inside) in
      let parent = int_of_string (List.nth (String.split_on_char ' ' stat) 3) in
      Unix.kill parent Sys.sigkill;
      Alcotest.(check int) "its status" 137 (Programs.finish r));
  killed ~number:"7203" ~files:whole (fun r _ ->
      Alcotest.(check int) "a closed terminal" 129 (Programs.finish ~signal:Sys.sighup r))

(* Ctrl-C is for the whole process group of the terminal. *)
let interrupted env sw folder =
  let script =
    "import os,pty,sys,time\n\
     pid,fd=pty.fork()\n\
     if pid==0: os.execvp(sys.argv[1],sys.argv[1:])\n\
     seen=b''\n\
     while b'ready' not in seen: seen+=os.read(fd,1000)\n\
     os.write(fd,b'\\x03')\n\
     try:\n\
    \  while os.read(fd,1000): pass\n\
     except OSError: pass\n\
     _,s=os.waitpid(pid,0); print('status',os.WTERMSIG(s) if os.WIFSIGNALED(s) else s>>8)"
  in
  let file = Filename.concat folder "keys.py" in
  Programs.write file script;
  ignore sw;
  let command = weir (options folder) (sh "echo ready; exec sleep 7204") in
  let r = Programs.run env ("python3" :: file :: command) in
  status "python" 0 r;
  Alcotest.(check string) "ended by the signal" "status 2\n" r.out;
  until "no process stays" (fun () -> with_argument "7204" = []);
  Alcotest.(check (list string)) "files" (whole @ [ "keys.py" ]) (files folder)

(* -- a full disk ---------------------------------------------------------------------------- *)

let script folder name text =
  let path = Filename.concat folder name in
  Programs.write path text;
  path

(* Python's own program has a backlog of 5, and refuses most of 200 clients at once. *)
let web_server =
  "import http.server as h,sys,functools\n\
   h.ThreadingHTTPServer.request_queue_size=1024\n\
   f=functools.partial(h.SimpleHTTPRequestHandler,directory=sys.argv[3])\n\
   s=h.ThreadingHTTPServer((sys.argv[1],int(sys.argv[2])),f); print('Serving',flush=True)\n\
   s.serve_forever()"

let web env sw folder port =
  Programs.write (Filename.concat folder "big") (String.make 3_000_000 'x');
  Programs.write (Filename.concat folder "small") "small";
  ignore
    (Programs.start ~sw env ~ready:"Serving"
       [ "python3"; "-u"; script folder "web.py" web_server; outside; string_of_int port; folder ]
      : Programs.running)

let full_disk env sw folder =
  Suite.needs_program "unshare";
  Suite.needs_program "mount";
  web env sw folder 8_601;
  let small = Filename.concat folder "disk" in
  Unix.mkdir small 0o755;
  let at name = Filename.concat small name in
  let line =
    weir
      [ "--pcap"; at "c.pcapng"; "--html"; at "c.html" ]
      [ "curl"; "-sS"; "-o"; "/dev/null"; Printf.sprintf "http://%s:8601/big" outside ]
    |> List.map Filename.quote |> String.concat " "
  in
  let dump = String.concat " " (List.map Filename.quote (Programs.weir "dump" [ at "c.pcapng" ])) in
  (* The disk is seen only in there. *)
  let script =
    Printf.sprintf "mount -t tmpfs -o size=1m none %s; %s; echo status $?; %s | wc -l; ls %s" small
      line dump small
  in
  let r = Programs.run env ~seconds:60. [ "unshare"; "-m"; "sh"; "-c"; script ] in
  status "all" 0 r;
  let says part text =
    if not (Programs.contains text part) then Alcotest.failf "no %S in\n%s\n%s" part r.out r.err
  in
  says "status 0" r.out;
  says "No space left" r.err;
  says "frames are missing from the capture" r.err;
  if Programs.contains r.err "the file ends" then Alcotest.fail "half a packet";
  if Programs.contains r.out ".part" then Alcotest.fail "half a page"

(* -- many ------------------------------------------------------------------------------------ *)

let descriptors pid = List.length (numbered (Printf.sprintf "/proc/%d/fd" pid))

let resident pid =
  Programs.read (Printf.sprintf "/proc/%d/status" pid)
  |> String.split_on_char '\n'
  |> List.find_map (fun l -> try Scanf.sscanf l "VmRSS: %d kB" Option.some with _ -> None)
  |> Option.get

(* The program opens connections one after the other, and pauses twice, so that Weir can be looked
   at. *)
let sequence =
  "import socket,sys,time,os\n\
   n,port=int(sys.argv[2]),int(sys.argv[3])\n\
   for k in range(n):\n\
  \  c=socket.create_connection((sys.argv[1],port),10); c.sendall(b'x'); assert c.recv(10)==b'y'; \
   c.close()\n\
  \  if k in (n//3,n-1):\n\
  \    open(sys.argv[4]+str(k),'w').close()\n\
  \    while os.path.exists(sys.argv[4]+str(k)): time.sleep(0.02)\n"

let answers =
  "import socket,sys\n\
   s=socket.create_server((sys.argv[1],int(sys.argv[2])),backlog=1024); print('ready',flush=True)\n\
   while True:\n\
  \  c,_=s.accept(); c.recv(10); c.sendall(b'y'); c.close()\n"

let long = Sys.getenv_opt "WEIR_RUN_LONG" <> None

let short_connections env sw folder =
  let n = if long then 100_000 else 3_000 in
  let server = script folder "answers.py" answers
  and client = script folder "sequence.py" sequence in
  ignore
    (Programs.start ~sw env ~ready:"ready" [ "python3"; "-u"; server; outside; "8602" ]
      : Programs.running);
  let mark = Filename.concat folder "at" in
  let r =
    Programs.start ~sw env (weir [] [ "python3"; client; outside; string_of_int n; "8602"; mark ])
  in
  let pid = Programs.pid r in
  let look k =
    let file = mark ^ string_of_int k in
    until ~tries:(400 + (n / 10)) "it goes on" (fun () -> Sys.file_exists file);
    (* Connections that ended a moment ago are let go of. *)
    Unix.sleepf 0.5;
    let seen = (descriptors pid, resident pid) in
    Sys.remove file;
    seen
  in
  let fds, memory = look (n / 3) in
  let fds', memory' = look (n - 1) in
  Alcotest.(check int) "the program" 0 (Programs.finish r);
  Alcotest.(check int) "descriptors" fds fds';
  if memory' > memory + 16_384 then Alcotest.failf "from %d to %d kB" memory memory'

let downloads env sw folder =
  web env sw folder 8_603;
  let n = if long then 1_000 else 200 in
  let client =
    script folder "downloads.py"
      "import asyncio,sys\n\
       async def one():\n\
      \  r,w=await asyncio.open_connection(sys.argv[1],int(sys.argv[2]))\n\
      \  w.write(b'GET /small HTTP/1.0\\r\\n\\r\\n'); b=await r.read(); w.close(); return \
       b.endswith(b'small')\n\
       async def main(): print(sum(await asyncio.gather(*[one() for _ in range(int(sys.argv[3]))])))\n\
       asyncio.run(main())"
  in
  let r =
    Programs.run env ~seconds:120.
      (weir [] (sh (Printf.sprintf "ulimit -n 4096; exec python3 %s %s 8603 %d" client outside n)))
  in
  status "downloads" 0 r;
  Alcotest.(check string) "all" (Printf.sprintf "%d\n" n) r.out

let () =
  Sys.set_signal Sys.sighup Signal_default;
  Sys.set_signal Sys.sigint Signal_default;
  Netns.run (fun () ->
      Suite.run "run_ends"
        [
          ( "ends",
            [
              Suite.slow "kills" (with_ kills);
              Suite.slow "Ctrl-C" (with_ interrupted);
              Suite.slow "a full disk" (with_ full_disk);
            ] );
          ( "many",
            [
              Suite.slow "short connections" (with_ short_connections);
              Suite.slow "parallel downloads" (with_ downloads);
            ] );
        ])
