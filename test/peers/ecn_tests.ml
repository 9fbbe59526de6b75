(* Routers' marks, which nftables sets on both directions: the kernel and Weir both tell their sender,
   and both senders lower their windows. *)

open Weir_programs
module Suite = Weir_test.Suite

let length = 10_000_000

(* One in 50 of the packets that say that their transport knows ECN. *)
let rules interface =
  let mark = "ip ecn ect0 numgen random mod 50 < 1 ip ecn set ce" in
  Printf.sprintf
    "table ip marks {\n\
     chain in { type filter hook prerouting priority 0; iifname %s %s; }\n\
     chain out { type filter hook postrouting priority 0; oifname %s %s; }\n\
     }\n"
    interface mark interface mark

let with_marks (w : World.t) f =
  Suite.needs_program "nft";
  let file = Filename.concat w.dir "marks" in
  Programs.write file (rules w.interface);
  ignore (Programs.succeed w.env [ "nft"; "-f"; file ]);
  (* The kernel asks for ECN when it connects. *)
  World.sysctl "net.ipv4.tcp_ecn" "1";
  Fun.protect f ~finally:(fun () ->
      World.sysctl "net.ipv4.tcp_ecn" "2";
      Eio.Cancel.protect (fun () ->
          ignore (Programs.succeed w.env [ "nft"; "delete"; "table"; "ip"; "marks" ])))

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

let exchange (w : World.t) =
  Suite.needs_program "ss";
  let sent = Tcp_tests.data length in
  let seen = watched w (fun () -> with_marks w (fun () -> Tcp_tests.exchange w "ECN, " sent)) in
  let c = Weir_eio.Host.counters w.host in
  World.report "ECN, 2%% marked: Weir saw %d marks and lowered its window %d times; %d sent again"
    c.tcp_ce_marks c.tcp_ecn_responses c.tcp_retransmitted;
  some "marks that Weir saw" c.tcp_ce_marks;
  some "windows that Weir lowered" c.tcp_ecn_responses;
  (* A short transfer may be over before `ss` looks: the capture decides. *)
  World.report "ss showed marks that the kernel heard of: %b; a threshold: %b"
    (Programs.contains seen "delivered_ce:")
    (Programs.contains seen "ssthresh:")

let check_capture env capture =
  let count source flags =
    flagged env capture
      (Printf.sprintf "ip.src == %s && tcp.flags.syn == 0 && tcp.flags.%s == 1" source flags)
  in
  List.iter
    (fun (who, address) ->
      some (who ^ "'s ECE") (count address "ece");
      some (who ^ "'s CWR") (count address "cwr"))
    [ ("the kernel", World.kernel); ("Weir", World.weir) ];
  Alcotest.(check int)
    "ACKs and SYNs are not capable" 0
    (flagged env capture "ip.dsfield.ecn != 0 && (tcp.len == 0 || tcp.flags.syn == 1)")

(* The delay makes the transfers long enough for `ss` to be asked. *)
let case name ?offload () =
  Suite.case name (fun () ->
      Suite.needs_program "tshark";
      Programs.with_scratch @@ fun dir ->
      let capture = Filename.concat dir "ecn.pcap" in
      World.with_weir ?offload ~ecn:Request ~impair:"delay=500us" ~capture ~seconds:60. exchange;
      Eio_main.run (fun env -> check_capture env capture))

let cases =
  [
    case "10 MB each way, 2% of the packets marked" ();
    case "10 MB each way, 2% marked, with offload" ~offload:true ();
  ]
