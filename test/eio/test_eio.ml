open Eio.Std
open World

let udp w =
  Switch.run @@ fun sw ->
  let s = Eio.Net.datagram_socket ~sw w.net_a (`Udp (address "0.0.0.0", 53)) in
  let c = Eio.Net.datagram_socket ~sw w.net_b `UdpV4 in
  let big = pattern 20_000 in
  Eio.Net.send c ~dst:(`Udp (address server_address, 53)) [ Cstruct.of_string big ];
  let buf = Cstruct.create 65_536 in
  let from, n = Eio.Net.recv s buf in
  Alcotest.(check bool) "in fragments" true (Cstruct.to_string (Cstruct.sub buf 0 n) = big);
  Eio.Net.send s ~dst:from [ Cstruct.of_string "re"; Cstruct.of_string "ply" ];
  let _, n = Eio.Net.recv c buf in
  Alcotest.(check string) "reply" "reply" (Cstruct.to_string (Cstruct.sub buf 0 n))

let ping w =
  (match Weir_eio.ping w.b ~sequence:1 (Ipaddr.of_string_exn server_address) with
  | Reply { bytes; _ } -> Alcotest.(check int) "bytes" 56 bytes
  | Failed e -> Alcotest.fail e
  | Lost -> Alcotest.fail "lost");
  match Weir_eio.ping w.b ~sequence:2 (Ipaddr.of_string_exn "192.0.2.9") with
  | Failed _ -> ()
  | _ -> Alcotest.fail "no route, yet an answer"

let names w =
  let one service node =
    List.map (Fmt.str "%a" Eio.Net.Sockaddr.pp) (Eio.Net.getaddrinfo ~service w.net_a node)
  in
  Alcotest.(check (list string))
    "literal"
    [ "tcp:10.1.2.3:443"; "udp:10.1.2.3:443" ]
    (one "https" "10.1.2.3");
  Alcotest.(check (list string)) "over TCP only" [ "tcp:10.1.2.3:80" ] (one "http" "10.1.2.3");
  Alcotest.(check (pair string string))
    "backwards" ("localhost", "domain")
    (Eio.Net.getnameinfo w.net_a (`Udp (Eio.Net.Ipaddr.V4.loopback, 53)));
  match one "80" "no.such.name" with
  | _ -> Alcotest.fail "found"
  | exception Eio.Io (Eio.Net.E (Address_lookup_failed NONAME), _) -> ()

let () =
  Weir_test.Suite.run "eio"
    ([
       ("tcp", Tcp_tests.cases @ Flow_tests.cases);
       ("udp", [ case "datagrams, also in fragments" udp ]);
       ("icmp", [ case "ping" ping ]);
       ("names", [ case "getaddrinfo" names ]);
       ("edge", Edge_tests.cases @ Exit_tests.cases);
       ("domains", Domain_tests.cases);
     ]
    @ View_tests.tests @ Nodelay_tests.tests @ Spin_tests.tests)
