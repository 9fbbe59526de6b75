open Weir_programs
module Suite = Weir_test.Suite
module Connection = Weir_eio.Connection
module Flow = Weir_flow.Flow

(* Eight bytes at a time from a linear congruence: no two blocks alike. *)
let data n =
  let b = Bytes.create ((n + 7) land lnot 7) in
  let x = ref 88_172_645_463_325_252L in
  for i = 0 to (Bytes.length b / 8) - 1 do
    (x := Int64.(add (mul !x 6_364_136_223_846_793_005L) 1_442_695_040_888_963_407L));
    Bytes.set_int64_le b (8 * i) !x
  done;
  Bytes.sub_string b 0 n

let big = lazy (data 100_000_000)
let chunk = 131_072

let send_all flow s =
  let b = Bytes.unsafe_of_string s in
  let rec go off =
    if off < Bytes.length b then (
      let n = min chunk (Bytes.length b - off) in
      Flow.write flow b ~off ~len:n;
      go (off + n))
  in
  go 0

(* Reads to the end and compares on the way; [started] is called at the first
   byte. *)
let check_received ?(started = ignore) flow expected =
  let b = Bytes.create chunk in
  let rec go at =
    let n = Flow.read_into flow b ~off:0 ~len:chunk in
    if at = 0 then started ();
    if n = 0 then Alcotest.(check int) "bytes received" (String.length expected) at
    else if at + n > String.length expected || Bytes.sub_string b 0 n <> String.sub expected at n
    then Alcotest.failf "other bytes than sent, somewhere in the %d from %d on" n at
    else go (at + n)
  in
  go 0

let rate what bytes ns =
  World.report "%-48s %7.1f MB in %6.3f s: %8.1f Mbit/s" what
    (float_of_int bytes /. 1e6)
    (float_of_int ns /. 1e9)
    (float_of_int (8 * bytes) *. 1e3 /. float_of_int ns)

(* Weir sends and closes its half; the kernel has hashed it all before it sends
   the same back. *)
let weir_side (w : World.t) what sent c =
  let now () = Weir_eio.Host.now w.host in
  let flow = Connection.flow c and began = now () and turned = ref 0 in
  send_all flow sent;
  Connection.shutdown c `Send;
  check_received flow sent ~started:(fun () -> turned := now ());
  rate (what ^ ", Weir to kernel") (String.length sent) (!turned - began);
  rate (what ^ ", kernel to Weir") (String.length sent) (now () - !turned);
  Connection.close c

let check_peer peer sent =
  Alcotest.(check int) "the peer's status" 0 (Programs.finish peer);
  Alcotest.(check string)
    "what the kernel received"
    (Printf.sprintf "received %s %d\ndone\n" Digest.(to_hex (string sent)) (String.length sent))
    (let out = Programs.output peer in
     if String.starts_with ~prefix:"ready\n" out then String.sub out 6 (String.length out - 6)
     else out)

let data_file (w : World.t) sent =
  let file = Filename.concat w.dir "data" in
  Programs.write file sent;
  file

let kernel_serves (w : World.t) what sent =
  let file = data_file w sent in
  let peer =
    Programs.start ~sw:w.sw w.env ~ready:"ready"
      (World.python "tcp_listen" [ World.kernel; "9000"; file ])
  in
  Eio.Switch.run (fun sw ->
      weir_side w (what ^ "kernel serves") sent
        (Weir_eio.Network.connect w.host ~sw (Ipaddr.of_string_exn World.kernel) ~port:9000));
  check_peer peer sent

let kernel_connects (w : World.t) what sent =
  let file = data_file w sent in
  let over, finished = Eio.Promise.create () in
  World.listen w ~port:9001 (fun c ->
      weir_side w (what ^ "kernel connects") sent c;
      Eio.Promise.resolve finished ());
  let peer =
    Programs.start ~sw:w.sw w.env (World.python "tcp_connect" [ World.weir; "9001"; file ])
  in
  Eio.Promise.await over;
  check_peer peer sent

(* What Weir's side of a lossy exchange took. *)
let report_recovery (w : World.t) what =
  let c = Weir_eio.Host.counters w.host in
  World.report "%-48s %d sent again, %d recoveries, %d timeouts, %d tail probes, %d undone" what
    c.tcp_retransmitted c.tcp_fast_retransmits c.tcp_timeouts c.tcp_tail_probes c.tcp_undone;
  (* One for a probe and its answer lost is honest; each takes 200 ms. *)
  if c.tcp_timeouts > 15 then Alcotest.failf "%d timeouts" c.tcp_timeouts

let exchange w what sent =
  World.check_python ();
  kernel_serves w what sent;
  kernel_connects w what sent

let loss_rules interface =
  Printf.sprintf
    "table ip loss {\n\
     chain in { type filter hook input priority 0; iifname %s numgen random mod 100 < 1 drop; }\n\
     chain out { type filter hook output priority 0; oifname %s numgen random mod 100 < 1 drop; }\n\
     }\n"
    interface interface

let with_nft_loss (w : World.t) f =
  Suite.needs_program "nft";
  let rules = Filename.concat w.dir "rules" in
  Programs.write rules (loss_rules w.interface);
  ignore (Programs.succeed w.env [ "nft"; "-f"; rules ]);
  Fun.protect f ~finally:(fun () ->
      Eio.Cancel.protect (fun () ->
          ignore (Programs.succeed w.env [ "nft"; "delete"; "table"; "ip"; "loss" ])))

(* Without SACK, three duplicates must do. *)
let kernel_without_sack (w : World.t) =
  World.sysctl "net.ipv4.tcp_sack" "0";
  Fun.protect
    (fun () -> with_nft_loss w (fun () -> exchange w "1% nft loss, no SACK, " (data 2_000_000)))
    ~finally:(fun () -> World.sysctl "net.ipv4.tcp_sack" "1");
  let c = Weir_eio.Host.counters w.host in
  Alcotest.(check int) "no probes without SACK" 0 c.tcp_tail_probes

let refused_by_weir (w : World.t) =
  World.check_python ();
  Alcotest.(check string)
    "connect" "ECONNREFUSED\n"
    (Programs.succeed w.env (World.python "tcp_refused" [ World.weir; "81" ]));
  Suite.needs_program "curl";
  Alcotest.(check int)
    "curl: could not connect" 7
    (Programs.run w.env [ "curl"; "-s"; "http://" ^ World.weir ^ ":81/" ]).status

let refused_by_kernel (w : World.t) =
  match
    Eio.Switch.run (fun sw ->
        ignore (Eio.Net.connect ~sw w.net (`Tcp (World.address World.kernel, 81))))
  with
  | () -> Alcotest.fail "connected"
  | exception Eio.Io (Eio.Net.E (Connection_failure (Refused _)), _) -> ()

(* The server answers after the end of what it reads, so an answer means that
   the half-close came through and the other half still works. *)
let half_close_server (w : World.t) =
  Suite.needs_program "nc";
  let sent = data 300_000 in
  World.listen w ~port:7 (fun c ->
      let flow = Connection.flow c in
      check_received flow sent;
      send_all flow (String.uppercase_ascii sent));
  Alcotest.(check bool)
    "the answer" true
    (Programs.succeed w.env ~stdin:sent [ "nc"; "-N"; World.weir; "7" ]
    = String.uppercase_ascii sent)

let half_close_client (w : World.t) =
  Suite.needs_program "nc";
  let answer = "an answer" in
  let nc = [ "nc"; "-N"; "-l"; World.kernel; "9002" ] in
  let talk () =
    let rec connect tries =
      match Eio.Net.connect ~sw:w.sw w.net (`Tcp (World.address World.kernel, 9002)) with
      | c -> c
      | exception Eio.Io (Eio.Net.E (Connection_failure _), _) when tries > 0 ->
          Eio.Time.sleep (Eio.Stdenv.clock w.env) 0.02;
          connect (tries - 1)
    in
    let c = connect 200 in
    let got = Eio.Buf_read.(parse_exn ~max_size:100 take_all) c in
    (* nc has closed its half; ours still carries. *)
    Eio.Flow.copy_string "the last word" c;
    Eio.Flow.shutdown c `Send;
    got
  in
  let out, got = Eio.Fiber.pair (fun () -> Programs.succeed w.env ~stdin:answer nc) talk in
  Alcotest.(check string) "read by Weir" answer got;
  Alcotest.(check string) "read by nc" "the last word" out

let over link =
  let case ?seconds ?offload ?impair name f =
    Suite.case name (fun () -> World.with_weir ~link ?seconds ?offload ?impair f)
  in
  [
    case "100 MB each way" (fun w -> exchange w "" (Lazy.force big));
    case "100 MB each way, 1% loss by nftables" ~seconds:80. (fun w ->
        with_nft_loss w (fun () ->
            World.check_python ();
            kernel_serves w "1% nft loss, " (Lazy.force big);
            report_recovery w "1% nft loss, kernel serves";
            kernel_connects w "1% nft loss, " (data 10_000_000)));
    case "5 MB each way, 10 ms of delay with reordering"
      ~impair:"delay=10ms,jitter=2ms,reorder=2%:-4ms" (fun w ->
        exchange w "10 ms, reordered, " (data 5_000_000));
    case "1 MB each way, 1% of frames lost, duplicated, flipped, cut"
      ~impair:"loss=1%,duplicate=1%,corrupt=1%,truncate=1%,delay=1ms" (fun w ->
        exchange w "bad link, " (data 1_000_000));
    case "100 MB each way, with offload" ~offload:true (fun w ->
        exchange w "offload, " (Lazy.force big));
    case "2 MB each way, long frames lost, late, doubled" ~offload:true
      ~impair:"loss=2%,duplicate=1%,reorder=2%:2ms,delay=1ms" (fun w ->
        exchange w "offload, bad link, " (data 2_000_000));
    case "2 MB each way, 1% loss, a kernel without SACK" kernel_without_sack;
    case "refused by Weir" refused_by_weir;
    case "refused by the kernel" refused_by_kernel;
    case "half-close, Weir as server" half_close_server;
    case "half-close, Weir as client" half_close_client;
  ]
