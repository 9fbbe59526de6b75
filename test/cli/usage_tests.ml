open Weir_programs
module Suite = Weir_test.Suite

let lines s = List.filter (( <> ) "") (String.split_on_char '\n' s)
let weir env sub args = Programs.run env (Programs.weir sub args)
let under_eio f () = Eio_main.run (fun env -> f env)
let subcommands = [ "serve"; "get"; "ping"; "iperf"; "resolve"; "dump"; "sim"; "lab"; "demo" ]

let help sub env =
  let r = weir env sub [ "--help=plain" ] in
  Alcotest.(check int) "status" 0 r.status;
  Alcotest.(check string) "standard error" "" r.err;
  Alcotest.(check bool) "has examples" true (Programs.contains r.out "EXAMPLES");
  Alcotest.(check bool) "an example to type" true (Programs.contains r.out ("weir " ^ sub))

let overview env =
  let r = Programs.run env (Programs.weir "--help=plain" []) in
  Alcotest.(check int) "status" 0 r.status;
  List.iter (fun s -> Alcotest.(check bool) s true (Programs.contains r.out s)) subcommands

(* One line that begins with the program's name, and nothing else. *)
let fails status sub args env =
  let r = weir env sub args in
  let what = String.concat " " (sub :: args) in
  if r.status <> status || List.length (lines r.err) <> 1 || r.out <> "" then
    Alcotest.failf "%s: status %d, standard output %S, standard error:\n%s" what r.status r.out
      r.err;
  if not (String.starts_with ~prefix:"weir" r.err) then Alcotest.failf "%s: %s" what r.err

let fails_silently status sub args env =
  let r = weir env sub args in
  Alcotest.(check int) "status" status r.status;
  Alcotest.(check int) "lines" 1 (List.length (lines r.err))

let on_tap address = [ "--link"; "tap:weirtest"; "--address"; address ]

(* What no host can have. *)
let bad_addresses =
  [
    "10.0.0.0/24"; "10.0.0.255/24"; "127.0.0.1/8"; "224.0.0.1/24"; "0.0.0.0/0"; "255.255.255.255/32";
  ]

let with_bad_addresses =
  List.concat_map
    (fun (sub, arguments) -> List.map (fun a -> (sub, arguments @ on_tap a)) bad_addresses)
    [
      ("serve", [ "." ]);
      ("serve", [ "."; "--driver"; "lwt" ]);
      ("get", [ "http://10.0.0.1/" ]);
      ("ping", [ "10.0.0.1" ]);
      ("iperf", [ "--listen"; "5001" ]);
      ("iperf", [ "--listen"; "5001"; "--driver"; "lwt" ]);
    ]

let bad_arguments =
  with_bad_addresses
  @ [
      ("no-such-command", []);
      ("serve", []);
      ("serve", [ "/no/such/folder" ]);
      ("serve", [ "/etc/passwd" ]);
      ("serve", [ "."; "extra" ]);
      ("serve", [ "."; "--port"; "0" ]);
      ("serve", [ "."; "--port"; "65536" ]);
      ("serve", [ "."; "--port"; "many" ]);
      ("serve", [ "."; "--link"; "eth0" ]);
      ("serve", [ "."; "--link"; "tap:" ]);
      ("serve", [ "."; "--link"; "tap:tap0" ]);
      ("serve", [ "."; "--link"; "tap:tap0"; "--address"; "10.0.0.300/24" ]);
      ("serve", [ "."; "--link"; "tap:a-name-that-is-too-long"; "--address"; "10.0.0.1/24" ]);
      ("serve", [ "."; "--link"; "tap:tap0"; "--address"; "10.0.0.11/24"; "--gateway"; "x" ]);
      ("serve", [ "."; "--link"; "tun:" ]);
      ("serve", [ "."; "--link"; "tun:tun0" ]);
      ("serve", [ "."; "--link"; "tun:tun0"; "--address"; "dhcp" ]);
      ("serve", [ "."; "--link"; "packet:" ]);
      ("serve", [ "."; "--link"; "packet:none0" ]);
      ("serve", [ "."; "--link"; "packet:none0"; "--address"; "10.0.0.11/24" ]);
      ("serve", [ "."; "--link"; "packet:lo"; "--address"; "10.0.0.11/24" ]);
      ("iperf", [ "--link"; "packet:none0"; "--address"; "10.0.0.11/24" ]);
      ("serve", [ "."; "--address"; "10.0.0.11/24" ]);
      ("serve", [ "."; "--forward"; "8080" ]);
      ("serve", [ "."; "--forward"; "nowhere:80" ]);
      ("serve", [ "."; "--impair"; "loss=200%" ]);
      ("serve", [ "."; "--impair"; "luck=1%" ]);
      ("serve", [ "."; "--pcap"; "/no/such/folder/x.pcap" ]);
      ("serve", [ "."; "--pcap-rotate"; "1MB" ]);
      ("serve", [ "."; "--pcap"; "x.pcap"; "--pcap-keep"; "2" ]);
      ("serve", [ "."; "--pcap"; "x.pcap"; "--pcap-snaplen"; "0" ]);
      ("serve", [ "."; "--pcap"; "x.pcap"; "--pcap-rotate"; "0" ]);
      ("serve", [ "."; "--pcap"; "x.pcap"; "--pcap-rotate"; "1 box" ]);
      ("serve", [ "."; "--pcap"; "x.pcap"; "--pcap-rotate"; "1MB"; "--pcap-keep"; "0" ]);
      ("iperf", [ "--pcap-snaplen"; "128" ]);
      ("iperf", [ "--pcap"; "/dev/null"; "--pcap-rotate"; "1MB" ]);
      ("serve", [ "."; "--driver"; "threads" ]);
      ("serve", [ "."; "--max-connections"; "0" ]);
      ("serve", [ "."; "--max-per-address"; "10" ]);
      ("serve", [ "."; "--max-per-address"; "0" ] @ on_tap "10.0.0.11/24");
      ("serve", [ "."; "--domains"; "0" ] @ on_tap "10.0.0.11/24");
      ("serve", [ "."; "--domains"; "65" ] @ on_tap "10.0.0.11/24");
      ("serve", [ "."; "--domains"; "two" ] @ on_tap "10.0.0.11/24");
      ("serve", [ "."; "--domains"; "2" ]);
      ("serve", [ "."; "--domains"; "2"; "--driver"; "lwt" ] @ on_tap "10.0.0.11/24");
      ("serve", [ "."; "--domains"; "2"; "--pcap"; "/dev/null" ] @ on_tap "10.0.0.11/24");
      ("serve", [ "."; "--domains"; "2"; "--forward"; "127.0.0.1:1" ] @ on_tap "10.0.0.11/24");
      ("serve", [ "."; "--nonsense" ]);
      ("lab", [ "no-such-study" ]);
      ("lab", [ "stack"; "--json"; "/no/such/folder/x.json" ]);
      ("lab", [ "stack"; "--baseline"; "/no/such/file" ]);
      ("lab", [ "stack"; "--html"; "/etc/passwd" ]);
      ("get", []);
      ("get", [ "ftp://10.0.0.1/" ]);
      ("get", [ "not a url" ]);
      ("get", [ "http://10.0.0.1/"; "--timeout"; "0" ]);
      ("get", [ "http://10.0.0.1/"; "--timeout"; "soon" ]);
      ("ping", []);
      ("ping", [ "example.org" ]);
      ("ping", [ "10.0.0.1"; "--resolver"; "10.0.0.1" ]);
      ("ping", [ "10.0.0.1"; "--resolver"; "nobody" ]);
      ("get", [ "http://example.org/"; "--link"; "tap:none"; "--address"; "10.0.0.11/24" ]);
      ("iperf", [ "--to"; "example.org:5001"; "--link"; "tap:none"; "--address"; "10.0.0.11/24" ]);
      ("resolve", [ "example.org" ]);
      ("resolve", [ "example.org"; "--type"; "nosuch" ]);
      ("ping", [ "10.0.0.1"; "-c"; "0" ]);
      ("ping", [ "10.0.0.1"; "-i"; "0" ]);
      ("ping", [ "10.0.0.1"; "-s"; "70000" ]);
      ("iperf", [ "--bytes"; "0" ]);
      ("iperf", [ "--bytes"; "lots" ]);
      ("iperf", [ "--to"; "10.0.0.1:5001" ]);
      ("iperf", [ "--to"; "10.0.0.1:1"; "--listen"; "5001" ]);
      ("sim", [ "no-such-scenario" ]);
      ("sim", [ "--seeds"; "5" ]);
      ("sim", [ "--seeds"; "5-1" ]);
      ("sim", [ "--seed"; "x" ]);
      ("sim", [ "--seed"; "1"; "--seeds"; "1-2" ]);
      ("sim", [ "echo"; "--loss"; "2" ]);
      ("sim", [ "echo"; "--delay"; "-1" ]);
      ("sim", [ "echo"; "--impair"; "luck=1%" ]);
      ("sim", [ "echo"; "--trace" ]);
      ("sim", [ "--pcap"; "x.pcap"; "--seed"; "1" ]);
      ("sim", [ "echo"; "--trace"; "--json"; "--seed"; "1" ]);
      ("sim", [ "echo"; "--seed"; "1"; "--pcap"; "/no/such/folder/x.pcap" ]);
      ("sim", [ "echo"; "--time-limit"; "0" ]);
      ("sim", [ "echo"; "-j"; "0" ]);
      ("dump", []);
      ("dump", [ "/no/such/file" ]);
      ("dump", [ "/no/such/file"; "-f" ]);
      ("dump", [ "/" ]);
      ("dump", [ "-"; "port"; "http" ]);
      ("dump", [ "-"; "tcp.rst and" ]);
      ("dump", [ "-"; "(tcp" ]);
      ("dump", [ "-"; "tcp"; "-Y"; "udp" ]);
      ("dump", [ "-"; "-c"; "0" ]);
      ("dump", [ "-"; "--raw"; "client" ]);
      ("dump", [ "-"; "--raw"; "both"; "--follow-stream"; "0" ]);
      ("dump", [ "-"; "--raw"; "client"; "--follow-stream"; "0"; "--json" ]);
      ("dump", [ "-"; "--follow-stream"; "-1" ]);
      ("dump", [ "-"; "--follow-stream"; "10.0.0.1:80" ]);
      ("sim", [ "echo"; "--seed"; "1"; "--absolute" ]);
    ]

let refused env = List.iter (fun (sub, args) -> fails 2 sub args env) bad_arguments

let cases =
  Suite.case "weir --help" (under_eio overview)
  :: List.map (fun s -> Suite.case (s ^ " --help") (under_eio (help s))) subcommands
  @ [ Suite.case "bad arguments: status 2 and one line" (under_eio refused) ]
