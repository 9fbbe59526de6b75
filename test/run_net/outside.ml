(* The machine of these tests: addresses beside loopback's, servers on them, and an ordinary user. *)

open Weir_programs
open Weir_test

let v4 = "198.51.100.7"
let v6 = "2001:db8::7"
let weir ?(options = []) command = Programs.weir "run" (options @ ("--" :: command))
let run env ?seconds ?options command = Programs.run env ?seconds (weir ?options command)
let python script arguments = "python3" :: "-uc" :: script :: arguments
let sh script = [ "sh"; "-c"; script ]

let sysctl key value =
  let path = "/proc/sys/" ^ String.map (function '.' -> '/' | c -> c) key in
  try Out_channel.with_open_text path (fun c -> output_string c value) with Sys_error _ -> ()

let addresses env =
  let ip words = ignore (Programs.run env ("ip" :: String.split_on_char ' ' words)) in
  ip ("address replace " ^ v4 ^ "/32 dev lo");
  ip ("address replace " ^ v6 ^ "/128 dev lo nodad");
  ip "route replace unreachable 203.0.113.0/24";
  ip "-6 route replace unreachable 2001:db8:1::/64";
  sysctl "net.ipv4.ping_group_range" "0 2147483647"

let with_env f () =
  Netns.needed ();
  Eio_main.run @@ fun env ->
  Eio.Switch.run @@ fun sw ->
  addresses env;
  f env sw

let serve env sw command = ignore (Programs.start ~sw env ~ready:"ready" command : Programs.running)

let status what expected (r : Programs.result) =
  if r.status <> expected then
    Alcotest.failf "%s: status %d, not %d\n%s\n%s" what r.status expected r.out r.err

let says what part text =
  if not (Programs.contains text part) then Alcotest.failf "%s: no %S in\n%s" what part text

(* Answers over TCP and UDP, at all addresses or one, with the client's address behind what it got. *)
let echo =
  {|
import socket,sys,threading
at,port=sys.argv[1],int(sys.argv[2])
def bound(family,a,kind):
    s=socket.socket(family,kind)
    if kind==socket.SOCK_STREAM: s.setsockopt(socket.SOL_SOCKET,socket.SO_REUSEADDR,1)
    if family==socket.AF_INET6: s.setsockopt(socket.IPPROTO_IPV6,socket.IPV6_V6ONLY,1)
    s.bind((a,port)); return s
def tcp(s):
    s.listen(64)
    while True:
        c,p=s.accept(); c.sendall(c.recv(65536)+b' from '+p[0].encode()); c.close()
def udp(s):
    while True:
        b,p=s.recvfrom(65536)
        if b==b'twice': s.sendto(b,p)
        s.sendto(b+b' from '+p[0].encode(),p)
places=[(socket.AF_INET6 if ':' in at else socket.AF_INET,at)] if at!='all' else \
    [(socket.AF_INET,'0.0.0.0'),(socket.AF_INET6,'::')]
for family,a in places:
    for kind,f in ((socket.SOCK_STREAM,tcp),(socket.SOCK_DGRAM,udp)):
        threading.Thread(target=f,args=(bound(family,a,kind),)).start()
print('ready',flush=True)
|}

(* Asks [KIND,ADDRESS,PORT,SOURCE]... and prints each answer or error. *)
let ask =
  {|
import socket,sys,errno
for what in sys.argv[1:]:
    kind,a,port,source=what.split(',')
    s=socket.socket(socket.AF_INET6 if ':' in a else socket.AF_INET,
        socket.SOCK_STREAM if kind=='tcp' else socket.SOCK_DGRAM)
    s.settimeout(10)
    try:
        if source: s.bind((source,0))
        s.connect((a,int(port))); s.send(b'hi'); print(what,s.recv(100).decode(),flush=True)
    except OSError as e: print(what,errno.errorcode.get(e.errno,e),flush=True)
|}

(* -- an ordinary user ---------------------------------------------------------- *)

let tun = "/dev/net/tun"

(* As root, opens the device to all for the time of [f]. *)
let with_tun_open f =
  let mode = (Unix.stat tun).st_perm in
  if mode land 0o6 = 0o6 then f ()
  else if not (Netns.by_root ()) then Suite.skip "/dev/net/tun is not open to this user"
  else (
    Unix.chmod tun 0o666;
    Fun.protect ~finally:(fun () -> Unix.chmod tun mode) f)

(* What scripts/clients makes outside of the private root. *)
let made env name =
  let script = Filename.concat (Suite.project_root ()) "scripts/clients" in
  let folder = String.trim (Programs.succeed env [ script; "--where" ]) in
  let path = Filename.concat folder name in
  let why = path ^ ".why" in
  if Sys.file_exists path then path
  else
    Suite.skip
      (if Sys.file_exists why then String.trim (Programs.read why)
       else name ^ " is not there: scripts/clients makes it")

(* Of a user without privileges. *)
let as_user command =
  if Netns.by_root () then
    [ "setpriv"; "--reuid=65534"; "--regid=65534"; "--clear-groups"; "--" ] @ command
  else command
