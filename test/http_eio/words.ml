(* What a request costs beside its bytes: minor words of a client and a server, each on a host of
   its own, over a link in memory. *)

module Network = Weir_eio.Network
module Connection = Weir_eio.Connection
module Flow = Weir_flow.Flow
module Suite = Weir_test.Suite

let body = 2_053
let request = Bytes.of_string "GET / HTTP/1.1\r\nHost: 10.0.0.2\r\n\r\n"

let ends_head text =
  let n = String.length text in
  n > body + 4 && String.sub text (n - body - 4) 4 = "\r\n\r\n"

(* How long an answer is. *)
let first_answer flow =
  let b = Bytes.create 4_096 in
  Flow.write flow request ~off:0 ~len:(Bytes.length request);
  let rec go at =
    let at = at + Flow.read_into flow b ~off:at ~len:(4_096 - at) in
    if ends_head (Bytes.sub_string b 0 at) then at else go at
  in
  go 0

let rec read_all flow b left =
  if left > 0 then read_all flow b (left - Flow.read_into flow b ~off:0 ~len:left)

let ask flow ~times =
  let length = first_answer flow in
  let b = Bytes.create length in
  for _ = 1 to times do
    Flow.write flow request ~off:0 ~len:(Bytes.length request);
    read_all flow b length
  done

let page = Weir_http.Response.text (String.make body 'x')

(* [f connect] with a server's host. *)
let with_server ?(handler = fun _ -> page) f =
  Eio_main.run @@ fun env ->
  Eio.Switch.run @@ fun sw ->
  let clock = Eio.Stdenv.mono_clock env in
  let left, right = Weir_link.Memory.pair () in
  let host link address = Weir_eio.host ~sw ~clock ~linger_ns:0 ~link ~address () in
  let a = host left "10.0.0.1/24" and b = host right "10.0.0.2/24" in
  let server = Weir_http_eio.Server.create ~sw ~clock handler in
  let listener = Network.listen b ~sw ~port:80 ~backlog:64 in
  Eio.Fiber.fork_daemon ~sw (fun () ->
      Weir_http_eio.Server.run_on_host server listener;
      `Stop_daemon);
  let client () = Network.connect a ~sw (Ipaddr.of_string_exn "10.0.0.2") ~port:80 in
  f client

let few_words () =
  with_server @@ fun client ->
  let clients = List.init 32 (fun _ -> Connection.flow (client ())) in
  let round times = Eio.Fiber.List.iter (fun flow -> ask flow ~times) clients in
  round 20;
  let before = Gc.minor_words () in
  round 200;
  let words = (Gc.minor_words () -. before) /. 200. /. 32. in
  if words > 420. then Alcotest.failf "%.0f words a request, both ends" words

let last_request = Bytes.of_string "GET / HTTP/1.1\r\nHost: 10.0.0.2\r\nConnection: close\r\n\r\n"

(* A connection for one request. What is allocated in the major heap at once costs the collector as
   much as what lives on. *)
let of_a_connection ?handler () =
  with_server ?handler @@ fun client ->
  let visit () =
    let b = Bytes.create 1_024 in
    let c = client () in
    let flow = Connection.flow c in
    Flow.write flow last_request ~off:0 ~len:(Bytes.length last_request);
    let rec go n = match Flow.read_into flow b ~off:0 ~len:1_024 with 0 -> n | m -> go (n + m) in
    let n = go 0 in
    if n < body then Alcotest.failf "%d bytes" n;
    Connection.close c
  in
  (* At once, as many as a pool of buffers keeps. *)
  let many = 60 in
  let round n =
    for _ = 1 to n do
      Eio.Fiber.all (List.init many (fun _ -> visit))
    done
  in
  round 2;
  let minor, promoted, major = Gc.counters () in
  round 20;
  let minor', promoted', major' = Gc.counters () in
  let each words = words /. float (20 * many) in
  let words = each (minor' -. minor) in
  let at_once = each (major' -. major -. (promoted' -. promoted)) in
  Printf.printf "%.0f minor words a connection, both ends, and %.1f in the major heap\n" words
    at_once;
  if words > 4_500. then Alcotest.failf "%.0f words a connection" words;
  (* The client's receive buffer, when it grows, is 257 of them. *)
  if at_once > 320. then Alcotest.failf "%.0f words a connection in the major heap" at_once

let cases =
  let file = ("index.html", String.make body 'x') in
  let handler = Weir_http.Files.handler (Weir_http.Files.memory [ file ]) in
  [
    Suite.case "few a request" few_words;
    Suite.case "few a connection" of_a_connection;
    Suite.case "few a connection, of a file" (of_a_connection ~handler);
  ]
