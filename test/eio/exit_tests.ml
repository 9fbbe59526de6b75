(* The end of a host: what it has written arrives, or its peers are told, and it does not take for
   ever. *)

open Eio.Std
open World
module Suite = Weir_test.Suite

let text = Ends.text
let read_out = Ends.read_out
let ending = Ends.ending

let with_two_switches f () =
  Eio_main.run @@ fun env ->
  let clock = Eio.Stdenv.mono_clock env in
  Switch.run @@ fun sw ->
  let link_a, link_b = Weir_link.Memory.pair () in
  let server = host ~sw ~clock link_a "10.0.0.1/24" in
  within clock 30. @@ fun () -> f ~sw ~clock (Weir_eio.net server) link_b

let serve ~sw net =
  let l = Eio.Net.listen ~sw ~reuse_addr:true ~backlog:4 net (tcp "0.0.0.0" 80) in
  Fiber.fork_promise ~sw (fun () -> Switch.run @@ fun sw -> read_out (fst (Eio.Net.accept ~sw l)))

(* It writes, says goodbye to nobody, and its switch ends. *)
let write_and_exit ~sw ~clock net link =
  let served = serve ~sw net in
  let sent = text 500_000 in
  Switch.run (fun sw ->
      let net = Weir_eio.net (host ~sw ~clock link "10.0.0.2/24") in
      Eio.Flow.copy_string sent (Eio.Net.connect ~sw net (tcp "10.0.0.1" 80)));
  let got, how = Promise.await_exn served in
  Alcotest.(check int) "bytes" (String.length sent) (String.length got);
  Alcotest.check ending "in order" Ends.End how

let cancelled_exit ~sw ~clock net link =
  let served = serve ~sw net in
  let client () =
    Switch.run @@ fun sw ->
    let net = Weir_eio.net (host ~sw ~clock link "10.0.0.2/24") in
    Eio.Flow.copy_string "last words" (Eio.Net.connect ~sw net (tcp "10.0.0.1" 80));
    failwith "the program failed"
  in
  (match client () with () -> () | exception Failure _ -> ());
  let got, how = Promise.await_exn served in
  Alcotest.(check string) "what was written" "last words" got;
  Alcotest.check ending "in order" Ends.End how

let crash ~sw ~clock net link =
  let served = serve ~sw net in
  Switch.run (fun sw ->
      let net = Weir_eio.net (host ~linger_ns:0 ~sw ~clock link "10.0.0.2/24") in
      ignore (Eio.Net.connect ~sw net (tcp "10.0.0.1" 80)));
  Alcotest.check ending "a crash" Ends.Reset (snd (Promise.await_exn served))

(* A datagram that waits for its neighbour's address is sent too. *)
let datagram_and_exit ~sw ~clock net link =
  let s = Eio.Net.datagram_socket ~sw net (`Udp (address "0.0.0.0", 53)) in
  Switch.run (fun sw ->
      let net = Weir_eio.net (host ~sw ~clock link "10.0.0.2/24") in
      let c = Eio.Net.datagram_socket ~sw net `UdpV4 in
      Eio.Net.send c ~dst:(`Udp (address "10.0.0.1", 53)) [ Cstruct.of_string "and out" ]);
  let buf = Cstruct.create 100 in
  let _, n = Eio.Net.recv s buf in
  Alcotest.(check string) "it came" "and out" (Cstruct.to_string buf ~len:n)

(* Its sockets may belong to others, who are told that it is gone. *)
let ends_under_its_sockets ~sw ~clock _ link =
  let ended what f =
    match f () with
    | _ -> Alcotest.failf "%s went on" what
    | exception Eio.Io (Eio.Exn.X (Eio_unix.Unix_error (ENETDOWN, _, _)), _) -> ()
  in
  let net, waiting =
    Switch.run @@ fun inner ->
    let net = Weir_eio.net (host ~sw:inner ~clock link "10.0.0.2/24") in
    let l = Eio.Net.listen ~sw ~backlog:4 net (tcp "0.0.0.0" 80) in
    let u = Eio.Net.datagram_socket ~sw net (`Udp (address "0.0.0.0", 53)) in
    let accepted =
      Fiber.fork_promise ~sw (fun () -> ended "accept" (fun () -> ignore (Eio.Net.accept ~sw l)))
    and received =
      Fiber.fork_promise ~sw (fun () ->
          ended "recv" (fun () -> ignore (Eio.Net.recv u (Cstruct.create 1))))
    in
    Fiber.yield ();
    (net, [ accepted; received ])
  in
  List.iter Promise.await_exn waiting;
  ended "connect" (fun () -> ignore (Eio.Net.connect ~sw net (tcp "10.0.0.1" 80)));
  ended "listen" (fun () -> ignore (Eio.Net.listen ~sw ~backlog:4 net (tcp "0.0.0.0" 81)))

(* Nobody reads: the bound holds, and what is left is reset. *)
let bounded_exit ~sw ~clock net link =
  let l = Eio.Net.listen ~sw ~reuse_addr:true ~backlog:4 net (tcp "0.0.0.0" 80) in
  let accepted = Fiber.fork_promise ~sw (fun () -> fst (Eio.Net.accept ~sw l)) in
  let began = ref (Eio.Time.Mono.now clock) in
  Switch.run (fun sw ->
      let net = Weir_eio.net (host ~linger_ns:200_000_000 ~sw ~clock link "10.0.0.2/24") in
      let c = Eio.Net.connect ~sw net (tcp "10.0.0.1" 80) in
      (try within clock 0.2 (fun () -> Eio.Flow.copy_string (text 10_000_000) c)
       with Eio.Time.Timeout -> ());
      began := Eio.Time.Mono.now clock);
  let took = Mtime.Span.to_float_ns (Mtime.span (Eio.Time.Mono.now clock) !began) /. 1e9 in
  if took < 0.15 || took > 5. then Alcotest.failf "the host ended after %.3f s" took;
  Alcotest.check ending "the rest" Ends.Reset (snd (read_out (Promise.await_exn accepted)))

let cases =
  let two name f = Suite.case name (with_two_switches f) in
  [
    two "write and exit" write_and_exit;
    two "write and fail" cancelled_exit;
    two "a crash" crash;
    two "a datagram and exit" datagram_and_exit;
    two "a host ends under its sockets" ends_under_its_sockets;
    two "an exit is bounded" bounded_exit;
  ]
