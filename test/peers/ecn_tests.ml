(* Routers' marks, which nftables sets on both directions: the kernel and Weir both tell their sender,
   and both senders lower their windows. *)

open Weir_programs
module Suite = Weir_test.Suite

let length = 10_000_000

(* One in 50 of the packets that say that their transport knows ECN. *)
let rules ~family interface =
  let mark = Printf.sprintf "%s ecn ect0 numgen random mod 50 < 1 %s ecn set ce" family family in
  Printf.sprintf
    "table inet marks {\n\
     chain in { type filter hook prerouting priority 0; iifname %s %s; }\n\
     chain out { type filter hook postrouting priority 0; oifname %s %s; }\n\
     }\n"
    interface mark interface mark

let with_marks (w : World.t) ~family f =
  Suite.needs_program "nft";
  let file = Filename.concat w.dir "marks" in
  Programs.write file (rules ~family w.interface);
  ignore (Programs.succeed w.env [ "nft"; "-f"; file ]);
  (* The kernel asks for ECN when it connects. *)
  World.sysctl "net.ipv4.tcp_ecn" "1";
  Fun.protect f ~finally:(fun () ->
      World.sysctl "net.ipv4.tcp_ecn" "2";
      Eio.Cancel.protect (fun () ->
          ignore (Programs.succeed w.env [ "nft"; "delete"; "table"; "inet"; "marks" ])))

(* What the kernel says of its sockets, as long as [f] runs. *)
let watched (w : World.t) f =
  let seen = ref "" in
  let rec watch () =
    seen := !seen ^ Programs.succeed w.env [ "ss"; "-tinH" ];
    Eio.Time.sleep (Eio.Stdenv.clock w.env) 0.01;
    watch ()
  in
  Eio.Fiber.first f watch;
  !seen

let flagged env capture filter =
  let out = World.tshark env capture [ "-Y"; filter; "-T"; "fields"; "-e"; "frame.number" ] in
  List.length (String.split_on_char '\n' out) - 1

let some what n = if n = 0 then Alcotest.failf "%s: none" what

let exchange ~what ~family (w : World.t) =
  Suite.needs_program "ss";
  let sent = Tcp_tests.data length in
  let seen =
    watched w (fun () -> with_marks w ~family (fun () -> Tcp_tests.exchange w (what ^ ", ") sent))
  in
  let c = Weir_eio.Host.counters w.host in
  World.report "%s, 2%% marked: Weir saw %d marks and lowered its window %d times; %d sent again"
    what c.tcp_ce_marks c.tcp_ecn_responses c.tcp_retransmitted;
  some "marks that Weir saw" c.tcp_ce_marks;
  some "windows that Weir lowered" c.tcp_ecn_responses;
  (* A short transfer may be over before `ss` looks: the capture decides. *)
  World.report "ss showed marks that the kernel heard of: %b; a threshold: %b"
    (Programs.contains seen "delivered_ce:")
    (Programs.contains seen "ssthresh:")

let check_capture ~ipv6 env capture =
  let ip, mark = if ipv6 then ("ipv6", "ipv6.tclass.ecn") else ("ip", "ip.dsfield.ecn") in
  let kernel, weir =
    if ipv6 then (World.kernel_v6, World.weir_v6) else (World.kernel, World.weir)
  in
  let count source flags =
    flagged env capture
      (Printf.sprintf "%s.src == %s && tcp.flags.syn == 0 && tcp.flags.%s == 1" ip source flags)
  in
  List.iter
    (fun (who, address) ->
      some (who ^ "'s ECE") (count address "ece");
      some (who ^ "'s CWR") (count address "cwr"))
    [ ("the kernel", kernel); ("Weir", weir) ];
  Alcotest.(check int)
    "ACKs and SYNs are not capable" 0
    (flagged env capture
       (Printf.sprintf "tcp && %s != 0 && (tcp.len == 0 || tcp.flags.syn == 1)" mark))

(* The delay makes the transfers long enough for `ss` to be asked. *)
let case name ?offload ?(ipv6 = false) ?congestion () =
  Suite.case name (fun () ->
      Suite.needs_program "tshark";
      Programs.with_scratch @@ fun dir ->
      let capture = Filename.concat dir "ecn.pcap" in
      let what = "ECN" ^ if ipv6 then ", IPv6" else "" in
      let what =
        match congestion with None -> what | Some a -> what ^ ", " ^ Weir_core.Congestion.name a
      in
      World.with_weir ?offload ~ipv6 ?congestion ~ecn:Request ~impair:"delay=500us" ~capture
        ~seconds:60.
        (exchange ~what ~family:(if ipv6 then "ip6" else "ip"));
      Eio_main.run (fun env -> check_capture ~ipv6 env capture))

let cases =
  [
    case "10 MB each way, 2% of the packets marked" ();
    case "10 MB each way, 2% marked, with offload" ~offload:true ();
    case "10 MB each way, 2% marked, IPv6" ~ipv6:true ();
    case "10 MB each way, 2% marked, BBR" ~congestion:Weir_core.Bbr.algorithm ();
  ]
