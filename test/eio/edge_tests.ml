(* What a program can tell from the kernel's network: that nothing is lost at an
   end, that cancellation is seen, that small writes share a segment. *)

open Eio.Std
open World
module Suite = Weir_test.Suite
module Sockopt = Eio.Net.Sockopt

let ends w = { Ends.server = w.net_a; at = "10.0.0.1"; client = w.net_b; sleep = sleep w }
let text = Ends.text
let read_out = Ends.read_out
let ending = Ends.ending

(* -- cancellation and turns ---------------------------------------------- *)
let one_byte = [ Cstruct.of_string "x" ]

(* How many one-byte writes went by before the writer saw that it was cancelled. *)
let sees_cancellation w =
  Switch.run @@ fun sw ->
  let _, c = pair w ~sw in
  let writes = ref 0 in
  Fiber.first
    (fun () ->
      while true do
        Eio.Flow.write c one_byte;
        incr writes
      done)
    Fiber.yield;
  if !writes > 1_000 then Alcotest.failf "%d writes" !writes

let cancelled_calls w =
  Switch.run @@ fun sw ->
  let s, c = pair w ~sw in
  let u = Eio.Net.datagram_socket ~sw w.net_b `UdpV4 in
  let refused what f =
    match
      Fiber.first
        (fun () ->
          try Fiber.await_cancel ()
          with Eio.Cancel.Cancelled _ -> (
            match f () with () -> `Went_on | exception Eio.Cancel.Cancelled _ -> `Cancelled))
        (fun () -> `Other)
    with
    | `Other | `Cancelled -> ()
    | `Went_on -> Alcotest.failf "%s went on" what
  in
  let checked = ref 0 in
  let refused what f =
    refused what (fun () ->
        Fun.protect ~finally:(fun () -> incr checked) f;
        Alcotest.failf "%s went on" what)
  in
  refused "write" (fun () -> Eio.Flow.write c one_byte);
  refused "read" (fun () -> ignore (Eio.Flow.single_read s (Cstruct.create 1) : int));
  refused "connect" (fun () -> ignore (Eio.Net.connect ~sw w.net_b (tcp "10.0.0.1" 80)));
  refused "send" (fun () -> Eio.Net.send u ~dst:(`Udp (address "10.0.0.1", 9)) one_byte);
  Alcotest.(check int) "calls tried" 4 !checked;
  Eio.Flow.close c;
  Alcotest.(check (pair string ending)) "nothing was written" ("", Ends.End) (read_out s)

(* A reader whose bytes are all there lets others run. *)
let lets_others_run w =
  Switch.run @@ fun sw ->
  let s, c = pair w ~sw in
  let buf = Cstruct.create 1 in
  Eio.Flow.copy_string (text 4_000) c;
  sleep w 0.02;
  let reads = ref 0 and turns = ref 0 in
  Fiber.first
    (fun () ->
      for _ = 1 to 4_000 do
        ignore (Eio.Flow.single_read s buf : int);
        incr reads
      done)
    (fun () ->
      while true do
        Fiber.yield ();
        incr turns
      done);
  Alcotest.(check int) "reads" 4_000 !reads;
  if !turns < 10 then Alcotest.failf "%d turns for others in 4,000 reads" !turns

(* Written in a row without waiting: one segment, and no option set. *)
let written_together w =
  Switch.run @@ fun sw ->
  let s, c = pair w ~sw in
  let frames () = (Weir_eio.Host.link_stats w.b).tx_frames in
  let before = frames () in
  Eio.Flow.copy_string "HTTP/1.1 200 OK\r\n\r\n" c;
  Eio.Flow.copy_string (text 100) c;
  Eio.Flow.copy_string (text 10) c;
  Alcotest.(check int) "bytes" 129 (Eio.Flow.single_read s (Cstruct.create 1_000));
  Alcotest.(check int) "frames" 1 (frames () - before)

(* -- calls --------------------------------------------------------------- *)
let empty_read w =
  Switch.run @@ fun sw ->
  let s, c = pair w ~sw in
  Eio.Flow.copy_string "x" c;
  match Eio.Flow.single_read s Cstruct.empty with
  | n -> Alcotest.failf "%d bytes" n
  | exception End_of_file -> ()

let unix_error code f =
  match f () with
  | _ -> Alcotest.failf "no %s" (Unix.error_message code)
  | exception Eio.Io (Eio.Exn.X (Eio_unix.Unix_error (e, _, _)), _) ->
      Alcotest.(check string) "code" (Unix.error_message code) (Unix.error_message e)

let bind_to w =
  Switch.run @@ fun sw ->
  let l = Eio.Net.listen ~sw ~backlog:4 w.net_a (tcp "0.0.0.0" 80) in
  let connect bind_to =
    Eio.Net.connect ~sw w.net_b ~bind_to:(tcp bind_to 5_555) (tcp "10.0.0.1" 80)
  in
  unix_error EADDRNOTAVAIL (fun () -> connect "10.0.0.77");
  let (_, from), _ = Fiber.pair (fun () -> Eio.Net.accept ~sw l) (fun () -> connect "10.0.0.2") in
  Alcotest.(check string) "from" "tcp:10.0.0.2:5555" (Fmt.str "%a" Eio.Net.Sockaddr.pp from);
  unix_error EADDRINUSE (fun () -> connect "10.0.0.2")

let use_of_unix_net (net : Eio_unix.Net.t) ~sw =
  let c : [ `Generic | `Unix ] Eio.Net.stream_socket_ty r =
    Eio.Net.connect ~sw net (tcp "10.0.0.1" 80)
  in
  Alcotest.(check bool) "no descriptor" true (Eio_unix.Resource.fd_opt c = None)

let unix_net w =
  Switch.run @@ fun sw ->
  let l = Eio.Net.listen ~sw ~backlog:4 w.net_a (tcp "0.0.0.0" 80) in
  Fiber.both
    (fun () -> ignore (Eio.Net.accept ~sw l))
    (fun () -> use_of_unix_net (Weir_eio.unix_net w.b) ~sw)

let options w =
  Switch.run @@ fun sw ->
  let l = Eio.Net.listen ~sw ~reuse_addr:true ~backlog:4 w.net_a (tcp "0.0.0.0" 80) in
  Alcotest.(check bool) "reuse" true (Eio.Net.getsockopt l Sockopt.SO_REUSEADDR);
  Alcotest.(check bool)
    "listening" true
    (Eio.Net.getsockopt l (Eio_unix.Net.Sockopt_bool SO_ACCEPTCONN));
  Eio.Net.setsockopt l Sockopt.TCP_NODELAY true;
  let (s, _), c =
    Fiber.pair
      (fun () -> Eio.Net.accept ~sw l)
      (fun () ->
        Eio.Net.connect ~sw w.net_b (tcp "10.0.0.1" 80)
          ~options:Sockopt.[ (SO_KEEPALIVE, true); (TCP_KEEPIDLE, 7); (SO_RCVTIMEO, 1.5) ])
  in
  Alcotest.(check bool) "inherited" true (Eio.Net.getsockopt s Sockopt.TCP_NODELAY);
  Alcotest.(check bool) "not the client's" false (Eio.Net.getsockopt c Sockopt.TCP_NODELAY);
  Alcotest.(check int) "keepalive" 7 (Eio.Net.getsockopt c Sockopt.TCP_KEEPIDLE);
  Alcotest.(check bool) "on" true (Eio.Net.getsockopt c Sockopt.SO_KEEPALIVE);
  Alcotest.(check (float 0.)) "timeout" 1.5 (Eio.Net.getsockopt c Sockopt.SO_RCVTIMEO);
  Alcotest.(check int) "a stream" 1 (Eio.Net.getsockopt c (Eio_unix.Net.Sockopt_int SO_TYPE));
  Alcotest.(check (option int)) "linger" None (Eio.Net.getsockopt c Sockopt.SO_LINGER);
  let user_timeout = Weir_eio.Tcp_options.TCP_USER_TIMEOUT in
  Alcotest.(check int) "no user timeout" 0 (Eio.Net.getsockopt c user_timeout);
  Eio.Net.setsockopt c user_timeout 90_000;
  Eio.Net.setsockopt c Weir_eio.Tcp_options.TCP_UTO true;
  Alcotest.(check int) "user timeout" 90_000 (Eio.Net.getsockopt c user_timeout);
  Alcotest.(check bool) "told" true (Eio.Net.getsockopt c Weir_eio.Tcp_options.TCP_UTO);
  Eio.Net.setsockopt c Sockopt.SO_LINGER (Some 0);
  Eio.Flow.close c;
  Alcotest.check ending "closed by a reset" Ends.Reset (snd (read_out s))

(* As large as they are set: nobody reads, and so much is taken. *)
let buffers w =
  let taken ~snd ~rcv port =
    Switch.run @@ fun sw ->
    let l = Eio.Net.listen ~sw ~backlog:4 w.net_a (tcp "0.0.0.0" port) in
    Eio.Net.setsockopt l Sockopt.SO_RCVBUF rcv;
    let c =
      Eio.Net.connect ~sw w.net_b (tcp "10.0.0.1" port) ~options:Sockopt.[ (SO_SNDBUF, snd) ]
    in
    Alcotest.(check int) "as set" snd (Eio.Net.getsockopt c Sockopt.SO_SNDBUF);
    let n = ref 0 in
    (try
       within w.clock 0.2 (fun () ->
           while true do
             n := !n + Eio.Flow.single_write c [ Cstruct.create 1_000 ]
           done)
     with Eio.Time.Timeout -> ());
    !n
  in
  let between low high n = if n < low || n > high then Alcotest.failf "%d bytes taken" n in
  between 20_000 31_000 (taken ~snd:10_000 ~rcv:20_000 81);
  between 220_000 310_000 (taken ~snd:100_000 ~rcv:200_000 82)

(* Closing waits until the peer has all, whether its program reads it or not; a
   peer that takes nothing more is waited for as long as the option says. *)
let linger w =
  Switch.run @@ fun sw ->
  let s, c = pair w ~sw in
  let closing c seconds =
    Eio.Net.setsockopt c Sockopt.SO_LINGER (Some seconds);
    let began = Eio.Time.Mono.now w.clock in
    Eio.Flow.close c;
    Mtime.Span.to_float_ns (Mtime.span (Eio.Time.Mono.now w.clock) began) /. 1e9
  in
  Eio.Flow.copy_string "bye" c;
  let took = closing c 20 in
  if took > 10. then Alcotest.failf "closing took %.3f s" took;
  Alcotest.(check (pair string ending)) "all" ("bye", Ends.End) (read_out s);
  let _unread, c = pair ~port:81 w ~sw in
  (* Until a write waits, however slow the machine is. *)
  let rec fill () =
    match within w.clock 0.2 (fun () -> Eio.Flow.single_write c [ Cstruct.create 100_000 ]) with
    | _ -> fill ()
    | exception Eio.Time.Timeout -> ()
  in
  fill ();
  let took = closing c 1 in
  if took < 0.9 then Alcotest.failf "closing took only %.3f s" took

let shared_port w =
  Switch.run @@ fun sw ->
  let counts = Array.make 3 0 in
  let listen i =
    let l = Eio.Net.listen ~sw ~reuse_port:true ~backlog:64 w.net_a (tcp "0.0.0.0" 80) in
    Fiber.fork_daemon ~sw (fun () ->
        while true do
          let s, _ = Eio.Net.accept ~sw l in
          counts.(i) <- counts.(i) + 1;
          Eio.Flow.close s
        done;
        `Stop_daemon)
  in
  List.iter listen [ 0; 1; 2 ];
  for _ = 1 to 300 do
    Switch.run @@ fun sw -> ignore (read_out (Eio.Net.connect ~sw w.net_b (tcp "10.0.0.1" 80)))
  done;
  Alcotest.(check int) "all" 300 (Array.fold_left ( + ) 0 counts);
  Array.iteri (fun i n -> if n < 50 then Alcotest.failf "listener %d got %d of 300" i n) counts;
  unix_error EADDRINUSE (fun () -> Eio.Net.listen ~sw ~backlog:1 w.net_a (tcp "0.0.0.0" 80))

let datagram_errors w =
  Switch.run @@ fun sw ->
  let u = Eio.Net.datagram_socket ~sw w.net_b `UdpV4 in
  let send a bytes = Eio.Net.send u ~dst:(`Udp (address a, 9)) [ Cstruct.create bytes ] in
  unix_error EMSGSIZE (fun () -> send "10.0.0.1" 65_508);
  unix_error ENETUNREACH (fun () -> send "192.0.2.1" 1);
  unix_error EDESTADDRREQ (fun () -> Eio.Net.send u one_byte);
  unix_error EADDRNOTAVAIL (fun () ->
      Eio.Net.datagram_socket ~sw w.net_b (`Udp (address "10.0.0.77", 9)));
  let denied f =
    match f () with
    | () -> Alcotest.fail "sent to all"
    | exception Eio.Io (Eio.Fs.E (Permission_denied _), _) -> ()
  in
  send "10.0.0.1" 1_473;
  List.iter
    (fun whole ->
      Eio.Net.setsockopt u Sockopt.IP_MTU_DISCOVER whole;
      send "10.0.0.1" 1_472;
      unix_error EMSGSIZE (fun () -> send "10.0.0.1" 1_473))
    [ `Do; `Probe ];
  denied (fun () -> send "10.0.0.255" 1);
  Eio.Net.setsockopt u Sockopt.SO_BROADCAST true;
  send "10.0.0.255" 1

type Weir_link.Link.readiness += Unheard_of

(* The host stays as it was. *)
let unknown_link w =
  Switch.run @@ fun sw ->
  let inner, _ = Weir_link.Memory.pair () in
  let link =
    object
      inherit Weir_link.Link.forward inner
      method! readiness = Unheard_of
    end
  in
  Alcotest.check_raises "refused"
    (Invalid_argument "Weir_eio.Host: this link's readiness is not supported") (fun () ->
      ignore (Weir_eio.attach w.a ~sw ~link ~address:"10.7.0.1/24" ()));
  Weir_eio.Host.with_stack w.a (fun stack ->
      Alcotest.(check int)
        "interfaces" 1
        (Array.length (Weir_core.Routes.interfaces (Weir_core.Stack.routes stack))))

(* On two links, a client in each network; the second address is taken away. *)
let two_links w =
  Switch.run @@ fun sw ->
  let link, far = Weir_link.Memory.pair () in
  let i = Weir_eio.attach w.a ~sw ~link ~address:"10.7.0.1/24" () in
  let other = Weir_eio.net (host ~sw ~clock:w.clock far "10.7.0.2/24") in
  let ask client address =
    let s, c = Ends.pair { (ends w) with at = address; client } ~sw in
    Fiber.both
      (fun () -> Eio.Flow.copy_string (text 300_000) s)
      (fun () -> Eio.Flow.read_exact c (Cstruct.create 300_000));
    c
  in
  let before = (Weir_eio.Host.link_stats w.a).tx_frames in
  let there = ask other "10.7.0.1" in
  Alcotest.(check int) "nothing by the first link" before (Weir_eio.Host.link_stats w.a).tx_frames;
  let here = ask w.net_b "10.0.0.1" in
  Weir_eio.Host.with_stack w.a (fun stack ->
      Weir_core.Stack.remove_address stack i (Ipaddr.of_string_exn "10.7.0.1"));
  Eio.Flow.copy_string "still" here;
  (match Eio.Time.Timeout.(run (seconds w.clock 0.3)) (fun () -> Ok (ask other "10.7.0.1")) with
  | Error `Timeout -> ()
  | Ok _ -> Alcotest.fail "an address that was removed answers");
  Eio.Flow.close there;
  Eio.Flow.close here

(* What a router says of a connection attempt: the errors are Linux's. *)
let icmp_errors () =
  let raised code =
    let message = Weir_wire.Icmpv4.Destination_unreachable { code; rest = 0; data_length = 0 } in
    Weir_eio.Errors.of_tcp (Unreachable (V4 message)) "connect"
  in
  let unix code =
    match raised code with
    | Eio.Io (Eio.Exn.X (Eio_unix.Unix_error (e, _, _)), _) -> Unix.error_message e
    | e -> Printexc.to_string e
  in
  let check code e = Alcotest.(check string) "error" (Unix.error_message e) (unix code) in
  check Net ENETUNREACH;
  check Host EHOSTUNREACH;
  check (Fragmentation_needed 1_400) EMSGSIZE;

  check (Other_code 6) ENETUNREACH;
  check (Other_code 7) EHOSTDOWN;
  check (Other_code 9) ENETUNREACH;
  check (Other_code 13) EHOSTUNREACH;
  match raised Port with
  | Eio.Io (Eio.Net.E (Connection_failure (Refused _)), _) -> ()
  | e -> Alcotest.failf "a port's: %a" Eio.Exn.pp e

(* What a crowd that stops reading had the host hold goes back when it has left. *)
let gives_memory_back w =
  let memory = Weir_eio.Host.with_stack w.a Weir_drive.Memory.create in
  let look () = Weir_drive.Memory.look memory in
  let heap () = (Gc.quick_stat ()).heap_words in
  Alcotest.(check bool) "nothing to give" false (look ());
  let crowd = 200 in
  let most =
    Switch.run @@ fun sw ->
    let l = Eio.Net.listen ~sw ~reuse_addr:true ~backlog:crowd w.net_a (tcp "0.0.0.0" 80) in
    let some = Cstruct.create 65_536 in
    for _ = 1 to crowd do
      let accept () = fst (Eio.Net.accept ~sw l) in
      let s, _ = Fiber.pair accept (fun () -> Eio.Net.connect ~sw w.net_b (tcp "10.0.0.1" 80)) in
      Fiber.fork_daemon ~sw (fun () ->
          Eio.Net.setsockopt s Sockopt.SO_LINGER (Some 0);
          while true do
            Eio.Flow.write s [ some ]
          done;
          `Stop_daemon)
    done;
    sleep w 0.1;
    Alcotest.(check bool) "while they are there" false (look ());
    heap ()
  in
  sleep w 0.1;
  Alcotest.(check bool) "while it is being freed" false (look ());
  Alcotest.(check bool) "when they have left" true (look ());
  Alcotest.(check bool) "once" false (look ());
  if heap () > most / 2 then Alcotest.failf "%d of %d words are still held" (heap ()) most

let cases =
  List.map (fun (name, f) -> case name (fun w -> f (ends w))) Ends.all
  @ [
      case "a writer sees that it is cancelled" sees_cancellation;
      case "a cancelled fiber's calls do nothing" cancelled_calls;
      case "a reader lets others run" lets_others_run;
      case "written together" written_together;
      case "reading into nothing" empty_read;
      case "bound to an address" bind_to;
      case "as an Eio_unix.Net.t" unix_net;
      case "options" options;
      case "buffers of a chosen size" buffers;
      case "closing waits" linger;
      case "listeners share a port" shared_port;
      case "errors of datagrams" datagram_errors;
      case "two links" two_links;
      case "a link of an unknown kind" unknown_link;
      Suite.case "errors that routers tell" icmp_errors;
      case "memory goes back" gives_memory_back;
    ]
