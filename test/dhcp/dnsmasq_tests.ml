(* Against dnsmasq: it and the kernel at one end of a TAP, Weir at the other. *)

open Weir_base
open Weir_core
open Weir_programs
module Suite = Weir_test.Suite
module Interface = Weir_tap.Interface

let kernel = "10.0.0.1"
let ok = function Ok x -> x | Error e -> Alcotest.failf "%a" Weir_tap.Error.pp e

type t = { env : Programs.env; sw : Eio.Switch.t; dir : string }

let needed () =
  Weir_test.Netns.needed ();
  Suite.needs_program "dnsmasq"

(* T1 and T2 are much shorter than the lease, of which dnsmasq gives two minutes at least. *)
let dnsmasq t ?(pool = "10.0.0.50,10.0.0.59") arguments =
  let all =
    [
      "dnsmasq";
      "--no-daemon";
      "--conf-file=/dev/null";
      "--pid-file=";
      "--port=0";
      "--interface=tap0";
      "--bind-interfaces";
      "--no-ping";
      "--dhcp-authoritative";
      "--log-dhcp";
      "--dhcp-leasefile=" ^ Filename.concat t.dir "leases";
      Printf.sprintf "--dhcp-range=%s,255.255.255.0,2m" pool;
    ]
    @ arguments
  in
  let command = Filename.quote_command "exec" all ^ " 2>&1" in
  Programs.start ~sw:t.sw t.env ~ready:"DHCP, IP range" [ "sh"; "-c"; command ]

let short = [ "--dhcp-option-force=option:T1,2"; "--dhcp-option-force=option:T2,6" ]

let configure () =
  ok (Interface.set_address "tap0" (Ipaddr.of_string_exn kernel) ~prefix:24);
  ok (Interface.set_up "tap0")

let with_tap ?(seconds = 40.) f =
  needed ();
  Programs.with_scratch @@ fun dir ->
  Eio_main.run @@ fun env ->
  let link = ok (Weir_tap.Tap.open_ ~name:"tap0" ()) in
  configure ();
  let clock = Eio.Stdenv.mono_clock env in
  match
    Eio.Time.Timeout.run (Eio.Time.Timeout.seconds clock seconds) (fun () ->
        Eio.Switch.run @@ fun sw -> Ok (f { env; sw; dir } link))
  with
  | Ok () -> ()
  | Error `Timeout -> Alcotest.failf "not done within %g s" seconds

(* RFC 5227's probes, at a hundredth of their times. *)
let quick =
  let ms = Time.ms in
  {
    Dhcp_config.default with
    host_name = Some "weir-test";
    probing = { probes = 3; wait = ms 10; shortest = ms 10; longest = ms 20; settle = ms 20 };
  }

let host t link =
  let clock = Eio.Stdenv.mono_clock t.env in
  Weir_eio.host ~sw:t.sw ~clock ~link ~dhcp:quick ~address:"dhcp" ()

let check_bool what b = Alcotest.(check bool) what true b
let lease = function Ok (l : Dhcp_lease.t) -> l | Error m -> Alcotest.fail m
let ip (l : Dhcp_lease.t) = Ipaddr.V4.(to_string (Prefix.address l.address))

let ping t a =
  Suite.needs_program "ping";
  ignore (Programs.succeed t.env [ "ping"; "-n"; "-c2"; "-i0.2"; "-W2"; a ] : string)

let says server what =
  if not (Programs.contains (Programs.output server) what) then
    Alcotest.failf "no %S in:\n%s" what (Programs.output server)

(* The server is told when the program ends, and writes it down a little later. *)
let rec says_soon ?(tries = 40) t server what =
  if tries = 0 || Programs.contains (Programs.output server) what then says server what
  else (
    Eio.Time.Mono.sleep (Eio.Stdenv.mono_clock t.env) 0.05;
    says_soon ~tries:(tries - 1) t server what)

let stop server = ignore (Programs.finish ~signal:Sys.sigterm server : int)

let gives_all t link =
  let server =
    dnsmasq t
      [
        "--domain=weir.example";
        "--dhcp-option=option:dns-server,10.0.0.1,192.0.2.53";
        "--dhcp-option-force=option:domain-search,weir.example,lab.weir.example";
        "--dhcp-option-force=option:mtu,1400";
        "--dhcp-option-force=121,0.0.0.0/0,10.0.0.1,198.51.100.0/24,10.0.0.3";
      ]
  in
  let h = host t link in
  let l = lease (Weir_eio.await_lease h) in
  Alcotest.(check string)
    "the lease"
    (ip l
   ^ "/24 from 10.0.0.1, routes 0.0.0.0/0 via 10.0.0.1, 198.51.100.0/24 via 10.0.0.3, resolvers \
      10.0.0.1 192.0.2.53, domain weir.example, search weir.example lab.weir.example, MTU 1400")
    (Fmt.str "%a" Dhcp_lease.pp l);
  Bench.check_between "two minutes" 119. 120.5 (l.until - Weir_eio.Host.now h + Time.ms 200);
  ping t (ip l);
  says server "client provides name: weir-test";
  Weir_eio.shutdown h;
  says_soon t server "DHCPRELEASE(tap0)"

let renews t link =
  let server = dnsmasq t short in
  let h = host t link in
  let first = lease (Weir_eio.await_lease h) in
  match Weir_eio.lease_after h (Some first) with
  | None -> Alcotest.fail "lost"
  | Some l ->
      Alcotest.(check string) "the same" (ip first) (ip l);
      if l.until < first.until + Time.s 2 then Alcotest.fail "it is not longer";
      ping t (ip l);
      stop server

(* The server is gone when the lease is to be renewed; another answers the rebinding host. *)
let other_pool t link =
  let server = dnsmasq t short in
  let h = host t link in
  let first = lease (Weir_eio.await_lease h) in
  ping t (ip first);
  stop server;
  Weir_eio.Host.sleep h (Time.s 3);
  Alcotest.(check bool) "it keeps its address" true (Weir_eio.lease h <> None);
  let server = dnsmasq t ~pool:"10.0.0.150,10.0.0.159" short in
  let rec until_other l =
    match Weir_eio.lease_after h l with Some l when ip l <> ip first -> l | l -> until_other l
  in
  let l = until_other (Some first) in
  if not (String.starts_with ~prefix:"10.0.0.15" (ip l)) then Alcotest.failf "got %s" (ip l);
  says server "DHCPNAK";
  ping t (ip l)

(* The kernel answers ARP for this address, of which dnsmasq knows nothing. *)
let in_use t link =
  Suite.needs_program "ip";
  ignore (Programs.succeed t.env [ "ip"; "addr"; "add"; "10.0.0.50/32"; "dev"; "lo" ] : string);
  Fun.protect ~finally:(fun () ->
      ignore (Programs.succeed t.env [ "ip"; "addr"; "del"; "10.0.0.50/32"; "dev"; "lo" ] : string))
  @@ fun () ->
  let server = dnsmasq t ~pool:"10.0.0.50,10.0.0.51" [ "--dhcp-sequential-ip" ] in
  let h = host t link in
  let l = lease (Weir_eio.await_lease h ~timeout_ns:(Time.s 30)) in
  Alcotest.(check string) "the free one" "10.0.0.51" (ip l);
  says server "DHCPDECLINE(tap0) 10.0.0.50"

(* -- the command --------------------------------------------------------- *)

(* The TAP outlives the command, so that dnsmasq can be there first. *)
let with_lasting_tap f =
  needed ();
  Suite.needs_program "ip";
  Programs.with_scratch @@ fun dir ->
  Eio_main.run @@ fun env ->
  Eio.Switch.run @@ fun sw ->
  ignore (Programs.succeed env [ "ip"; "tuntap"; "add"; "tap0"; "mode"; "tap" ] : string);
  Fun.protect ~finally:(fun () ->
      ignore (Programs.run env [ "ip"; "link"; "del"; "tap0" ] : Programs.result))
  @@ fun () ->
  configure ();
  f { env; sw; dir }

let dhcp = [ "--link"; "tap:tap0"; "--address"; "dhcp" ]

let ping_command t =
  let server = dnsmasq t [] in
  let r = Programs.run t.env (Programs.weir "ping" ([ kernel; "-c"; "2"; "-i"; "0.1" ] @ dhcp)) in
  Alcotest.(check int) ("status\n" ^ r.err) 0 r.status;
  if not (Programs.contains r.out "2 received") then Alcotest.fail r.out;
  if not (Programs.contains r.err "weir: DHCP on tap0: 10.0.0.5") then Alcotest.fail r.err;
  says_soon t server "DHCPRELEASE(tap0)"

let lease_file t =
  let server = dnsmasq t [] in
  let file = Filename.concat t.dir "lease" in
  let ping () =
    let arguments = [ kernel; "-c"; "1"; "--lease-file"; file ] @ dhcp in
    Programs.run t.env (Programs.weir "ping" arguments)
  in
  let good (r : Programs.result) = Alcotest.(check int) ("status\n" ^ r.err) 0 r.status in
  let discovers () =
    let line = String.split_on_char '\n' (Programs.output server) in
    List.length (List.filter (fun l -> Programs.contains l "DHCPDISCOVER(tap0)") line)
  in
  good (ping ());
  let stored = In_channel.with_open_bin file In_channel.input_all in
  check_bool "the address" (String.starts_with ~prefix:"10.0.0.5" stored);
  Alcotest.(check int) "asked for any" 1 (discovers ());
  good (ping ());
  Alcotest.(check int) "asked for the same" 1 (discovers ());
  says server ("DHCPACK(tap0) " ^ List.hd (String.split_on_char ' ' stored));
  check_bool "not given back" (not (Programs.contains (Programs.output server) "DHCPRELEASE"));
  Programs.write file "no address";
  let r = ping () in
  good r;
  check_bool r.err (Programs.contains r.err "has no address and identifier; asking for any address")

let no_server t =
  let r = Programs.run t.env (Programs.weir "ping" (kernel :: dhcp)) in
  Alcotest.(check int) "status" 1 r.status;
  Alcotest.(check string)
    "says"
    "weir: no DHCP server answered on tap0 within 10 s: 2 requests were sent; is a server on this \
     link?\n"
    r.err

let wrong_arguments t =
  let check expected arguments =
    let r = Programs.run t.env (Programs.weir "ping" (kernel :: arguments)) in
    Alcotest.(check (pair int string)) "says" (2, "weir: " ^ expected ^ "\n") (r.status, r.err)
  in
  check "--lease-file needs --address dhcp"
    [ "--link"; "tap:tap0"; "--address"; "10.0.0.9/24"; "--lease-file"; "x" ];
  check "--gateway is for a static address; a DHCP server names the router itself"
    (dhcp @ [ "--gateway"; kernel ])

(* Serves a page, which is fetched, and is where it was served. *)
let serve_once ?(options = []) driver t =
  Suite.needs_program "curl";
  let site = Filename.concat t.dir "site" in
  if not (Sys.file_exists site) then Sys.mkdir site 0o755;
  Programs.write (Filename.concat site "index.html") "by DHCP";
  let arguments = [ site; "--quiet"; "--driver"; driver ] @ options @ dhcp in
  let weir = Programs.start ~sw:t.sw t.env ~ready:"serving" (Programs.weir "serve" arguments) in
  let out = Programs.output weir in
  let words = String.split_on_char ' ' (String.concat " " (String.split_on_char '\n' out)) in
  let at = List.find (String.starts_with ~prefix:"http://") words in
  Alcotest.(check string)
    "the page" "by DHCP"
    (Programs.succeed t.env [ "curl"; "-sS"; "--max-time"; "10"; at ]);
  Alcotest.(check int) "status" 0 (Programs.finish ~signal:Sys.sigint weir);
  at

let serves driver t =
  let server = dnsmasq t [] in
  ignore (serve_once driver t : string);
  says_soon t server "DHCPRELEASE(tap0)"

let serves_again driver t =
  let server = dnsmasq t [] in
  let file = Filename.concat t.dir "lease" in
  let once () = serve_once ~options:[ "--lease-file"; file ] driver t in
  let first = once () in
  let stored = Programs.read file in
  let address = List.hd (String.split_on_char '/' (List.hd (String.split_on_char ' ' stored))) in
  Alcotest.(check string) "it stands in the file" first ("http://" ^ address ^ "/");
  Alcotest.(check string) "the same again" first (once ());
  let discovers =
    String.split_on_char '\n' (Programs.output server)
    |> List.filter (fun l -> Programs.contains l "DHCPDISCOVER(tap0)")
  in
  Alcotest.(check int) "asked for any once" 1 (List.length discovers);
  check_bool "not given back" (not (Programs.contains (Programs.output server) "DHCPRELEASE"))

let case name f = Suite.case name (fun () -> with_tap f)
let command name f = Suite.slow name (fun () -> with_lasting_tap f)

let cases =
  [
    case "a lease with everything" gives_all;
    case "renewed" renews;
    case "another pool after a restart" other_pool;
    case "an address in use" in_use;
    command "weir ping" ping_command;
    command "weir ping, the address kept in a file" lease_file;
    command "weir ping without a server" no_server;
    command "wrong arguments" wrong_arguments;
    command "weir serve" (serves "eio");
    command "weir serve, Lwt" (serves "lwt");
    command "weir serve, Lwt, the address kept in a file" (serves_again "lwt");
  ]
