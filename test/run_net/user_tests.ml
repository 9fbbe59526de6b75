(* Programs of an ordinary user: the same output and status as without Weir. *)

open Weir_programs
open Weir_test
open Outside

let same ?(filter = Fun.id) env what command =
  let direct = Programs.run env ~seconds:20. (as_user command) in
  let inside = Programs.run env ~seconds:20. (as_user (weir command)) in
  if (filter inside.out, inside.status) <> (filter direct.out, direct.status) then
    Alcotest.failf "%s: %d, directly %d\n--- inside\n%s%s\n--- directly\n%s%s" what inside.status
      direct.status inside.out inside.err direct.out direct.err

let with_site f env sw =
  Programs.with_scratch @@ fun folder ->
  Unix.chmod folder 0o755;
  Programs.write (Filename.concat folder "page")
    (String.init 100_000 (fun i -> Char.chr (i land 127)));
  ignore
    (Programs.start ~sw env ~ready:"Serving"
       [ "python3"; "-u"; "-m"; "http.server"; "8601"; "--bind"; v4; "-d"; folder ]
      : Programs.running);
  with_tun_open @@ fun () -> f env sw folder

let page = Printf.sprintf "http://%s:8601/page" v4

let fetch_async =
  {|
import asyncio,sys
async def one():
    r,w=await asyncio.open_connection(sys.argv[1],8601)
    w.write(b'GET /page HTTP/1.0\r\n\r\n'); b=await r.read(); w.close(); return len(b)
async def main(): print(len(set(await asyncio.gather(*[one() for _ in range(20)]))))
asyncio.run(main())
|}

let fetch_node =
  "fetch(process.argv[1]).then(r=>r.text()).then(t=>console.log(t.length)).catch(e=>{console.log(e.cause.code);process.exitCode=3})"

let urllib =
  "import sys,urllib.request as u; sys.stdout.buffer.write(u.urlopen(sys.argv[1]).read())"

(* What is there, what is not, and where nobody listens. *)
let client program command env _sw _folder =
  Suite.needs_program program;
  List.iter
    (fun url -> same env (program ^ " " ^ url) (command url))
    [ page; page ^ "s"; Printf.sprintf "http://%s:1/" v4 ]

let asyncio env _sw _folder = same env "asyncio" (python fetch_async [ v4 ])

let git env _sw folder =
  Suite.needs_program "git";
  let repository = Filename.concat folder "r" in
  ignore
    (Programs.succeed env
       (sh
          (Printf.sprintf
             "git -c init.defaultBranch=main init -q %s && cd %s && echo hello > file && git add \
              file && git -c user.name=a -c user.email=a@example.com commit -qm one && git \
              update-server-info"
             repository repository))
      : string);
  let clone =
    Printf.sprintf
      "d=$(mktemp -d) && HOME=$d git clone -q http://%s:8601/r/.git $d/c && cat $d/c/file && git \
       -C $d/c log --format=%%s; s=$?; rm -rf $d; exit $s"
      v4
  in
  same env "git" (sh clone)

let dns_server =
  {|
import socket,sys
s=socket.socket(socket.AF_INET,socket.SOCK_DGRAM); s.bind((sys.argv[1],8603)); print('ready',flush=True)
while True:
    b,p=s.recvfrom(4096); end=b.index(b'\0',12)+5
    s.sendto(b[:2]+b'\x81\x80\0\1\0\1\0\0\0\0'+b[12:end]+b'\xc0\x0c\0\1\0\1\0\0\0\x3c\0\4\x0a\1\2\3',p)
|}

let datagrams env sw _folder =
  serve env sw (python echo [ v4; "8602" ]);
  serve env sw (python dns_server [ v4 ]);
  same env "dig" [ "dig"; "+short"; "+noedns"; "-p"; "8603"; "@" ^ v4; "name.test" ];
  same env "nc -u"
    ~filter:(fun s -> List.hd (String.split_on_char ' ' s))
    (sh (Printf.sprintf "echo hello | timeout 2 nc -u -w 1 %s 8602; exit 0" v4));
  let figures s =
    String.split_on_char '\n' s
    |> List.filter (fun l -> Programs.contains l "packets transmitted")
    |> List.map (fun l -> List.hd (String.split_on_char 't' l))
    |> String.concat ""
  in
  same env "ping" ~filter:figures [ "ping"; "-c"; "1"; v4 ];
  same env "ping, no route" ~filter:figures [ "ping"; "-c"; "1"; "-W"; "1"; v4 ]

let redis env sw _folder =
  Suite.needs_program "redis-server";
  ignore
    (Programs.start ~sw env ~ready:"Ready to accept"
       [ "redis-server"; "--port"; "8604"; "--bind"; v4; "--save"; ""; "--protected-mode"; "no" ]
      : Programs.running);
  let cli = Printf.sprintf "redis-cli -h %s -p 8604 " v4 in
  same env "redis-cli"
    (sh
       (cli ^ "set key 42; " ^ cli ^ "incr key; " ^ cli ^ "set key 42; " ^ cli
      ^ "--raw eval 'return string.rep(\"x\",100000)' 0; " ^ cli ^ "nonsense"))

let iperf env sw _folder =
  Suite.needs_program "iperf3";
  ignore
    (Programs.start ~sw env ~ready:"Server listening"
       [ "iperf3"; "-s"; "--forceflush"; "-B"; v4; "-p"; "8605" ]
      : Programs.running);
  List.iter
    (fun options ->
      let command = [ "iperf3"; "-c"; v4; "-p"; "8605"; "-n"; "20M" ] @ options in
      status (String.concat " " options) 0 (Programs.run env ~seconds:20. (as_user (weir command))))
    [ []; [ "-R" ]; [ "-P"; "8" ]; [ "-P"; "8"; "-R" ] ]

let ssh env sw folder =
  Suite.needs_program "ssh-keygen";
  if not (Sys.file_exists "/usr/sbin/sshd") then Suite.skip "sshd is not installed";
  let key = Filename.concat folder "key" in
  ignore
    (Programs.succeed env [ "ssh-keygen"; "-q"; "-t"; "ed25519"; "-N"; ""; "-f"; key ] : string);
  Netns.needs_root ();
  (* It wants a user and a folder of its own. *)
  let passwd = Filename.concat folder "passwd" in
  Programs.write passwd "root:x:0:0:root:/root:/bin/sh\nsshd:x:65533:65534::/run/sshd:/bin/sh\n";
  let script =
    "import ctypes,os,sys\n\
     m=ctypes.CDLL(None).mount\n\
     m(None,b'/',None,0x44000,None)\n\
     m(sys.argv[1].encode(),b'/etc/passwd',None,4096,None); m(b'none',b'/run',b'tmpfs',0,None)\n\
     os.mkdir('/run/sshd'); os.dup2(1,2); \
     os.execv('/usr/sbin/sshd',['/usr/sbin/sshd']+sys.argv[2:])"
  in
  let sshd =
    [ "-D"; "-e"; "-f"; "/dev/null"; "-h"; key; "-p"; "8606"; "-o"; "ListenAddress=" ^ v4 ]
  in
  ignore
    (Programs.start ~sw env ~ready:"Server listening"
       ([ "unshare"; "-m" ] @ python script (passwd :: sshd))
      : Programs.running);
  same env "its banner" (sh (Printf.sprintf "timeout 5 nc -w 1 %s 8606 </dev/null | head -n 1" v4))

let compiled name env _sw _folder =
  let client = made env name in
  (* The user may not look into root's folders. *)
  Programs.with_scratch @@ fun folder ->
  Unix.chmod folder 0o755;
  let copy = Filename.concat folder name in
  Programs.write copy (Programs.read client);
  Unix.chmod copy 0o755;
  same env name [ copy; page ];
  same env (name ^ ", not found") [ copy; page ^ "s" ];
  same env (name ^ ", refused") [ copy; Printf.sprintf "http://%s:1/" v4 ]

let cases =
  let slow name f = Suite.slow name (with_env (with_site f)) in
  [
    slow "curl" (client "curl" (fun url -> [ "curl"; "-sSf"; url ]));
    slow "wget" (client "wget" (fun url -> [ "wget"; "-qO-"; url ]));
    slow "python's urllib" (client "python3" (fun url -> python urllib [ url ]));
    slow "python's asyncio" asyncio;
    slow "node's fetch" (client "node" (fun url -> [ "node"; "-e"; fetch_node; url ]));
    slow "git" git;
    slow "dig, nc -u, ping" datagrams;
    slow "redis-cli" redis;
    slow "iperf3" iperf;
    slow "ssh's banner" ssh;
    slow "Go" (compiled "go");
    slow "Rust" (compiled "rust");
  ]
