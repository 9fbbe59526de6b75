open Lwt.Syntax
module Dns = Weir_wire.Dns
open World
module Suite = Weir_test.Suite
module Zone = Weir_sim.Dns_server
module Host = Weir_lwt.Host
module Datagram = Weir_lwt.Datagram

let zone =
  [
    Zone.a "www.example" "10.0.0.1";
    Zone.a "two.example" "10.0.0.99";
    Zone.a "two.example" "10.0.0.1";
    Zone.aaaa "both.example" "fd00::1";
    Zone.a "both.example" "10.0.0.1";
    Zone.aaaa "six.example" "fd00::1";
    ("1.0.0.10.in-addr.arpa", 60, PTR (Zone.name "www.example"));
    ("big.example", 60, TXT (List.init 8 (fun _ -> String.make 250 'x')));
  ]

let decode b ~len =
  match Dns.decode b ~off:0 ~len with
  | Ok m -> m
  | Error e -> Alcotest.failf "a query: %a" Weir_wire.Error.pp e

(* A DNS server on [w.a], over UDP and TCP. *)
let serve w =
  let s = get_ok (Datagram.open_ w.a ~port:53) in
  let b = Bytes.create 2_000 in
  let rec udp () =
    let* r = ok (Datagram.recv s b ~off:0 ~len:2_000) in
    let answer = Dns.emit (Zone.answer zone (decode b ~len:r.length)) in
    let* () = ok (Datagram.send_string s ~dst:(r.from, r.from_port) answer) in
    udp ()
  in
  let tcp c =
    let b = Bytes.create 2_000 in
    let* n = ok (Connection.read c b ~off:0 ~len:2_000) in
    let answer =
      Dns.emit (Zone.answer ~payload:65_535 zone (decode (Bytes.sub b 2 (n - 2)) ~len:(n - 2)))
    in
    let length = Bytes.create 2 in
    Bytes.set_uint16_be length 0 (String.length answer);
    write c (Bytes.to_string length ^ answer)
  in
  Lwt.async (fun () -> Lwt.catch udp (fun _ -> Lwt.return_unit));
  Lwt.async (fun () -> Network.serve (listen ~port:53 w) tcp)

let servers = [ Ipaddr.of_string_exn server_address ]

let with_server f () =
  run_virtual (fun w ->
      serve w;
      Host.set_resolvers w.b ~search:[ "example" ] servers;
      f w)

let shown = function
  | Ok l -> String.concat " " (List.map (fun (_, a, _) -> Ipaddr.to_string a) l)
  | Error `No_name -> "no name"
  | Error `No_data -> "no data"
  | Error `Try_again -> "try again"
  | Error `Refused -> "refused"
  | Error `No_service -> "no service"

let is w ?(service = "http") node want =
  let+ got = Network.getaddrinfo ~service w.b node in
  Alcotest.(check string) node want (shown got)

let names w =
  let* () = is w "www.example" "10.0.0.1" in
  let* () = is w "www" "10.0.0.1" in
  let* () = is w "both" "10.0.0.1 fd00::1" in
  let* () = is w "nobody.example" "no name" in
  let* () = is w "big.example" "no data" in
  let* () = is w "www" ~service:"nosuch" "no service" in
  let* () = is w "10.9.9.9" "10.9.9.9" in
  let* name = Network.getnameinfo w.b Tcp (Ipaddr.of_string_exn "10.0.0.1", 80) in
  Alcotest.(check (pair string string)) "backwards" ("www.example", "http") name;
  let* name = Network.getnameinfo w.b Tcp (Ipaddr.of_string_exn "10.0.0.2", 80) in
  Alcotest.(check (pair string string)) "in digits" ("10.0.0.2", "http") name;
  let+ big = Network.records w.b TXT "big.example" in
  match big with
  | Ok [ { data = TXT l; _ } ] -> Alcotest.(check int) "strings" 8 (List.length l)
  | _ -> Alcotest.fail "no TXT"

let seconds_of w f =
  let began = Host.now w.b in
  let+ x = f () in
  (x, Weir_base.Time.to_float_s (Host.now w.b - began))

let connections h =
  let n = ref 0 in
  Weir_core.Tcp.iter
    (fun c -> if Weir_core.Tcp.state c <> Time_wait then incr n)
    (Weir_core.Stack.tcp (Host.stack h));
  !n

let sockets h = Weir_core.Udp_sockets.length (Weir_core.Stack.udp (Host.stack h))

let attempts w =
  let l = listen ~port:7 w in
  Lwt.async (fun () -> Network.serve l (fun c -> Lwt.bind (read_all c) (write c)));
  let connects node ~least ~most =
    let* c, took = seconds_of w (fun () -> ok (Network.connect_by_name w.b ~service:"echo" node)) in
    if took < least || took > most then Alcotest.failf "%s: %g s" node took;
    let* () = write c "x" in
    Connection.shutdown c `Send;
    let* got = read_all c in
    Alcotest.(check string) node "x" got;
    Connection.close c
  in
  let* () = connects "10.0.0.1" ~least:0. ~most:0.01 in
  let* () = connects "www" ~least:0. ~most:0.01 in
  let* () = connects "both" ~least:0. ~most:0.01 in
  let* () = connects "two" ~least:0.25 ~most:0.26 in
  let* () = Host.sleep w.b (Weir_base.Time.s 5) in
  Alcotest.(check int) "nothing is left" 0 (connections w.b + sockets w.b);
  let lookup e = function Error.Lookup_failed x -> x = e | _ -> false in
  let by_name ?(service = "echo") node = Network.connect_by_name w.b ~service node in
  let* () = fails "no name" (lookup `No_name) (by_name "nobody") in
  let* () = fails "no service" (lookup `No_service) (by_name ~service:"nosuch" "www") in
  let* () =
    fails "no route" (function Error.Bad_address _ -> true | _ -> false) (by_name "six")
  in
  fails "refused" (fun e -> e = Error.Tcp Refused) (by_name ~service:"9" "www")

(* A promise that is cancelled leaves no socket behind. *)
let cancelled w =
  Host.set_resolvers w.b [ Ipaddr.of_string_exn "10.0.0.77" ];
  let give_up p =
    let* () = Host.sleep w.b (Weir_base.Time.ms 300) in
    Lwt.cancel p;
    Lwt.catch
      (fun () -> Lwt.map (fun _ -> Alcotest.fail "an answer") p)
      (function Lwt.Canceled -> Lwt.return_unit | e -> Lwt.reraise e)
  in
  let* () = give_up (Network.getaddrinfo w.b "www.example") in
  let* () = give_up (Network.connect_by_name w.b ~service:"echo" "www.example") in
  Alcotest.(check int) "nothing is left" 0 (connections w.b + sockets w.b);
  is w "www.example" "try again"

let closed w =
  Host.set_resolvers w.b [ Ipaddr.of_string_exn "10.0.0.77" ];
  let p = Network.connect_by_name w.b ~service:"echo" "www.example" in
  let* () = Host.sleep w.b (Weir_base.Time.ms 300) in
  let* () = Host.close ~linger_ns:0 w.b in
  let+ r = p in
  if Result.is_ok r then Alcotest.fail "a connection"

let cases =
  [
    Suite.case "getaddrinfo, getnameinfo, records" (with_server names);
    Suite.case "connect by name" (with_server attempts);
    Suite.case "cancelled" (with_server cancelled);
    Suite.case "the host ends" (with_server closed);
  ]
