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

let few_words () =
  Eio_main.run @@ fun env ->
  Eio.Switch.run @@ fun sw ->
  let clock = Eio.Stdenv.mono_clock env in
  let left, right = Weir_link.Memory.pair () in
  let host link address = Weir_eio.host ~sw ~clock ~linger_ns:0 ~link ~address () in
  let a = host left "10.0.0.1/24" and b = host right "10.0.0.2/24" in
  let page = Weir_http.Response.text (String.make body 'x') in
  let server = Weir_http_eio.Server.create ~sw ~clock (fun _ -> page) in
  let listener = Network.listen b ~sw ~port:80 ~backlog:64 in
  Eio.Fiber.fork_daemon ~sw (fun () ->
      Weir_http_eio.Server.run_on_host server listener;
      `Stop_daemon);
  let client () =
    Connection.flow (Network.connect a ~sw (Ipaddr.of_string_exn "10.0.0.2") ~port:80)
  in
  let clients = List.init 32 (fun _ -> client ()) in
  let round times = Eio.Fiber.List.iter (fun flow -> ask flow ~times) clients in
  round 20;
  let before = Gc.minor_words () in
  round 200;
  let words = (Gc.minor_words () -. before) /. 200. /. 32. in
  if words > 420. then Alcotest.failf "%.0f words a request, both ends" words

let cases = [ Suite.case "few a request" few_words ]
