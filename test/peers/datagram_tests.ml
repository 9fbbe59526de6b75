open Weir_programs
module Suite = Weir_test.Suite

let sizes = [ 0; 1; 2; 1_471; 1_472; 1_473; 2_960; 8_000; 20_000; 65_507 ]

let echo (w : World.t) ~port =
  let s = Eio.Net.datagram_socket ~sw:w.sw w.net (`Udp (Eio.Net.Ipaddr.V4.any, port)) in
  Eio.Fiber.fork_daemon ~sw:w.sw (fun () ->
      let b = Cstruct.create 65_536 in
      let rec go () =
        let from, n = Eio.Net.recv s b in
        Eio.Net.send s ~dst:from [ Cstruct.sub b 0 n ];
        go ()
      in
      go ())

let kernel_asks (w : World.t) =
  World.check_python ();
  echo w ~port:7;
  ignore
    (Programs.succeed w.env
       (World.python "udp_ask" (World.weir :: "7" :: List.map string_of_int sizes)))

let weir_asks (w : World.t) =
  World.check_python ();
  let peer =
    Programs.start ~sw:w.sw w.env ~ready:"ready" (World.python "udp_echo" [ World.kernel; "7" ])
  in
  let s = Eio.Net.datagram_socket ~sw:w.sw w.net `UdpV4 in
  let b = Cstruct.create 65_536 in
  List.iter
    (fun n ->
      let sent = Tcp_tests.data n in
      Eio.Net.send s ~dst:(`Udp (World.address World.kernel, 7)) [ Cstruct.of_string sent ];
      let _, got = Eio.Net.recv s b in
      Alcotest.(check bool)
        (Printf.sprintf "%d bytes" n) true
        (Cstruct.to_string (Cstruct.sub b 0 got) = sent))
    sizes;
  ignore (Programs.finish ~signal:Sys.sigterm peer)

let unreachable_weir (w : World.t) =
  World.check_python ();
  Alcotest.(check string)
    "recv" "ECONNREFUSED\n"
    (Programs.succeed w.env (World.python "udp_refused" [ World.weir; "99" ]))

(* Eio's datagram sockets have no peer, and as in POSIX only those that have one
   are told; so this asks the core. *)
let unreachable_kernel (w : World.t) =
  let open Weir_core in
  let with_stack f = Weir_eio.Host.with_stack w.host f in
  let s =
    with_stack @@ fun stack ->
    match Stack.bind_udp stack ~address:Ipaddr.(V4 V4.any) ~port:0 ~reuse:false with
    | Ok s -> s
    | Error _ -> Alcotest.fail "no socket"
  in
  let ip a = Weir_wire.Ip.of_ipaddr (Ipaddr.of_string_exn a) in
  Udp_sockets.connect s ~local:(ip World.weir) ~remote:(ip World.kernel) ~remote_port:99;
  let dst = Ipaddr.of_string_exn World.kernel in
  let now = Weir_eio.Host.now w.host in
  with_stack (fun stack ->
      match Stack.send_udp stack ~now s ~dst ~dst_port:99 (Bytes.make 7 'x') ~off:0 ~len:7 with
      | Ok () -> ()
      | Error _ -> Alcotest.fail "not sent");
  let rec wait tries =
    match Udp_sockets.take_error s with
    | Some (V4 (Destination_unreachable { code = Port; _ })) -> ()
    | Some _ -> Alcotest.fail "another error"
    | None when tries = 0 -> Alcotest.fail "no error"
    | None ->
        Weir_eio.Host.sleep w.host 10_000_000;
        wait (tries - 1)
  in
  wait 200;
  with_stack (fun stack -> Udp_sockets.close (Stack.udp stack) s)

let kernel_pings (w : World.t) =
  Suite.needs_program "ping";
  let all_back args count =
    let out =
      Programs.succeed w.env ([ "ping"; "-n"; "-c"; string_of_int count ] @ args @ [ World.weir ])
    in
    let want = Printf.sprintf "%d packets transmitted, %d received, 0%% packet loss" count count in
    if not (Programs.contains out want) then Alcotest.fail out
  in
  all_back [ "-i"; "0.01" ] 100;
  all_back [ "-i"; "0.01"; "-s"; "8000" ] 20;
  all_back [ "-i"; "0.01"; "-s"; "65000" ] 5

let weir_pings (w : World.t) =
  List.iteri
    (fun sequence data_length ->
      match Weir_eio.ping w.host ~data_length ~sequence (Ipaddr.of_string_exn World.kernel) with
      | Reply { bytes; _ } -> Alcotest.(check int) "bytes" data_length bytes
      | Failed why -> Alcotest.failf "%d bytes: %s" data_length why
      | Lost -> Alcotest.failf "%d bytes: lost" data_length)
    [ 0; 56; 1_472; 1_473; 8_000; 65_000 ]

let over link =
  let case name f = Suite.case name (fun () -> World.with_weir ~link f) in
  [
    case "udp: the kernel asks Weir, up to 65,507 bytes" kernel_asks;
    case "udp: Weir asks the kernel, up to 65,507 bytes" weir_asks;
    case "udp: port unreachable from Weir" unreachable_weir;
    case "udp: port unreachable from the kernel" unreachable_kernel;
    case "ping: from the kernel, up to 65,000 bytes" kernel_pings;
    case "ping: from Weir, up to 65,000 bytes" weir_pings;
  ]
