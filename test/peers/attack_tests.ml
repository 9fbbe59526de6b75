(* Attack kits that no one here wrote, at a server whose connections stay open: thc-ipv6, and packets
   of scapy's fuzz(). WEIR_ATTACK_SECONDS is how long each case attacks (2). *)

open Weir_programs
module Suite = Weir_test.Suite

let seconds =
  match Option.bind (Sys.getenv_opt "WEIR_ATTACK_SECONDS") float_of_string_opt with
  | Some s when s > 0. -> s
  | _ -> 2.

let tap = "tap0"
let v6 = World.weir_v6
let router = World.kernel_v6

(* -- the target ------------------------------------------------------------ *)

let radvd_configuration =
  "interface tap0 { AdvSendAdvert on; MinRtrAdvInterval 3; MaxRtrAdvInterval 4;\n\
   prefix fd00:77::/64 { AdvOnLink on; AdvAutonomous on; };\n\
   };\n"

(* The routers on its link configure the server too, so what they are said to say matters. *)
let prepare ~sw env ~dir =
  ignore (Programs.succeed env [ "ip"; "tuntap"; "add"; tap; "mode"; "tap" ]);
  World.configure_v6 tap;
  World.configure_tap tap ~address:World.kernel;
  World.sysctl "net.ipv6.conf.all.forwarding" "1";
  let file = Filename.concat dir "radvd.conf" in
  Programs.write file radvd_configuration;
  ignore
    (Programs.start ~sw env
       [ "radvd"; "-n"; "-m"; "stderr"; "-C"; file; "-p"; Filename.concat dir "radvd.pid" ])

let resident pid =
  Scanf.sscanf
    (Programs.read (Printf.sprintf "/proc/%d/statm" pid))
    "%d %d"
    (fun _ pages -> pages * 4096)

(* User and system time are the 12th and 13th fields after the program's name. *)
let cpu_seconds pid =
  let line = Programs.read (Printf.sprintf "/proc/%d/stat" pid) in
  let at = String.rindex line ')' + 2 in
  let fields = String.split_on_char ' ' (String.sub line at (String.length line - at)) in
  (float_of_string (List.nth fields 11) +. float_of_string (List.nth fields 12)) /. 100.

let sleeps pid =
  let key = "voluntary_ctxt_switches:" in
  let lines = String.split_on_char '\n' (Programs.read (Printf.sprintf "/proc/%d/status" pid)) in
  let line = List.find (String.starts_with ~prefix:key) lines in
  let at = String.length key in
  int_of_string (String.trim (String.sub line at (String.length line - at)))

(* -- connections meanwhile --------------------------------------------------- *)

let content = List.assoc "one" Live.files

(* One connection over the whole attack, on which each answer must come. *)
let steady (t : Live.t) address ~over =
  Eio.Switch.run @@ fun sw ->
  let c = Eio.Net.connect ~sw (Eio.Stdenv.net t.env) (`Tcp (World.address address, 80)) in
  let from = Eio.Buf_read.of_flow c ~max_size:100_000 in
  let rec go n =
    Eio.Flow.copy_string "GET /one HTTP/1.1\r\nHost: a\r\n\r\n" c;
    let rec head length =
      match Eio.Buf_read.line from with
      | "" -> length
      | line -> (
          match String.split_on_char ' ' (String.lowercase_ascii line) with
          | [ "content-length:"; n ] -> head (int_of_string n)
          | _ -> head length)
    in
    let got = Eio.Buf_read.take (head (-1)) from in
    if got <> content then Alcotest.failf "another answer over %s" address;
    Eio.Time.sleep (Eio.Stdenv.clock t.env) 0.02;
    if over () then n else go (n + 1)
  in
  go 1

let big = List.assoc "big.bin" Live.files

let download (t : Live.t) address ~over =
  let file = Filename.concat t.dir ("big" ^ address) in
  let url = Printf.sprintf "http://%s/big.bin" (World.authority address) in
  let rec go n =
    ignore
      (Programs.succeed t.env ~seconds:90.
         [ "curl"; "-sS"; "-g"; "--limit-rate"; "20M"; "-o"; file; url ]);
    if Programs.read file <> big then Alcotest.failf "other bytes over %s" address;
    if over () then n else go (n + 1)
  in
  go 1

let ping (t : Live.t) address =
  let r = Programs.run t.env [ "ping"; "-n"; "-c"; "3"; "-i"; "0.01"; "-W"; "5"; address ] in
  if r.status <> 0 then Alcotest.fail r.out

(* -- the attack ---------------------------------------------------------------- *)

(* Frames and drops of the kernel's way to the server. *)
let sent () =
  let lines = String.split_on_char '\n' (Programs.read "/proc/self/net/dev") in
  let line = List.find (fun l -> String.starts_with ~prefix:(tap ^ ":") (String.trim l)) lines in
  match List.filter (( <> ) "") (String.split_on_char ' ' line) with
  | _ :: _ :: _ :: _ :: _ :: _ :: _ :: _ :: _ :: _ :: frames :: _ -> int_of_string frames
  | _ -> Alcotest.fail line

(* Each for [seconds], unless it ends before. *)
let at_once (t : Live.t) ~seconds tools =
  Eio.Switch.run @@ fun sw ->
  let running = List.map (Programs.start ~sw t.env) tools in
  let ended () = List.iter (fun r -> ignore (Programs.finish ~seconds:600. r : int)) running in
  match Eio.Time.with_timeout (Eio.Stdenv.clock t.env) seconds (fun () -> Ok (ended ())) with
  | Ok () -> ()
  | Error `Timeout ->
      List.iter (fun r -> ignore (Programs.finish ~signal:Sys.sigkill r : int)) running

let judged (t : Live.t) name attack =
  let pid = Programs.pid t.server and clock = Eio.Stdenv.clock t.env in
  let before = resident pid and cpu = cpu_seconds pid in
  let began = Eio.Time.now clock and frames = sent () in
  let peak = ref before and is_over = ref false in
  let over () = !is_over in
  let answers = ref 0 and downloads = ref 0 in
  let count r f () = r := !r + f ~over in
  let watch () =
    while not (over ()) do
      peak := Int.max !peak (resident pid);
      Eio.Time.sleep clock 0.1
    done
  in
  Eio.Fiber.all
    [
      count answers (steady t World.weir);
      count answers (steady t v6);
      count downloads (download t World.weir);
      count downloads (download t v6);
      watch;
      (fun () ->
        attack ();
        is_over := true);
    ];
  List.iter (ping t) [ World.weir; v6 ];
  let most = !peak - before in
  World.report
    "%s: %d frames at it, %d answers and %d downloads, all right; at most %d kB more memory; %.1f \
     s of CPU in %.1f s"
    name
    (sent () - frames)
    !answers !downloads (most / 1024)
    (cpu_seconds pid -. cpu)
    (Eio.Time.now clock -. began);
  if most > 50_000_000 then Alcotest.failf "%s: the server grew by %d bytes" name most;
  let asleep = sleeps pid in
  Eio.Time.sleep clock 0.2;
  (* A few are timers; a loop would be thousands. *)
  let wakes = sleeps pid - asleep in
  if wakes > 50 then Alcotest.failf "after %s the server wakes %d times in 0.2 s" name wakes

let stop (t : Live.t) =
  if Programs.finish ~signal:Sys.sigint t.server <> 0 then
    Alcotest.failf "after SIGINT:\n%s" (Programs.output t.server)

let case name ~needs attacks =
  Suite.case name @@ fun () ->
  List.iter Suite.needs_program [ "ip"; "radvd"; needs ];
  let tidy () =
    ignore (Sys.command ("ip link delete " ^ tap ^ " 2>/dev/null") : int);
    World.sysctl "net.ipv6.conf.all.forwarding" "0"
  in
  Fun.protect ~finally:tidy @@ fun () ->
  Live.with_server ~record:false ~prepare
    ~arguments:[ "--address"; v6 ^ "/64"; "--address"; "auto" ]
    (fun t ->
      (* What it needs for connections is there before. *)
      let once address = ignore (download t address ~over:(fun () -> true) : int) in
      List.iter once [ World.weir; v6 ];
      List.iter (fun (name, attack) -> judged t name (fun () -> attack t)) attacks;
      stop t)

(* -- thc-ipv6 -------------------------------------------------------------------- *)

let atk name args = ("atk6-" ^ name) :: args

(* Each for its part of the time. *)
let one_by_one tools t =
  let seconds = seconds /. float_of_int (List.length tools) in
  List.iter (fun tool -> at_once t ~seconds [ tool ]) tools

let floods =
  [
    atk "flood_advertise6" [ tap; v6 ];
    atk "flood_solicitate6" [ tap; v6; v6 ];
    atk "flood_router6" [ tap ];
    atk "flood_router26" [ tap ];
    atk "flood_router26" [ "-F"; tap ];
    atk "flood_router26" [ "-s"; "-m"; tap ];
    atk "flood_router26" [ "-G"; tap ];
    atk "flood_rs6" [ "-sS"; tap ];
    atk "flood_redir6" [ tap; v6 ];
    atk "flood_unreach6" [ "-p"; "-r"; tap; v6 ];
    atk "flood_unreach6" [ "-D"; "-R"; tap; v6 ];
    atk "flood_mld6" [ tap ];
    atk "flood_mld26" [ tap ];
    atk "flood_mldrouter6" [ tap ];
    atk "flood_dhcpc6" [ tap ];
    atk "smurf6" [ tap; v6 ];
    atk "rsmurf6" [ tap; v6 ];
    atk "ndpexhaust26" [ "-R"; tap; v6 ^ "/64" ];
    atk "sendpees6" [ tap; "1024"; "fd00::"; v6 ];
  ]

let fuzz =
  List.map
    (fun options -> atk "fuzz_ip6" (("-a" :: options) @ [ tap; v6 ]))
    [
      [ "-1"; "-I" ];
      [ "-1"; "-FSDHR" ];
      [ "-2" ];
      [ "-3" ];
      [ "-4" ];
      [ "-5"; "-H" ];
      [ "-6"; "-H" ];
      [ "-7"; "-H" ];
      [ "-8"; "-H" ];
      [ "-9"; "-H" ];
      [ "-0" ];
      [ "-x"; "-s"; "80" ];
      [ "-x"; "-2"; "-I" ];
      [ "-x"; "-4"; "-I" ];
    ]
  @ [
      atk "fragmentation6" [ "-p"; tap; v6 ];
      atk "implementation6" [ "-p"; tap; v6 ];
      atk "exploit6" [ tap; v6 ];
    ]
  @ List.init 7 (fun n -> atk "denial6" [ tap; v6; string_of_int (n + 1) ])

(* One of them says that the neighbour with the connections has another MAC. *)
let fakes =
  [
    atk "fake_advertise6" [ "-w"; "1"; tap; router; v6; "02:00:00:00:00:99" ];
    atk "fake_advertise6" [ "-w"; "1"; "-r"; "-D"; tap; v6; "ff02::1"; "02:00:00:00:00:99" ];
    atk "fake_solicitate6" [ tap; router; v6; "02:00:00:00:00:99" ];
    atk "fake_router6" [ tap; "fd00:66::/64" ];
    atk "fake_router26" [ "-E"; "F"; "-A"; "fd00:66::/64"; "-D"; "fd00::66"; "-R"; "2000::/3"; tap ];
    atk "fake_router26" [ "-E"; "o"; "-A"; "fd00:67::/64"; "-l"; "0"; tap ];
    atk "fake_mld6" [ tap; "query" ];
    atk "fake_mld26" [ "-l"; tap; "query" ];
    atk "fake_mld26" [ "-l"; tap; "add"; "ff02::66" ];
    atk "fake_mldrouter6" [ "-l"; tap; "advertise" ];
    atk "fake_pim6" [ tap; "hello" ];
    atk "kill_router6" [ tap; router ];
    atk "parasite6" [ "-lR"; tap ];
    atk "dos-new-ip6" [ tap ];
    atk "node_query6" [ tap; v6 ];
    atk "inverse_lookup6" [ tap; "02:00:00:00:00:66" ];
  ]

let redirects =
  [
    atk "redir6" [ tap; v6; "2001:db8::1"; router; "fd00::66"; "02:00:00:00:00:99" ];
    atk "redir6" [ tap; v6; router; router; "fd00::66"; "02:00:00:00:00:99" ];
    atk "flood_redir6" [ tap; v6; router; "fd00::66" ];
    atk "flood_redir6" [ "-HFD"; tap; v6 ];
    atk "redirsniff6" [ tap; v6; router; router; "fd00::66" ];
    atk "toobig6" [ tap; v6; router; "1280" ];
    atk "toobig6" [ "-u"; tap; v6; router; "68" ];
    atk "toobigsniff6" [ "-c"; tap; v6; "1300" ];
  ]

(* -- scapy ------------------------------------------------------------------------- *)

let cache =
  match Sys.getenv_opt "XDG_CACHE_HOME" with
  | Some c when c <> "" -> c
  | _ -> Filename.concat (Option.value (Sys.getenv_opt "HOME") ~default:"/") ".cache"

let scapy = Filename.concat cache "weir/scapy-2.7.0"

(* A count of packets is the first thing that it prints after it is ready. *)
let random_packets layers (t : Live.t) =
  let script = Filename.concat (Suite.project_root ()) "test/peers/sic.py" in
  let layers = String.concat "," layers and mac = Hostile_tests.mac t in
  let sender =
    Programs.start ~sw:t.sw t.env ~ready:"ready"
      ([ "env"; "PYTHONPATH=" ^ scapy; "python3"; script; layers; tap; mac; World.weir; v6; "80" ]
      @ [ Printf.sprintf "%g" seconds ])
  in
  let status = Programs.finish ~seconds:(seconds +. 30.) sender in
  let said = Programs.output sender in
  let packets = try Scanf.sscanf said "ready %d packets" Fun.id with Scanf.Scan_failure _ -> 0 in
  if status <> 0 || float_of_int packets < 100. *. seconds then Alcotest.fail said

let layers = [ "ip"; "icmp"; "tcp"; "udp"; "ether"; "ip6"; "icmp6"; "tcp6"; "udp6" ]

(* All in turn if there is little time. *)
let groups = if seconds < 10. then [ layers ] else List.map (fun l -> [ l ]) layers

let scapy_is_here t =
  if not (Sys.file_exists scapy) then Suite.skip "scapy is not here: scripts/fetch-scapy gets it";
  Live.answers t

let kits =
  [
    ("thc-ipv6, floods", one_by_one floods);
    ("thc-ipv6, fuzzing", one_by_one fuzz);
    ("thc-ipv6, fakes", one_by_one fakes);
    ("thc-ipv6, redirects and MTUs", one_by_one redirects);
  ]

let of_scapy = List.map (fun l -> ("scapy, " ^ String.concat " " l, random_packets l)) groups
let thc = case ~needs:"atk6-fuzz_ip6"
let scapy = case ~needs:"python3"

(* Long attacks have a server each. *)
let cases =
  if seconds < 10. then
    [ thc "thc-ipv6" kits; scapy "random packets" (("no attack", scapy_is_here) :: of_scapy) ]
  else
    List.map (fun (name, attack) -> thc name [ (name, attack) ]) kits
    @ List.map
        (fun (name, attack) -> scapy name [ ("no attack", scapy_is_here); (name, attack) ])
        of_scapy
