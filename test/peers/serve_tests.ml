open Weir_programs
module Suite = Weir_test.Suite

let md5 s = Digest.(to_hex (string s))

let every_file (t : Live.t) =
  let fetch name = Programs.succeed t.env [ "curl"; "-sS"; "--max-time"; "20"; Live.url name ] in
  List.iter
    (fun (name, content) -> Alcotest.(check string) name (md5 content) (md5 (fetch name)))
    Live.files;
  Alcotest.(check string)
    "the folder's index"
    (md5 (List.assoc "index.html" Live.files))
    (md5 (fetch ""));
  Live.interrupt t;
  ignore (World.check_clean_capture t.env t.capture)

let status (t : Live.t) args =
  Programs.succeed t.env
    ([ "curl"; "-s"; "--max-time"; "10"; "-o"; "/dev/null"; "-w"; "%{http_code}" ] @ args)

let refusals (t : Live.t) =
  let check code args = Alcotest.(check string) (String.concat " " args) code (status t args) in
  check "404" [ Live.url "nowhere" ];
  check "405" [ "-X"; "DELETE"; Live.url "one" ];
  check "206" [ "-r"; "0-9"; Live.url "big.bin" ];
  check "200" [ "-I"; Live.url "big.bin" ];
  check "400" [ "-H"; "Host: a b"; Live.url "one" ];
  check "431" [ "-H"; "X: " ^ String.make 40_000 'x'; Live.url "one" ]

(* What curl keeps of an answer to `-r` with several ranges is its whole body. *)
let several_ranges (t : Live.t) =
  let content = List.assoc "big.bin" Live.files in
  let ranges = [ (0, 99); (5_000_000, 5_099_999); (9_999_990, 9_999_999) ] in
  let asked = String.concat "," (List.map (fun (a, b) -> Printf.sprintf "%d-%d" a b) ranges) in
  let body = Programs.succeed t.env [ "curl"; "-sS"; "-r"; asked; Live.url "big.bin" ] in
  let boundary = String.sub body 0 (String.index body '\r') in
  let part (a, b) =
    Printf.sprintf
      "%s\r\nContent-Type: application/octet-stream\r\nContent-Range: bytes %d-%d/%d\r\n\r\n%s\r\n"
      boundary a b (String.length content)
      (String.sub content a (b - a + 1))
  in
  let expected = String.concat "" (List.map part ranges) ^ boundary ^ "--\r\n" in
  Alcotest.(check string) "its bytes" (md5 expected) (md5 body);
  Alcotest.(check string) "status" "206" (status t [ "-r"; "0-1,5-6"; Live.url "big.bin" ])

let wrk (t : Live.t) args =
  Suite.needs_program "wrk";
  let out = Programs.succeed t.env ([ "wrk"; "-t2" ] @ args @ [ Live.url "index.html" ]) in
  if Programs.contains out "Socket errors" || Programs.contains out "Non-2xx" then Alcotest.fail out;
  let rate =
    List.find_opt (fun l -> Programs.contains l "Requests/sec:") (String.split_on_char '\n' out)
  in
  World.report "wrk -t2 %s: %s" (String.concat " " args) (Option.value rate ~default:out)

(* Open connections at SIGINT: a download in the middle, which is to come to its
   end, and idle ones, which are to see an end and no reset. *)
let interrupted (t : Live.t) =
  World.check_python ();
  let held =
    Programs.start ~sw:t.sw t.env ~ready:"holding"
      (World.python "http_hold" [ World.weir; "80"; "20" ])
  in
  let file = Filename.concat t.dir "slow" in
  let slow =
    Programs.start ~sw:t.sw t.env
      [ "curl"; "-s"; "--limit-rate"; "3500k"; "-o"; file; Live.url "big.bin" ]
  in
  Eio.Time.sleep (Eio.Stdenv.clock t.env) 0.3;
  Live.interrupt t;
  Alcotest.(check int) "the clients' status" 0 (Programs.finish held);
  Alcotest.(check string) "how they ended" "holding\nends FIN 20\n" (Programs.output held);
  Alcotest.(check int) "the download's status" 0 (Programs.finish slow);
  Alcotest.(check bool) "it is whole" true (Programs.read file = List.assoc "big.bin" Live.files);
  ignore (World.check_clean_capture t.env t.capture)

(* A client that has stopped reading cannot hold the server up. *)
let interrupted_stalled (t : Live.t) =
  World.check_python ();
  let stalled =
    Programs.start ~sw:t.sw t.env ~ready:"stalled"
      (World.python "http_stall" [ World.weir; "80"; "big.bin" ])
  in
  Eio.Time.sleep (Eio.Stdenv.clock t.env) 0.3;
  Live.interrupt t;
  ignore (Programs.finish ~signal:Sys.sigterm stalled)

(* Each connection is one of the kernel's own choosing; all are open at once. *)
let in_domains (t : Live.t) =
  let connections = 200 and name = "100% & more; #1?.txt" in
  let content = List.assoc name Live.files in
  let address = `Tcp (World.address World.weir, 80) in
  let fetch _ =
    Eio.Switch.run @@ fun sw ->
    let c = Eio.Net.connect ~sw (Eio.Stdenv.net t.env) address in
    Eio.Flow.copy_string
      (Printf.sprintf "GET /%s HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n" (Live.encode name))
      c;
    let answer = Eio.Buf_read.(of_flow c ~max_size:1_000_000 |> take_all) in
    let length = String.length content in
    let body = String.sub answer (String.length answer - length) length in
    Alcotest.(check string) "bytes" (md5 content) (md5 body)
  in
  Eio.Fiber.List.iter fetch (List.init connections Fun.id);
  ignore (Programs.succeed t.env [ "ping"; "-c3"; "-i0.2"; "-s4000"; World.weir ]);
  Unix.kill (Programs.pid t.server) Sys.sigusr1;
  Live.interrupt t;
  let out = Programs.output t.server in
  let line =
    match
      List.find_opt
        (String.starts_with ~prefix:"connections by domain:")
        (String.split_on_char '\n' out)
    with
    | Some l -> l
    | None -> Alcotest.failf "no line of the domains:\n%s" out
  in
  let a, b = Scanf.sscanf line "connections by domain: %d, %d" (fun a b -> (a, b)) in
  Alcotest.(check int) "all connections" connections (a + b);
  if Int.min a b < connections / 5 then Alcotest.failf "%s: one has hardly any" line;
  List.iter
    (fun s -> if not (Programs.contains out s) then Alcotest.failf "no %S in:\n%s" s out)
    [ "200 responses"; "domain 0\n"; "domain 1\n" ]

let case ?link ?arguments ?record name f =
  Suite.case name (fun () -> Live.with_server ?link ?arguments ?record f)

let lwt ?link ?record name f =
  case ?link ~arguments:[ "--driver"; "lwt" ] ?record ("lwt: " ^ name) f

(* Its root may do everything to the interface, but may load no program. *)
let in_user_namespace () =
  List.iter Suite.needs_program [ "unshare"; "ip" ];
  World.needed Xdp;
  Eio_main.run @@ fun env ->
  Eio.Switch.run @@ fun sw ->
  let ping =
    Programs.weir "ping" [ World.kernel; "--link"; "xdp:weir0"; "--address"; World.weir ^ "/24" ]
  in
  let script = "ip link add veth0 type veth peer name weir0 && exec \"$@\"" in
  let r = Programs.start ~sw env ([ "unshare"; "-Urn"; "sh"; "-c"; script; "sh" ] @ ping) in
  Alcotest.(check int) "status" 2 (Programs.finish r);
  Alcotest.(check string)
    "what to do"
    "weir: not permitted to open an XDP socket on weir0: it needs root, or CAP_NET_RAW, \
     CAP_NET_ADMIN and CAP_BPF outside of user namespaces; try `sudo`, or take packet:NAME, which \
     needs CAP_NET_RAW only\n"
    (Programs.output r)

let cases =
  [
    case "curl: every file equals the original" every_file;
    case "curl: what is refused" refusals;
    case "curl: several ranges" several_ranges;
    case "wrk: 64 connections" ~record:false (fun t -> wrk t [ "-c64"; "-d2s" ]);
    case "SIGINT with connections open" interrupted;
    case "SIGINT with a client that does not read" ~record:false interrupted_stalled;
    case "2 domains: many connections" in_domains ~record:false ~arguments:[ "--domains"; "2" ];
    case "2 domains, no offload: many connections" in_domains ~record:false
      ~arguments:[ "--domains"; "2"; "--no-offload" ];
    case "2 domains: SIGINT with a client that does not read" interrupted_stalled ~record:false
      ~arguments:[ "--domains"; "2" ];
    case ~link:Packet "packet socket: curl: every file" every_file;
    case ~link:Packet "packet socket, no offload: curl: every file" every_file
      ~arguments:[ "--no-offload" ];
    lwt ~link:Packet "packet socket: curl: every file" every_file;
    case ~link:Xdp "XDP socket: curl: every file" every_file;
    lwt ~link:Xdp "XDP socket: curl: every file" every_file;
    Suite.case "XDP socket: in a user namespace" in_user_namespace;
    lwt "curl: every file equals the original" every_file;
    lwt "curl: what is refused" refusals;
    lwt "curl: several ranges" several_ranges;
    lwt "wrk: 64 connections" ~record:false (fun t -> wrk t [ "-c64"; "-d2s" ]);
    lwt "SIGINT with connections open" interrupted;
    lwt "SIGINT with a client that does not read" ~record:false interrupted_stalled;
  ]
