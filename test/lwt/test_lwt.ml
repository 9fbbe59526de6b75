open Lwt.Syntax
open World
module Suite = Weir_test.Suite
module Datagram = Weir_lwt.Datagram

let udp w =
  let s = get_ok (Datagram.open_ w.a ~port:53) in
  let c = get_ok (Datagram.open_ w.b ~port:0) in
  let b = Bytes.create 65_536 in
  let recv d = ok (Datagram.recv d b ~off:0 ~len:65_536) in
  let big = pattern 20_000 in
  let* () = ok (Datagram.send_string c ~dst:(ip server_address, 53) big) in
  let* r = recv s in
  same "in fragments" big (Bytes.sub_string b 0 r.length);
  let* () = ok (Datagram.send_string s ~dst:(r.from, r.from_port) "reply") in
  let* r = recv c in
  Alcotest.(check string) "reply" "reply" (Bytes.sub_string b 0 r.length);
  let too_long = String.make 65_508 'x' in
  let* () =
    fails "too long"
      (( = ) (Error.Message_too_long 65_508))
      (Datagram.send_string c ~dst:(ip server_address, 53) too_long)
  in
  let pending = Datagram.recv c b ~off:0 ~len:1 in
  let* () = Datagram.close c in
  let* () = fails "closed" closed_locally pending in
  let* () = fails "no destination" (fun _ -> true) (Datagram.send_string s "x") in
  Datagram.close s

(* The path is as wide as the cable: 1,500 bytes with 28 of headers. *)
let udp_whole w =
  let c = get_ok (Datagram.open_ w.b ~port:0) in
  let send ?dont_fragment ?probe len =
    let dst = (ip server_address, 53) in
    Datagram.send c ?dont_fragment ?probe ~dst (Bytes.create len) ~off:0 ~len
  in
  Alcotest.(check int) "the path's MTU" 1_500 (Weir_lwt.Host.path_mtu w.b (ip server_address));
  let too_long = ( = ) (Error.Message_too_long 1_473) in
  let* () = ok (send 1_473) in
  let* () = ok (send ~dont_fragment:true 1_472) in
  let* () = fails "not whole" too_long (send ~dont_fragment:true 1_473) in
  let* () = fails "nor as a probe" too_long (send ~probe:true 1_473) in
  Datagram.close c

let udp_cancelled w =
  let s = get_ok (Datagram.open_ w.a ~port:53) in
  let c = get_ok (Datagram.open_ w.b ~port:0) in
  let b = Bytes.create 100 in
  Lwt.cancel (Datagram.recv s b ~off:0 ~len:100);
  Datagram.connect c (ip server_address) ~port:53;
  let* () = ok (Datagram.send_string c "kept") in
  let* r = ok (Datagram.recv s b ~off:0 ~len:100) in
  Alcotest.(check string) "kept" "kept" (Bytes.sub_string b 0 r.length);
  Lwt.return_unit

let udp_refused w =
  let c = get_ok (Datagram.open_ w.b ~port:0) in
  Datagram.connect c (ip server_address) ~port:9;
  let* () = ok (Datagram.send_string c "anyone?") in
  fails "port unreachable"
    (function Icmp _ -> true | _ -> false)
    (Datagram.recv c (Bytes.create 1) ~off:0 ~len:1)

let ping w =
  let* pong = Weir_lwt.ping w.b ~sequence:1 (ip server_address) in
  (match pong with
  | Reply { bytes; _ } -> Alcotest.(check int) "bytes" 56 bytes
  | Failed e -> Alcotest.fail e
  | Lost -> Alcotest.fail "lost");
  let* pong = Weir_lwt.ping w.b ~sequence:2 (ip "192.0.2.9") in
  match pong with Failed _ -> Lwt.return_unit | _ -> Alcotest.fail "no route, yet an answer"

let ping_lost () =
  let drop l =
    (Weir_link.Impair.wrap ~seed:1 ~outbound:{ Weir_link.Impairment.none with loss = Steady 1.0 } l
      :> Weir_link.Link.t)
  in
  run_virtual ~wrap:drop (fun w ->
      let* pong = Weir_lwt.ping w.b ~timeout_ns:500_000_000 ~sequence:1 (ip server_address) in
      match pong with Lost -> Lwt.return_unit | _ -> Alcotest.fail "an answer")

let names () =
  let a, _ = Weir_link.Memory.pair () in
  let host =
    Weir_lwt.host ~link:a ~address:"10.0.0.1/24"
      ~hosts:[ ("Box.example", Ipaddr.of_string_exn "10.0.0.9") ]
      ()
  in
  let module Network = Weir_lwt.Network in
  Lwt_main.run
    (let one n =
       let+ r = Network.resolve host n in
       List.map Ipaddr.to_string (Result.value r ~default:[])
     in
     let is what want n =
       let+ got = one n in
       Alcotest.(check (list string)) what want got
     in
     let* () = is "literal" [ "10.1.2.3" ] "10.1.2.3" in
     let* () = is "table" [ "10.0.0.9" ] "box.EXAMPLE" in
     let* () = is "unknown" [] "no.such.name" in
     let* found = Network.getaddrinfo ~service:"ntp" host "box.example" in
     (match found with
     | Ok [ (Udp, a, 123) ] -> Alcotest.(check string) "address" "10.0.0.9" (Ipaddr.to_string a)
     | _ -> Alcotest.fail "one address, over UDP");
     let+ name = Network.getnameinfo host Tcp (Ipaddr.of_string_exn "10.0.0.9", 443) in
     Alcotest.(check (pair string string)) "backwards" ("Box.example", "https") name);
  match Weir_lwt.host ~link:a ~address:"10.0.0.1" () with
  | _ -> Alcotest.fail "an address without its network"
  | exception Invalid_argument _ -> ()

(* The same seeds and calls take the same course: every frame at the same time. *)
let deterministic () =
  let trace () =
    let out = Buffer.create 10_000 in
    let record l =
      let l = impaired 3 l in
      object
        inherit Weir_link.Link.forward l

        method! send ~now frame =
          Buffer.add_string out (Printf.sprintf "%d %d\n" now frame.len);
          l#send ~now frame
      end
    in
    run_virtual ~wrap:record (Tcp_tests.transfer 500_000);
    Buffer.contents out
  in
  let first = trace () in
  Alcotest.(check bool) "something happened" true (String.length first > 1_000);
  Alcotest.(check string) "the same" first (trace ())

let deadlock () =
  let time = Weir_lwt.Virtual_clock.create () in
  match Weir_lwt.Virtual_clock.run time (fun () -> fst (Lwt.wait ())) with
  | () -> Alcotest.fail "resolved"
  | exception Weir_lwt.Virtual_clock.Deadlock -> ()

let case name f = Suite.case name (fun () -> run_virtual f)

let () =
  Weir_test.Netns.run @@ fun () ->
  Suite.run "lwt"
    [
      ("tcp", Tcp_tests.cases @ End_tests.cases);
      ("adapters", Adapter_tests.cases);
      ( "udp",
        [
          case "datagrams, also in fragments" udp;
          case "whole datagrams" udp_whole;
          case "a cancelled receive loses nothing" udp_cancelled;
          case "port unreachable" udp_refused;
        ] );
      ("icmp", [ case "ping" ping; Suite.case "ping into nothing" ping_lost ]);
      ("threads", Threads_tests.cases);
      ("domains", Domain_tests.cases);
      ("tap", Tap_tests.cases);
      ("names", Suite.case "names and addresses" names :: Name_tests.cases);
      ( "time",
        [ Suite.case "virtual time repeats itself" deterministic; Suite.case "deadlock" deadlock ]
      );
    ]
