(* What tests of the edges share: `weir serve` whose standard output is the
   test's own, and small clients. *)

open Weir_programs
module Suite = Weir_test.Suite

type env = Programs.env

let net (env : env) = Eio.Stdenv.net env
let sleep (env : env) = Eio.Time.sleep (Eio.Stdenv.clock env)
let loopback port : Eio.Net.Sockaddr.stream = `Tcp (Eio.Net.Ipaddr.V4.loopback, port)

(* A port that was free a moment ago. *)
let free_port env =
  Eio.Switch.run @@ fun sw ->
  match Eio.Net.listening_addr (Eio.Net.listen ~sw ~backlog:1 (net env) (loopback 0)) with
  | `Tcp (_, port) -> port
  | `Unix _ -> assert false

let rec connect env ~sw ~tries port =
  try Eio.Net.connect ~sw (net env) (loopback port)
  with Eio.Io _ when tries > 0 ->
    sleep env 0.02;
    connect env ~sw ~tries:(tries - 1) port

let request ?(agent = "a") ?(more = "") path =
  Printf.sprintf "GET %s HTTP/1.1\r\nHost: a\r\nUser-Agent: %s\r\n%s\r\n" path agent more

let count part s =
  let n = String.length part in
  let rec at i found =
    if i + n > String.length s then found
    else at (i + 1) (if String.sub s i n = part then found + 1 else found)
  in
  at 0 0

(* How many of [n] requests, one after the other on one connection, are answered
   by 200. *)
let answered env port ?agent n =
  Eio.Switch.run @@ fun sw ->
  let flow = connect env ~sw ~tries:500 port in
  let last i = if i = n - 1 then "Connection: close\r\n" else "" in
  let ask () =
    for i = 0 to n - 1 do
      Eio.Flow.copy_string (request ?agent ~more:(last i) "/") flow
    done
  in
  let (), all = Eio.Fiber.pair ask (fun () -> Eio.Flow.read_all flow) in
  count "HTTP/1.1 200 OK\r\n" all

type server = {
  env : env;
  port : int;
  root : string;
  process : [ `Generic | `Unix ] Eio.Process.ty Eio.Resource.t;
  err : Buffer.t;
  err_read : unit Eio.Promise.or_exn;
}

let with_server env ~stdout ?(arguments = []) driver f =
  Programs.with_scratch @@ fun root ->
  Programs.write (Filename.concat root "index.html") "hello";
  Eio.Switch.run @@ fun sw ->
  let port = free_port env in
  let mgr = Eio.Stdenv.process_mgr env in
  let err = Buffer.create 100 and err_source, err_sink = Eio.Process.pipe ~sw mgr in
  let front = Printf.sprintf "127.0.0.1:%d" port in
  let argv = Programs.weir "serve" ([ root; "--driver"; driver; "--forward"; front ] @ arguments) in
  let process = Eio.Process.spawn ~sw mgr argv ~stdout ~stderr:err_sink in
  Eio.Flow.close err_sink;
  let err_read =
    Eio.Fiber.fork_promise ~sw (fun () -> Eio.Flow.copy err_source (Eio.Flow.buffer_sink err))
  in
  f { env; port; root; process; err; err_read }

let within env seconds what f =
  try Eio.Time.with_timeout_exn (Eio.Stdenv.clock env) seconds f
  with Eio.Time.Timeout -> Alcotest.failf "%s: not within %g s" what seconds

(* The status after SIGINT, and what was told on standard error. *)
let interrupt s =
  Eio.Process.signal s.process Sys.sigint;
  within s.env 10. "the end" @@ fun () ->
  let status =
    match Eio.Process.await s.process with `Exited n -> n | `Signaled n -> 128 + abs n
  in
  Eio.Promise.await_exn s.err_read;
  (status, Buffer.contents s.err)

let case name f = Suite.case name (fun () -> Eio_main.run f)
let both name f = [ case name (f "eio"); case ("lwt: " ^ name) (f "lwt") ]
