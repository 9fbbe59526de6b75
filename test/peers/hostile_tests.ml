open Weir_programs
module Suite = Weir_test.Suite

(* Pages of memory that the server holds. *)
let resident (t : Live.t) =
  let pid = Programs.pid t.server in
  Scanf.sscanf
    (Programs.read (Printf.sprintf "/proc/%d/statm" pid))
    "%d %d"
    (fun _ pages -> pages * 4096)

let mac (t : Live.t) =
  Live.answers t;
  let line =
    List.find
      (fun l -> String.starts_with ~prefix:World.weir l)
      (String.split_on_char '\n' (Programs.read "/proc/self/net/arp"))
  in
  List.nth (List.filter (( <> ) "") (String.split_on_char ' ' line)) 3

let ping ?(address = World.weir) (t : Live.t) =
  let r = Programs.run t.env [ "ping"; "-n"; "-c"; "3"; "-i"; "0.01"; "-W"; "5"; address ] in
  if r.status <> 0 then Alcotest.fail r.out

(* A download goes on meanwhile, and must come through unharmed. *)
let under_fire (t : Live.t) argv =
  World.check_python ();
  let before = resident t in
  let mac = mac t in
  let file = Filename.concat t.dir "big" in
  let fetch () =
    ignore
      (Programs.succeed t.env ~seconds:40.
         [ "curl"; "-sS"; "--limit-rate"; "20M"; "-o"; file; Live.url "big.bin" ])
  in
  Eio.Fiber.both fetch (fun () -> ignore (Programs.succeed t.env ~seconds:40. (argv mac)));
  Alcotest.(check bool) "the download" true (Programs.read file = List.assoc "big.bin" Live.files);
  Live.answers t;
  ping t;
  let grown = resident t - before in
  World.report "%s: resident memory grew by %d kB" (List.nth (argv mac) 2) (grown / 1024);
  if grown > 100_000_000 then Alcotest.failf "the server grew by %d bytes" grown

let storm t =
  under_fire t (fun mac -> World.python "storm" [ "tap0"; mac; World.weir; "80"; "100000" ])

let syn_flood t =
  under_fire t (fun mac -> World.python "syn_flood" [ "tap0"; mac; World.weir; "80"; "300000" ])

let clients = 50
let flood_seconds = 3.

(* Connections of the kernel's, one after another while the flood lasts; none may fail. *)
let fetch_until (t : Live.t) address ~over =
  let content = List.assoc "index.html" Live.files and fetched = ref 0 in
  let once () =
    Eio.Switch.run @@ fun sw ->
    let c = Eio.Net.connect ~sw (Eio.Stdenv.net t.env) (`Tcp (World.address address, 80)) in
    Eio.Flow.copy_string "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n" c;
    let answer = Eio.Buf_read.(of_flow c ~max_size:100_000 |> take_all) in
    if not (String.ends_with ~suffix:content answer) then Alcotest.fail "another answer";
    incr fetched
  in
  let rec client () =
    once ();
    if not (over ()) then client ()
  in
  Eio.Fiber.all (List.init clients (fun _ -> client));
  !fetched

(* Without made-up sources, the flood soon has every port of the clients' own address. *)
let hping3 arguments =
  ([ "hping3"; "--flood"; "-q"; "-n"; "-S"; "-p"; "80" ] @ arguments @ [ World.weir ], World.weir)

(* hping3 speaks IPv4 only. *)
let thcsyn6 arguments =
  (("atk6-thcsyn6" :: arguments) @ [ "tap0"; World.weir_v6; "80" ], World.weir_v6)

let full_speed_flood (argv, address) (t : Live.t) =
  Suite.needs_program (List.hd argv);
  World.configure_v6 "tap0";
  let before = resident t in
  let flood = Programs.start ~sw:t.sw t.env argv in
  let is_over = ref false in
  let fetched, () =
    Eio.Fiber.pair
      (fun () -> fetch_until t address ~over:(fun () -> !is_over))
      (fun () ->
        Eio.Time.sleep (Eio.Stdenv.clock t.env) flood_seconds;
        ignore (Programs.finish ~signal:Sys.sigint flood : int);
        is_over := true)
  in
  let grown = resident t - before in
  World.report "%s for %g s: %d fetches by %d clients, none failed, %d kB more memory"
    (String.concat " " argv) flood_seconds fetched clients (grown / 1024);
  (* The server closes first, so each fetch leaves a connection in TIME-WAIT. *)
  if grown > 64_000_000 then
    Alcotest.failf "the server grew by %d bytes, with %d fetches" grown fetched;
  ping t ~address

let case name f =
  Suite.case name (fun () ->
      Live.with_server ~record:false ~arguments:[ "--address"; World.weir_v6 ^ "/64" ] f)

let cases =
  [
    case "100,000 garbage frames at a live server" storm;
    case "50,000 SYNs from nowhere at a live server" syn_flood;
    case "SYNs at full speed from the clients' own address" (full_speed_flood (hping3 []));
    case "SYNs at full speed from made-up addresses" (full_speed_flood (hping3 [ "--rand-source" ]));
    case "IPv6 SYNs at full speed from the clients' own address" (full_speed_flood (thcsyn6 []));
    case "IPv6 SYNs at full speed from made-up addresses" (full_speed_flood (thcsyn6 [ "-R" ]));
  ]
