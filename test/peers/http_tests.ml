open Weir_programs
open Weir_http
module Suite = Weir_test.Suite
module Connection = Weir_eio.Connection

let md5 s = Digest.(to_hex (string s))

let serve (w : World.t) handler =
  let server = Server.create ~limits:{ Limits.default with body_bytes = 20_000_000 } () in
  World.listen w ~port:80 (fun c ->
      Connection.set_option c Eio.Net.Sockopt.TCP_NODELAY true;
      Server.serve_connection
        ~shutdown_send:(fun () -> Connection.shutdown c `Send)
        server (Connection.flow c) handler)

let curl (w : World.t) args =
  Suite.needs_program "curl";
  (* Brackets are no ranges then. *)
  let literal = if String.contains w.weir ':' then [ "-g" ] else [] in
  Programs.succeed w.env ([ "curl"; "-sS"; "--max-time"; "30" ] @ literal @ args)

let url (w : World.t) path = Printf.sprintf "http://%s/%s" (World.authority w.weir) path
let ten_mb = lazy (Tcp_tests.data 10_000_000)

let down (w : World.t) =
  let content = Lazy.force ten_mb in
  serve w (fun _ -> Response.make (String content));
  let file = Filename.concat w.dir "down" in
  ignore (curl w [ url w "big"; "-o"; file ]);
  Alcotest.(check string) "md5" (md5 content) (Digest.to_hex (Digest.file file))

let up (w : World.t) =
  let content = Lazy.force ten_mb in
  serve w (fun r -> Response.text (md5 (Request.read_all ~limit:20_000_000 r)));
  let file = Filename.concat w.dir "up" in
  Programs.write file content;
  Alcotest.(check string) "md5 of a PUT" (md5 content) (curl w [ "-T"; file; url w "up" ]);
  Alcotest.(check string)
    "md5 of a PUT in chunks" (md5 content)
    (curl w [ "-T"; file; "-H"; "Transfer-Encoding: chunked"; url w "up" ])

(* No answer before all have asked, so the 200 are there at the same time. *)
let parallel (w : World.t) =
  let n = 200 in
  let content i = Tcp_tests.data (50_000 + i) in
  let asked = ref 0 and all = Eio.Condition.create () in
  serve w (fun r ->
      incr asked;
      Eio.Condition.broadcast all;
      Eio.Condition.loop_no_mutex all (fun () -> if !asked >= n then Some () else None);
      let path = Request.path r.head in
      Response.make (String (content (int_of_string (String.sub path 2 (String.length path - 2))))));
  let range = Printf.sprintf "f[1-%d]" n in
  ignore
    (curl w
       [
         "--parallel";
         "--parallel-immediate";
         "--parallel-max";
         string_of_int n;
         "--output-dir";
         w.dir;
         "-o";
         "f#1";
         url w range;
       ]);
  for i = 1 to n do
    let got = Programs.read (Filename.concat w.dir (Printf.sprintf "f%d" i)) in
    Alcotest.(check string) (Printf.sprintf "file %d" i) (md5 (content i)) (md5 got)
  done

(* Two requests over one connection, then the server closes: what the client
   sees is an end, not a reset. *)
let keep_alive (w : World.t) =
  serve w (fun _ -> Response.text "hello");
  let out =
    curl w
      [
        "-v";
        "--stderr";
        "-";
        url w "1";
        url w "2";
        "-H";
        "Connection: close";
        "--next";
        url w "3";
        url w "4";
      ]
  in
  let has part = Alcotest.(check bool) part true (Programs.contains out part) in
  has "Reusing existing http";
  has "hello"

let over link =
  let case name f = Suite.case name (fun () -> World.with_weir ~link f) in
  [
    case "curl: 10 MB down" down;
    case "curl: 10 MB up" up;
    case "curl: 200 connections at the same time" parallel;
    case "curl: keep-alive and close" keep_alive;
  ]

let over_v6 =
  let case name f = Suite.case name (fun () -> World.with_weir ~ipv6:true f) in
  [
    case "curl: 10 MB down" down;
    case "curl: 10 MB up" up;
    case "curl: keep-alive and close" keep_alive;
  ]
