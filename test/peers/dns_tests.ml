open Weir_programs
open Weir_wire
module Suite = Weir_test.Suite

let long = String.make 250 'x'
let many = 9

let unbound_conf dir =
  Printf.sprintf
    {|server:
  interface: %s
  access-control: 10.0.0.0/24 allow
  username: ""
  chroot: ""
  directory: "%s"
  pidfile: "%s/unbound.pid"
  do-daemonize: no
  use-syslog: no
  module-config: "iterator"
  local-zone: "example." static
  local-data: "example. 3600 IN SOA ns.example. admin.example. 7 3600 600 86400 300"
  local-data: "www.example. 60 IN A 10.0.0.1"
  local-data: "www.example. 60 IN AAAA fd00::1"
  local-data: "two.example. 60 IN A 10.0.0.77"
  local-data: "two.example. 60 IN A 10.0.0.1"
  local-data: "alias.example. 60 IN CNAME www.example."
  local-data: "_http._tcp.example. 60 IN SRV 1 2 80 www.example."
  local-data: 'text.example. 60 IN TXT "one" "two words"'
  local-data: 'long.example. 60 IN TXT %s'
  local-zone: "refused.example." refuse
  local-zone: "0.0.10.in-addr.arpa." static
  local-data-ptr: "10.0.0.1 60 www.example."
|}
    World.kernel dir dir
    (String.concat " " (List.init many (fun _ -> "\"" ^ long ^ "\"")))

let start_unbound (w : World.t) =
  Suite.needs_program "unbound";
  let conf = Filename.concat w.dir "unbound.conf" in
  Programs.write conf (unbound_conf w.dir);
  Programs.start ~sw:w.sw w.env [ "unbound"; "-d"; "-c"; conf ]

let dnsmasq_arguments ~address =
  [
    "dnsmasq";
    "-d";
    "--conf-file=/dev/null";
    "--no-resolv";
    "--no-hosts";
    "--pid-file=";
    "--listen-address=" ^ address;
    "--bind-interfaces";
    "--local=/example/";
    "--local-ttl=60";
    "--address=/two.example/10.0.0.1";
    "--host-record=www.example,10.0.0.1,fd00::1";
    "--cname=alias.example,www.example";
    "--srv-host=_http._tcp.example,www.example,80,1,2";
    "--txt-record=text.example,one,two words";
    "--txt-record=long.example," ^ String.concat "," (List.init many (fun _ -> long));
    "--ptr-record=1.0.0.10.in-addr.arpa,www.example";
  ]

let start_dnsmasq ?(address = World.kernel) (w : World.t) =
  Suite.needs_program "dnsmasq";
  Programs.start ~sw:w.sw w.env (dnsmasq_arguments ~address)

let ip = Ipaddr.of_string_exn

let addresses (w : World.t) node =
  match Eio.Net.getaddrinfo_stream ~service:"80" w.net node with
  | l ->
      String.concat " "
        (List.map (function `Tcp (a, _) -> Fmt.str "%a" Eio.Net.Ipaddr.pp a | `Unix _ -> "?") l)
  | exception Eio.Io (Eio.Net.E (Address_lookup_failed e), _) -> Eio.Net.Getaddrinfo_error.to_tag e

(* A server that has not begun yet refuses. *)
let use (w : World.t) ?search servers =
  let rec until_ready tries =
    Weir_eio.Host.set_resolvers w.host ?search (List.map ip servers);
    if addresses w "www.example." = "AGAIN" then
      if tries = 0 then Alcotest.fail "the server does not answer"
      else (
        Weir_eio.Host.sleep w.host 50_000_000;
        until_ready (tries - 1))
  in
  until_ready 100

let is w node want = Alcotest.(check string) node want (addresses w node)

let records (w : World.t) kind node =
  match Weir_eio.records w.host kind node with
  | Ok l -> List.map (fun (r : Dns.record) -> r.data) l
  | Error e -> Alcotest.failf "%s: %a" node Weir_drive.Lookup.pp_failure e

let names start (w : World.t) =
  let server = start w in
  use w ~search:[ "example" ] [ World.kernel ];
  is w "www.example" "10.0.0.1 fd00::1";
  is w "www" "10.0.0.1 fd00::1";
  is w "alias.example" "10.0.0.1 fd00::1";
  is w "nobody.example" "NONAME";
  is w "text.example" "NODATA";
  let a = Eio.Net.Ipaddr.of_raw (Ipaddr.to_octets (ip World.kernel)) in
  let name, _ = Eio.Net.getnameinfo w.net (`Tcp (a, 80)) in
  Alcotest.(check string) "backwards" "www.example" name;
  (match records w SRV "_http._tcp.example" with
  | [ SRV { priority = 1; weight = 2; port = 80; target } ] ->
      Alcotest.(check string) "SRV" "www.example" (Domain_name.to_string target)
  | _ -> Alcotest.fail "SRV");
  (match records w TXT "text.example" with
  | [ TXT [ "one"; "two words" ] ] -> ()
  | _ -> Alcotest.fail "TXT");
  (* 2,259 bytes: truncated, then by TCP. *)
  let before = (Weir_eio.Host.counters w.host).tcp_active_opens in
  (match records w TXT "long.example" with
  | [ TXT l ] -> Alcotest.(check int) "strings" many (List.length l)
  | _ -> Alcotest.fail "long TXT");
  Alcotest.(check int) "by TCP" (before + 1) (Weir_eio.Host.counters w.host).tcp_active_opens;
  ignore (Programs.finish ~signal:Sys.sigterm server)

let refused (w : World.t) =
  let server = start_unbound w in
  use w [ World.kernel ];
  is w "refused.example" "FAIL";
  ignore (Programs.finish ~signal:Sys.sigterm server)

let timed f =
  let began = Unix.gettimeofday () in
  f ();
  Unix.gettimeofday () -. began

(* Nobody has the first address; then its server is killed, and its port is closed. *)
let one_dead (w : World.t) =
  Suite.needs_program "ip";
  let second = "10.0.0.3" in
  ignore (Programs.succeed w.env [ "ip"; "addr"; "add"; second ^ "/24"; "dev"; w.interface ]);
  let unbound = start_unbound w and dnsmasq = start_dnsmasq ~address:second w in
  use w [ World.kernel ];
  use w [ second ];
  Weir_eio.Host.set_resolvers w.host [ ip "10.0.0.77"; ip second ];
  let took = timed (fun () -> is w "www.example" "10.0.0.1 fd00::1") in
  if took < 0.9 then Alcotest.failf "after %g s" took;
  is w "alias.example" "10.0.0.1 fd00::1";
  Weir_eio.Host.set_resolvers w.host [ ip World.kernel; ip second ];
  is w "www.example" "10.0.0.1 fd00::1";
  ignore (Programs.finish ~signal:Sys.sigkill unbound);
  is w "two.example" "10.0.0.1";
  ignore (Programs.finish ~signal:Sys.sigkill dnsmasq);
  is w "nobody.example" "AGAIN"

(* Nobody has the first address of the name. *)
let connect (w : World.t) =
  World.check_python ();
  let server = start_unbound w in
  let web =
    Programs.start ~sw:w.sw w.env ~ready:"Serving"
      [ "python3"; "-u"; "-m"; "http.server"; "8000"; "--bind"; World.kernel; "--directory"; w.dir ]
  in
  use w [ World.kernel ];
  let fetch node =
    Eio.Switch.run @@ fun sw ->
    let c = Weir_eio.connect w.host ~sw ~service:"8000" node in
    let flow = Weir_eio.Connection.socket c in
    Eio.Flow.copy_string "GET / HTTP/1.0\r\n\r\n" flow;
    let answer = Eio.Flow.read_all flow in
    if not (Programs.contains answer "200 OK") then Alcotest.failf "%s: %S" node answer
  in
  List.iter fetch [ World.kernel; "www.example"; "two.example"; "alias.example" ];
  ignore (Programs.finish ~signal:Sys.sigterm web);
  ignore (Programs.finish ~signal:Sys.sigterm server)

(* The command, on a TAP that stays. *)
let command () =
  Weir_test.Netns.needed ();
  List.iter Suite.needs_program [ "dnsmasq"; "python3" ];
  Programs.with_scratch @@ fun dir ->
  Eio_main.run @@ fun env ->
  Eio.Switch.run @@ fun sw ->
  let tap =
    World.ok (Weir_tap.Tap.open_ ~name:"tap7" ~persistent:true ~kernel:(World.kernel ^ "/24") ())
  in
  tap#close;
  Programs.write (Filename.concat dir "file") "the file\n";
  let dns = Programs.start ~sw env ~ready:"started" (dnsmasq_arguments ~address:World.kernel) in
  let web =
    Programs.start ~sw env ~ready:"Serving"
      [ "python3"; "-u"; "-m"; "http.server"; "8000"; "--bind"; World.kernel; "--directory"; dir ]
  in
  let link = [ "--link"; "tap:tap7"; "--address"; World.weir ^ "/24"; "--resolver"; "10.0.0.1" ] in
  let weir sub args = Programs.run env (Programs.weir sub (args @ link)) in
  let out sub args =
    let r = weir sub args in
    if r.status <> 0 then Alcotest.failf "%s: %d, %s" sub r.status r.err;
    r.out
  in
  Alcotest.(check string) "get" "the file\n" (out "get" [ "http://www.example:8000/file" ]);
  Alcotest.(check string)
    "get, in a domain" "the file\n"
    (out "get" [ "http://alias:8000/file"; "--search"; "example" ]);
  let pinged = out "ping" [ "www.example"; "-c"; "2"; "-i"; "0.01" ] in
  if not (Programs.contains pinged "2 received") then Alcotest.fail pinged;
  Alcotest.(check string)
    "resolve" "\"www.example.\" A 60 s 10.0.0.1\n\"www.example.\" AAAA 60 s fd00::1\n"
    (out "resolve" [ "www.example" ]);
  Alcotest.(check string)
    "resolve backwards" "\"1.0.0.10.in-addr.arpa.\" PTR 60 s \"www.example.\"\n"
    (out "resolve" [ "10.0.0.1" ]);
  let fails what sub args status part =
    let r = weir sub args in
    Alcotest.(check int) what status r.status;
    if not (Programs.contains r.err part && List.length (String.split_on_char '\n' r.err) = 2) then
      Alcotest.failf "%s: %s" what r.err
  in
  fails "no such name" "get" [ "http://nobody.example:8000/" ] 1
    "nobody.example: there is no such name";
  fails "no type" "resolve" [ "www.example"; "--type"; "nonsense" ] 2 "nonsense";
  fails "no domain" "get" [ "http://www/"; "--search"; "a b" ] 2 "--search a b";
  ignore (Programs.finish ~signal:Sys.sigterm web);
  ignore (Programs.finish ~signal:Sys.sigterm dns);
  let without =
    Programs.run env
      (Programs.weir "get"
         [ "http://www.example/"; "--link"; "tap:tap7"; "--address"; "10.0.0.11/24" ])
  in
  Alcotest.(check int) "no server given" 2 without.status;
  ignore (Programs.succeed env [ "ip"; "link"; "delete"; "tap7" ])

let cases =
  let case name f = Suite.case name (fun () -> World.with_weir f) in
  [
    case "names by unbound" (names start_unbound);
    case "names by dnsmasq" (names start_dnsmasq);
    case "a question that unbound refuses" refused;
    case "one server of two dead" one_dead;
    case "connect by name" connect;
    Suite.case "the command" command;
  ]
