open Weir_programs
open Weir_test

let with_env f () =
  Netns.needed ();
  Eio_main.run @@ fun env ->
  Eio.Switch.run @@ fun sw ->
  Programs.with_scratch @@ fun folder ->
  Unix.putenv "XDG_RUNTIME_DIR" folder;
  f env sw folder

let member ?(options = []) name command =
  Programs.weir "run" ([ "--join"; "net"; "--name"; name ] @ options @ ("--" :: command))

let server env sw name =
  let script = "echo " ^ name ^ " > $0; exec python3 -um http.server 80 -d $(dirname $0)" in
  let folder = Filename.temp_dir "weir" name in
  Programs.start ~sw env ~ready:"Serving"
    (member name ("sh" :: "-c" :: script :: [ Filename.concat folder "name" ]))

let fetch env ?options ?(from = "z") name =
  let url = "http://" ^ name ^ "/name" in
  Programs.run env (member ?options from [ "curl"; "-sS"; "--max-time"; "5"; url ])

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
  let taken = Programs.run env (member "a" [ "true" ]) in
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

let between env sw _folder =
  let (_ : Programs.running) = server env sw "a" in
  let options = [ "--between"; "a,z:cut=0s..3600s" ] in
  Alcotest.(check int)
    "cut" 28
    (Programs.run env (member ~options "z" [ "curl"; "-sS"; "--max-time"; "1"; "http://a/name" ]))
      .status;
  finds env ~from:"x" "a";
  let ping = [ "ping"; "-4"; "-c"; "2"; "-w"; "5"; "a" ] in
  let r = Programs.run env (member ~options:[ "--between"; "*,a:delay=60ms" ] "z" ping) in
  Alcotest.(check bool)
    "120 ms there and back" true
    (Programs.contains r.out "icmp_seq=2 ttl=64 time=1");
  List.iter
    (fun bad ->
      let r = Programs.run env (member ~options:[ "--between"; bad ] "z" [ "true" ]) in
      Alcotest.(check bool) bad true (r.status <> 0))
    [ "a"; "a,b"; "a:loss=1%"; "a,b:cut=3s"; "a,b:cut=3s..2s"; "a,b:nonsense=1" ]

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

let cluster env sw _folder =
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
    ignore
      (Programs.start ~sw env ~ready:"ready"
         (member ~options:(ports @ options) name ([ "sh"; "-c"; node; name ] @ arguments))
        : Programs.running)
  in
  start "a" 1 [ "--between"; "a,*:cut=12s..20s" ] [];
  start "b" 2 [] [ "--replicaof"; "a"; "6379" ];
  start "c" 3 [] [ "--replicaof"; "a"; "6379" ];
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
      && String.trim (ask 8711 [ "get"; "key" ]) = "2")

let () =
  Netns.run (fun () ->
      Suite.run "run_join"
        [
          ( "join",
            [
              Suite.slow "names and owners" (with_env names);
              Suite.slow "between two" (with_env between);
              Suite.slow "a cluster is cut and heals" (with_env cluster);
            ] );
        ])
