(* Errors, echo requests, published ports and names. *)

open Weir_programs
open Weir_test
open Outside

let lines text = String.split_on_char '\n' (String.trim text)

(* The program meets the error that it would meet without Weir. *)
let errors env _sw =
  let places =
    [
      "tcp," ^ v4 ^ ",1,";
      "udp," ^ v4 ^ ",1,";
      "tcp,203.0.113.5,80,";
      "udp,203.0.113.5,80,";
      "tcp,192.0.2.1,80,";
      "udp,192.0.2.1,80,";
      "tcp," ^ v6 ^ ",1,";
      "udp," ^ v6 ^ ",1,";
      "tcp,2001:db8:1::1,80,";
      "tcp,2001:db8:5::1,80,";
    ]
  in
  let command = python ask places in
  let direct = Programs.succeed env command in
  Alcotest.(check (list string)) "the same" (lines direct) (lines (run env command).out);
  List.iter (fun e -> says "direct" e direct) [ "ECONNREFUSED"; "EHOSTUNREACH"; "ENETUNREACH" ]

let echoes env _sw =
  let ping a = [ "ping"; "-c"; "2"; "-i"; "0.2"; "-W"; "5"; "-s"; "1200"; a ] in
  List.iter
    (fun a ->
      let r = run env ~options:[ "--log"; "text" ] (ping a) in
      status a 0 r;
      says a "2 packets transmitted, 2 received, 0% packet loss" r.out;
      says a ("ICMP " ^ a ^ ": closed") r.err)
    [ v4; v6 ];
  status "denied" 1 (run env ~options:[ "--deny"; v4 ] (ping v4));
  status "no route" 1 (run env (ping "192.0.2.1"));
  sysctl "net.ipv4.ping_group_range" "1 0";
  let r = run env ~options:[ "--log"; "text" ] (ping v4) in
  status "not allowed" 1 r;
  says "it says why" "net.ipv4.ping_group_range" r.err

let published env sw =
  let options =
    [ "--publish"; "8501:80"; "--publish"; "8502:80/udp"; "--publish"; "127.0.0.1:8503:80" ]
  in
  serve env sw (weir ~options (python echo [ "all"; "80" ]));
  let places =
    [
      ("tcp,127.0.0.1,8501,", "10.0.2.2");
      ("udp,127.0.0.1,8502,", "10.0.2.2");
      ("tcp," ^ v4 ^ ",8501," ^ v4, v4);
      ("udp," ^ v4 ^ ",8502," ^ v4, v4);
      ("tcp,::1,8501,", "fd00::2");
      ("udp,::1,8502,", "fd00::2");
      ("tcp," ^ v6 ^ ",8501," ^ v6, v6);
      ("udp," ^ v6 ^ ",8502," ^ v6, v6);
      ("tcp,127.0.0.1,8503,", "10.0.2.2");
    ]
  in
  let expected =
    List.map (fun (what, from) -> Printf.sprintf "%s hi from %s" what from) places
    @ [ "tcp," ^ v4 ^ ",8503, ECONNREFUSED"; "tcp," ^ v4 ^ ",8502, ECONNREFUSED" ]
  in
  let asked = List.map fst places @ [ "tcp," ^ v4 ^ ",8503,"; "tcp," ^ v4 ^ ",8502," ] in
  Alcotest.(check (list string))
    "who asks" expected
    (lines (Programs.succeed env (python ask asked)));
  let again options = run env ~options [ "true" ] in
  let r = again [ "--publish"; "8501" ] in
  status "in use" 2 r;
  says "in use" "weir: --publish 8501: port 8501 is in use\n" r.err;
  status "UDP in use" 2 (again [ "--publish"; "8502/udp" ]);
  List.iter
    (fun bad -> status bad 2 (again [ "--publish"; bad ]))
    [ ""; "0"; "65536"; "80:"; "80:80:80"; "1.2.3:80"; "80/sctp"; "[::1]"; "[::1:80" ]

(* Nobody listens inside: the client hears it. *)
let nobody env sw =
  let ready = sh "echo ready; sleep 20" in
  serve env sw (weir ~options:[ "--publish"; "8511:80" ] ready);
  let out = Programs.succeed env (python ask [ "tcp,127.0.0.1,8511," ]) in
  says "reset" "ECONNRESET" out

let names env sw =
  Programs.with_scratch @@ fun folder ->
  let file = Filename.concat folder "hosts" in
  Programs.write file
    (Printf.sprintf "# a comment\n\n%s  web.test  www.web.test # names\n%s\tsix.test\n" v4 v6);
  serve env sw (python echo [ v4; "8521" ]);
  let options = [ "--hosts"; file; "--hosts"; "Db.Test=" ^ v4; "--hosts"; "db.test=" ^ v6 ] in
  let look =
    "import socket,sys; print(sorted({a[4][0] for a in socket.getaddrinfo(sys.argv[1],80)}))"
  in
  let found name = String.trim (run env ~options (python look [ name ])).out in
  Alcotest.(check string) "of a file" (Printf.sprintf "['%s']" v4) (found "www.web.test");
  Alcotest.(check string) "IPv6" (Printf.sprintf "['%s']" v6) (found "six.test");
  Alcotest.(check string) "both" (Printf.sprintf "['%s', '%s']" v4 v6) (found "DB.test");
  let back = "import socket,sys; print(socket.gethostbyaddr(sys.argv[1])[0])" in
  Alcotest.(check string)
    "backwards" "six.test"
    (String.trim (run env ~options (python back [ v6 ])).out);
  let ask_name options = (run env ~options (python ask [ "tcp,web.test,8521," ])).out in
  says "by name" "hi from" (ask_name options);
  says "a rule" "hi from" (ask_name (options @ [ "--deny"; "0.0.0.0/0"; "--allow"; "*.test:8521" ]));
  says "another name's" "ECONNREFUSED"
    (ask_name (options @ [ "--deny"; "0.0.0.0/0"; "--allow"; "web.example" ]));
  says "denied by name" "ECONNREFUSED" (ask_name (options @ [ "--deny"; "web.test" ]));
  (* Over TCP too, and so are its failures. *)
  let dig fault =
    let options = options @ [ "--fault"; fault ] in
    (run env ~options [ "dig"; "+tcp"; "+tries=1"; "+time=2"; "six.test"; "aaaa" ]).out
  in
  says "over TCP" v6 (dig "dns=0%");
  says "no such name" "NXDOMAIN" (dig "dns=100%:nxdomain");
  says "a failure" "SERVFAIL" (dig "dns=100%@*.test");
  says "no answer" "no servers could be reached" (dig "dns=100%:timeout");
  let bad = run env ~options:[ "--hosts"; "db.test=here" ] [ "true" ] in
  status "no address" 2 bad;
  Programs.write file "198.51.100.7 web.test\nnonsense\n";
  let bad = run env ~options:[ "--hosts"; file ] [ "true" ] in
  status "no hosts file" 2 bad;
  says "where" "line 2" bad.err

let shell env _sw =
  let r = Programs.run env ~stdin:"echo $((40+2)); exit 5\n" (Programs.weir "run" [ "--shell" ]) in
  status "the shell's" 5 r;
  says "it ran" "42" r.out;
  status "one or the other" 2 (run env ~options:[ "--shell" ] [ "true" ])

(* A container that hides a part of /proc: a process namespace cannot be had. *)
let no_process_namespace env sw =
  with_tun_open @@ fun () ->
  let cover =
    "import ctypes,os,sys\n\
     if ctypes.CDLL(None).mount(b'none',b'/proc/tty',b'tmpfs',0,None)!=0: sys.exit(99)\n\
     os.execvp(sys.argv[1],sys.argv[1:])"
  in
  let command inside =
    (* What covers it must not be removable: it is another user namespace's. *)
    let unshare = [ "unshare"; "-Urm" ] in
    as_user (unshare @ python cover (unshare @ weir inside))
  in
  let r =
    Programs.run env (command (sh "sleep 7301 & sleep 7302 & readlink /proc/self/ns/pid; exit 7"))
  in
  if r.status = 99 then Suite.skip "/proc cannot be covered here";
  status "its status" 7 r;
  Alcotest.(check string)
    "the machine's processes"
    (Unix.readlink "/proc/self/ns/pid")
    (String.trim r.out);
  let killed =
    Programs.start ~sw env ~ready:"ready" (command (sh "sleep 7303 & echo ready; wait"))
  in
  ignore (Programs.finish ~signal:Sys.sigkill killed : int);
  let left = Programs.run env (sh "sleep 0.5; grep -las '^sleep.730[123]' /proc/[0-9]*/cmdline") in
  Alcotest.(check string) "no child stays" "" left.out

(* Packets that no kernel would send: each address is one by which the kernel outside would reach
   its own loopback. *)
let crafted =
  {|
import ipaddress,socket,struct,sys
port=int(sys.argv[1])
socket.socket(socket.AF_INET,socket.SOCK_DGRAM).sendto(b'hi',('10.0.2.2',9))
lines=[l.split() for l in open('/proc/net/arp')][1:]
there=bytes.fromhex([l[3] for l in lines if l[0]=='10.0.2.2'][0].replace(':',''))
s=socket.socket(socket.AF_PACKET,socket.SOCK_RAW); s.bind(('weir0',0)); here=s.getsockname()[4]
def total(b):
    n=sum(struct.unpack('>%dH'%(len(b)//2),b))
    while n>>16: n=(n&65535)+(n>>16)
    return n^65535
def udp(a,b,data):
    h=struct.pack('>HHHH',4000,port,8+len(data),0)
    n=total(a+b+struct.pack('>HH',17,8+len(data))+h+data)
    return h[:6]+struct.pack('>H',n)+data
for to in sys.argv[2:]:
    a=ipaddress.ip_address('10.0.2.15' if '.' in to and ':' not in to else 'fd00::15').packed
    b=ipaddress.ip_address(to).packed; u=udp(a,b,to.encode()+b' '*(len(to)%2))
    if len(a)==4:
        h=struct.pack('>BBHHHBBH',69,0,20+len(u),1,0,64,17,0)+a+b
        s.send(there+here+b'\x08\0'+h[:10]+struct.pack('>H',total(h))+h[12:]+u)
    else: s.send(there+here+b'\x86\xdd'+struct.pack('>IHBB',0x60000000,len(u),17,64)+a+b+u)
|}

let hears =
  {|
import socket,sys
s=socket.socket(socket.AF_INET6,socket.SOCK_DGRAM); s.setsockopt(41,socket.IPV6_V6ONLY,0)
s.bind(('::',int(sys.argv[1]))); print('ready',flush=True)
while True:
    b=s.recv(100); print('heard',b,flush=True)
    if b.startswith(b'198'): break
|}

let no_way_around env sw =
  Netns.needs_root ();
  let server = Programs.start ~sw env ~ready:"ready" (python hears [ "8561" ]) in
  let places = [ "127.0.0.1"; "0.0.0.0"; "::"; "::1"; "::ffff:127.0.0.1"; "::127.0.0.1" ] in
  let r = run env (python crafted (("8561" :: places) @ [ v4 ])) in
  status "sent" 0 r;
  ignore (Programs.finish server : int);
  Alcotest.(check (list string))
    "what is heard"
    [ Printf.sprintf "heard b'%s'" v4 ]
    (List.filter (fun l -> l <> "ready") (lines (Programs.output server)))

(* More pairs than the table has: the oldest make room, and each is answered. *)
let many_pairs env sw =
  serve env sw (python echo [ v4; "8531" ]);
  let script =
    "import socket,sys\n\
     for n in range(1300):\n\
    \  s=socket.socket(socket.AF_INET,socket.SOCK_DGRAM); s.settimeout(2)\n\
    \  for again in range(5):\n\
    \    try: s.sendto(b'hi',(sys.argv[1],8531)); s.recv(100); break\n\
    \    except TimeoutError: print(n,again)\n\
    \  else: sys.exit('no answer to %d'%n)\n\
    \  s.close()\n\
     print('all answered')"
  in
  let r = run env (python script [ v4 ]) in
  says "pairs" "all answered" (r.out ^ r.err)

(* The example: any address behind the device is this machine's. *)
let proxy env sw =
  serve env sw (python echo [ "127.0.0.1"; "8541" ]);
  let program = Filename.concat (Suite.project_root ()) "_build/default/examples/proxy.exe" in
  let (_ : Programs.running) = Programs.start ~sw env [ program; "tun9"; "10.9.0.1/24" ] in
  let route = "ip route replace 192.0.2.0/24 dev tun9 src 10.9.0.1" in
  let rec await tries =
    if (Programs.run env (String.split_on_char ' ' route)).status <> 0 && tries > 0 then (
      Eio.Time.sleep (Eio.Stdenv.clock env) 0.1;
      await (tries - 1))
  in
  await 50;
  let out = Programs.succeed env (python ask [ "tcp,192.0.2.1,8541,"; "udp,192.0.2.9,8541," ]) in
  Alcotest.(check (list string))
    "both arrive"
    [ "tcp,192.0.2.1,8541, hi from 127.0.0.1"; "udp,192.0.2.9,8541, hi from 127.0.0.1" ]
    (lines out)

let cases =
  let slow name f = Suite.slow name (with_env f) in
  [
    slow "the same errors" errors;
    slow "ping" echoes;
    slow "a proxy on a TUN device" proxy;
    slow "many UDP pairs" many_pairs;
    slow "published ports" published;
    slow "published, but nobody listens" nobody;
    slow "names" names;
    slow "no way around" no_way_around;
    slow "a shell" shell;
    slow "no process namespace" no_process_namespace;
  ]
