open Lwt.Syntax
open Weir_http_lwt
module Suite = Weir_test.Suite

let over_tcp () =
  let time = Weir_lwt.Virtual_clock.create () in
  let clock = Weir_lwt.Virtual_clock.clock time in
  let big = String.init 2_000_000 (fun i -> Char.chr (i * 11 land 255)) in
  let handler = Weir_http.Files.handler (Weir_http.Files.memory [ ("big", big) ]) in
  Weir_lwt.Virtual_clock.run time @@ fun () ->
  let a, b = Weir_link.Memory.pair () in
  let loss = { Weir_link.Impairment.none with loss = Steady 0.01; delay_ns = 1_000_000 } in
  let b = Weir_link.Impair.wrap ~seed:5 ~outbound:loss ~inbound:loss b in
  let host n link address =
    Weir_lwt.host ~clock ~random:(Random.State.make [| n |]) ~link ~address ()
  in
  let server_host = host 1 a "10.0.0.1/24" and client = host 2 b "10.0.0.2/24" in
  let server = Server.create () in
  let l = Result.get_ok (Weir_lwt.listen server_host ~port:80 ~backlog:8) in
  let _served =
    Weir_lwt.Network.serve l (fun c ->
        let f = Weir_lwt.Connection.flow c in
        let shutdown_send () = f#shutdown_send in
        Server.serve_direct server (Transport.of_flow ~shutdown_send f) handler)
  in
  let fetch () =
    let* c = Weir_lwt.get (Weir_lwt.connect client (Ipaddr.of_string_exn "10.0.0.1") ~port:80) in
    let* () =
      Weir_lwt.get
        (Weir_lwt.write_string c "GET /big HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    in
    let* answer = Client.hear_all (Weir_lwt.Connection.flow c) in
    let n = String.length answer - String.length big in
    Alcotest.(check bool) "the body" true (n > 0 && String.sub answer n (String.length big) = big);
    Weir_lwt.close c
  in
  Lwt.join (List.init 3 (fun _ -> fetch ()))

let () =
  Suite.run "http_lwt"
    [
      ("exchange", Exchange_tests.cases);
      ("direct", Direct_tests.cases);
      ("time", Time_tests.cases);
      ("tcp", [ Suite.case "three clients on a lossy link" over_tcp ]);
    ]
