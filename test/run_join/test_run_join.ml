open Weir_programs
open Weir_test

let with_env f () =
  Netns.needed ();
  Eio_main.run @@ fun env ->
  Eio.Switch.run @@ fun sw ->
  Programs.with_scratch @@ fun folder ->
  Unix.putenv "XDG_RUNTIME_DIR" folder;
  f env sw folder

let on_net ?(options = []) name command =
  Programs.weir "run" ([ "--join"; "net"; "--name"; name ] @ options @ ("--" :: command))

let server env sw name =
  let script = "echo " ^ name ^ " > $0; exec python3 -um http.server 80 -d $(dirname $0)" in
  let folder = Filename.temp_dir "weir" name in
  Programs.start ~sw env ~ready:"Serving"
    (on_net name ("sh" :: "-c" :: script :: [ Filename.concat folder "name" ]))

let fetch env ?options ?(from = "z") name =
  let url = "http://" ^ name ^ "/name" in
  Programs.run env (on_net ?options from [ "curl"; "-sS"; "--max-time"; "5"; url ])

let finds env ?from name =
  let r = fetch env ?from name in
  if (r.status, r.out) <> (0, name ^ "\n") then
    Alcotest.failf "%s: %d\n%s%s" name r.status r.out r.err

let rec until env ?(tries = 200) what f =
  if not (f ()) then
    if tries = 0 then Alcotest.failf "%s: not in time" what
    else (
      Eio.Time.sleep (Eio.Stdenv.clock env) 0.1;
      until env ~tries:(tries - 1) what f)

let names env sw folder =
  let a = server env sw "a" in
  let b = server env sw "b" in
  finds env "a";
  finds env ~from:"y" "b";
  let taken = Programs.run env (on_net "a" [ "true" ]) in
  Alcotest.(check int) "a name that is taken" 2 taken.status;
  Alcotest.(check bool) "says so" true (Programs.contains taken.err "a member is called a already");
  Alcotest.(check int) "nobody of that name" 6 (fetch env "nobody").status;
  (* The owner dies, and nobody could tell the others. *)
  ignore (Programs.finish ~signal:Sys.sigkill a : int);
  until env "another owner" (fun () -> (fetch env "b").status = 0);
  let a = server env sw "a" in
  finds env "a";
  ignore (Programs.finish ~signal:Sys.sigterm b : int);
  until env "the next one" (fun () -> (fetch env "a").status = 0);
  ignore (Programs.finish ~signal:Sys.sigterm a : int);
  Alcotest.(check (list string)) "nothing is left" [] (Array.to_list (Sys.readdir folder))

let status what expected (r : Programs.result) =
  if r.status <> expected then
    Alcotest.failf "%s: status %d, not %d\n%s\n%s" what r.status expected r.out r.err

let says what part text =
  if not (Programs.contains text part) then Alcotest.failf "%s: no %S in\n%s" what part text

let between env sw folder =
  let (_ : Programs.running) = server env sw "a" in
  let curl = [ "curl"; "-sS"; "--max-time"; "1"; "http://a/name" ] in
  let z options command = Programs.run env (on_net ~options "z" command) in
  status "cut" 28 (z [ "--cut"; "a,z:0s..3600s" ] curl);
  status "one way" 28 (z [ "--cut"; "z,*:0s../in" ] curl);
  finds env ~from:"x" "a";
  let r = z [ "--impair"; "*,a:delay=60ms" ] [ "ping"; "-4"; "-c"; "2"; "-w"; "5"; "a" ] in
  says "120 ms there and back" "icmp_seq=2 ttl=64 time=1" r.out;
  (* The most specific decides. *)
  let spared = [ "--impair"; "a,*:loss=100%"; "--impair"; "z,a:none" ] in
  status "spared" 0 (z spared curl);
  let table = Filename.concat folder "table" in
  Programs.write table "0s cut a,z\n0s rate a,z:1mbit\n3600s heal\n";
  status "by a table" 28 (z [ "--schedule"; table ] curl);
  status "not on a network" 2
    (Programs.run env (Programs.weir "run" [ "--cut"; "a,b:0s..1s"; "--"; "true" ]));
  List.iter
    (fun (option, bad) -> status bad 2 (z [ option; bad ] [ "true" ]))
    [
      ("--impair", "a,b");
      ("--impair", "a:loss=1%");
      ("--cut", "a,b:3s");
      ("--cut", "a*,b:3s..4s");
      ("--rate", "a,b,c:1mbit");
      ("--cut", "a,b:3s..2s");
      ("--impair", "a,b:nonsense=1");
      ("--impair", "a,b:loss=1%@10.0.0.1");
      ("--fault", "a,b:refuse");
      ("--rate", "a,b:fast");
    ]

let json path = Yojson.Safe.from_file path

(* What was done to packets between members stands in both members' reports. *)
let reported env sw folder =
  Suite.needs_program "tshark";
  let path name = Filename.concat folder name in
  let reports name =
    [ "--json"; path (name ^ ".json"); "--html"; path (name ^ ".html"); "--pcap" ]
    @ [ path (name ^ ".pcapng"); "--log"; "text"; "--summary" ]
  in
  let big = path "big" in
  Programs.write big (String.make 300_000 'x');
  let serve =
    Programs.start ~sw env ~ready:"Serving"
      (on_net ~options:(reports "a") "a" [ "python3"; "-um"; "http.server"; "80"; "-d"; folder ])
  in
  let options = reports "z" @ [ "--impair"; "z,a:loss=5%,delay=2ms"; "--seed"; "7" ] in
  let options = options @ [ "--rate"; "a,z:100mbit/in" ] in
  let r =
    Programs.run env ~seconds:30.
      (on_net ~options "z" [ "curl"; "-4sS"; "-o"; "/dev/null"; "http://a/big" ])
  in
  status "fetched" 0 r;
  says "the log" "TCP a (10.0.2.15:80): closed" r.err;
  says "the log" " lost in" r.err;
  says "the summary" "10.0.2.15:80  a " r.err;
  says "the queue" "between a and z" r.err;
  ignore (Programs.finish ~signal:Sys.sigterm serve : int);
  says "the other side's log" ":80 from z (10.0.2.16): closed" (Programs.output serve);
  let at_file = Filename.concat folder in
  let open Yojson.Safe.Util in
  let connection name =
    let all = json (at_file (name ^ ".json")) |> member "connections" |> to_list in
    match List.filter (fun c -> c |> member "protocol" |> to_string = "tcp") all with
    | [ c ] -> c
    | l -> Alcotest.failf "%s: %d connections" name (List.length l)
  in
  let at z way = connection z |> member way |> member "lost" |> to_int in
  let bytes z way = connection z |> member way |> to_int in
  let client = "z" and server = "a" in
  Alcotest.(check bool) "all bytes" true (bytes client "bytes_in" > 300_000);
  Alcotest.(check int) "the same there" (bytes client "bytes_in") (bytes server "bytes_out");
  Alcotest.(check bool) "some were lost" true (at client "packets_in" > 0);
  Alcotest.(check int) "as many there" (at client "packets_in") (at server "packets_out");
  Alcotest.(check int) "the other way" (at client "packets_out") (at server "packets_in");
  Alcotest.(check bool)
    "a round trip of two delays" true
    (connection client |> member "rtt_ns" |> to_int > 4_000_000);
  says "the page" "impair loss=0.05,delay=2ms between z and a" (Programs.read (at_file "z.html"));
  says "said by the other" "z: impair loss=0.05" (Programs.read (at_file "a.html"));
  let text = Programs.succeed env (Programs.weir "dump" [ at_file "a.pcapng" ]) in
  says "recorded" "10.0.2.16" text;
  let shark more = Programs.succeed env ([ "tshark"; "-r"; at_file "z.pcapng" ] @ more) in
  Alcotest.(check string) "malformed" "" (shark [ "-Y"; "_ws.malformed" ]);
  says "comments" "begins: TCP a (10.0.2.15:80)" (shark [ "-T"; "fields"; "-e"; "frame.comment" ])

(* One datagram after the other, so that which arrive is the seed's choice alone. *)
let seeded env sw _folder =
  let server =
    "import socket,sys\n\
     s=socket.socket(socket.AF_INET,socket.SOCK_DGRAM); s.bind(('0.0.0.0',9))\n\
     print('ready',flush=True)\n\
     while True:\n\
    \  b,a=s.recvfrom(100); s.sendto(b,a)"
  and client =
    "import socket\n\
     s=socket.socket(socket.AF_INET,socket.SOCK_DGRAM); s.settimeout(0.3); s.connect(('a',9))\n\
     def asked(n):\n\
    \  s.send(b'%d'%n)\n\
    \  try:\n\
    \    while s.recv(100)!=b'%d'%n: pass\n\
    \    return '1'\n\
    \  except TimeoutError: return '0'\n\
     print(''.join(asked(n) for n in range(40)))"
  in
  let (_ : Programs.running) =
    Programs.start ~sw env ~ready:"ready" (on_net "a" [ "python3"; "-uc"; server ])
  in
  let arrive seed =
    let options = [ "--impair"; "a,z:loss=20%"; "--seed"; seed ] in
    let r = Programs.run env ~seconds:40. (on_net ~options "z" [ "python3"; "-c"; client ]) in
    status "asking" 0 r;
    r.out
  in
  let first = arrive "7" in
  says "some are answered" "1" first;
  says "some are not" "0" first;
  Alcotest.(check string) "the same seed" first (arrive "7");
  Alcotest.(check bool) "another seed" true (first <> arrive "8")

(* Three nodes, each with a server of Redis and a sentinel. The master is cut off from the others,
   which choose another; when it is back, it follows. *)
let node =
  {|
cd $(mktemp -d)
trap 'rm -rf $PWD; kill $(jobs -p)' EXIT
redis-server --port 6379 --save '' --protected-mode no --replica-announce-ip $0 $* > redis.log &
cat > sentinel.conf <<END
port 26379
protected-mode no
sentinel resolve-hostnames yes
sentinel announce-hostnames yes
sentinel announce-ip $0
sentinel monitor db a 6379 2
sentinel down-after-milliseconds db 1000
sentinel failover-timeout db 4000
END
until redis-cli -h a ping > /dev/null 2>&1; do sleep 0.1; done
redis-server sentinel.conf --sentinel > sentinel.log &
echo ready
wait
|}

let cluster env sw folder =
  Suite.needs_program "redis-server";
  let start name n options arguments =
    let ports =
      [
        "--publish";
        Printf.sprintf "127.0.0.1:87%d1:6379" n;
        "--publish";
        Printf.sprintf "127.0.0.1:87%d2:26379" n;
      ]
    in
    Programs.start ~sw env ~ready:"ready"
      (on_net ~options:(ports @ options) name ([ "sh"; "-c"; node; name ] @ arguments))
  in
  let table = Filename.concat folder "table" and page = Filename.concat folder "a.json" in
  Programs.write table "12s cut a,*\n20s heal\n";
  let a = start "a" 1 [ "--schedule"; table; "--json"; page ] [] in
  let (_ : Programs.running) = start "b" 2 [] [ "--replicaof"; "a"; "6379" ] in
  let (_ : Programs.running) = start "c" 3 [] [ "--replicaof"; "a"; "6379" ] in
  let ask port words =
    (Programs.run env ([ "redis-cli"; "-t"; "2"; "-p"; string_of_int port ] @ words)).out
  in
  let master () =
    List.hd (String.split_on_char '\n' (ask 8722 [ "sentinel"; "get-master-addr-by-name"; "db" ]))
  in
  until env "three nodes" (fun () ->
      let said = ask 8722 [ "sentinel"; "master"; "db" ] in
      let after key =
        let rec find = function k :: v :: _ when k = key -> v | _ :: r -> find r | [] -> "" in
        find (String.split_on_char '\n' said)
      in
      after "num-slaves" = "2" && after "num-other-sentinels" = "2");
  Alcotest.(check string) "the first master" "a" (master ());
  ignore (ask 8711 [ "set"; "key"; "1" ] : string);
  until env "another master" ~tries:250 (fun () -> List.mem (master ()) [ "b"; "c" ]);
  let now = master () in
  let port = if now = "b" then 8721 else 8731 in
  until env "it takes writes" (fun () -> String.trim (ask port [ "incr"; "key" ]) = "2");
  until env "the old master follows" ~tries:350 (fun () ->
      Programs.contains (ask 8711 [ "role" ]) "slave"
      && String.trim (ask 8711 [ "get"; "key" ]) = "2");
  (* The page draws what this document says. *)
  ignore (Programs.finish ~signal:Sys.sigterm a : int);
  let open Yojson.Safe.Util in
  let document = json page in
  (match document |> member "cuts" |> to_list with
  | [ cut ] ->
      Alcotest.(check string) "the cut" "between a and *" (cut |> member "scope" |> to_string);
      let lasted = (cut |> member "until_ns" |> to_int) - (cut |> member "from_ns" |> to_int) in
      Alcotest.(check int) "of 8 s" 8_000_000_000 lasted
  | l -> Alcotest.failf "%d cuts" (List.length l));
  let cut_packets c =
    (c |> member "packets_out" |> member "cut" |> to_int)
    + (c |> member "packets_in" |> member "cut" |> to_int)
  in
  let of_others =
    document |> member "connections" |> to_list
    |> List.filter (fun c -> List.mem (c |> member "name") [ `String "b"; `String "c" ])
  in
  Alcotest.(check bool) "connections to others" true (of_others <> []);
  Alcotest.(check bool)
    "packets were cut" true
    (List.fold_left (fun n c -> n + cut_packets c) 0 of_others > 0)

let () =
  Netns.run (fun () ->
      Suite.run "run_join"
        [
          ( "join",
            [
              Suite.slow "names and owners" (with_env names);
              Suite.slow "between two" (with_env between);
              Suite.slow "reports" (with_env reported);
              Suite.slow "the seed" (with_env seeded);
              Suite.slow "a cluster is cut and heals" (with_env cluster);
            ] );
        ])
