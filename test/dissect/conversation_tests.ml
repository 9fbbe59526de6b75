open Weir_wire
open Weir_dissect
open Packets

let line conversations b = Fmt.str "%a" Dump.pp (dissect conversations b).shown

(* From the TCP on, without the window. *)
let short line =
  let words = String.split_on_char ' ' line in
  let rec from = function "TCP" :: rest -> rest | _ :: rest -> from rest | [] -> words in
  String.concat " " (List.filter (fun w -> not (String.starts_with ~prefix:"win=" w)) (from words))

let base = Tcp.base
let syn = { base with syn = true }

(* Scripts: packets, what is printed, and the stream's number. *)
let scripts =
  [
    ( "a handshake, data, an end",
      [
        (from_client { syn with seq = 1000 }, "S seq=0 len 0", 0);
        (from_server { syn with seq = 5000; ack = 1001 }, "S. seq=0 ack=1 len 0", 0);
        (from_client { base with seq = 1001; ack = 5001 } ~data:"hello", ". seq=1 ack=1 len 5", 0);
        (from_server { base with seq = 5001; ack = 1006 }, ". seq=1 ack=6 len 0", 0);
        (from_client { base with seq = 1006; ack = 5001; fin = true }, "F. seq=6 ack=1 len 0", 0);
        (* Without the ACK flag there is no number to be relative. *)
        (from_server { base with seq = 5001; rst = true }, "R seq=1 len 0", 0);
      ] );
    ( "numbers that wrap",
      [
        (from_client { syn with seq = 0xffff_fffe }, "S seq=0 len 0", 0);
        (from_server { syn with seq = 0xffff_ffff; ack = 0xffff_ffff }, "S. seq=0 ack=1 len 0", 0);
        (from_client { base with seq = 0xffff_ffff; ack = 0 } ~data:"abc", ". seq=1 ack=1 len 3", 0);
        (from_server { base with seq = 0; ack = 2 }, ". seq=1 ack=4 len 0", 0);
      ] );
    ( "no SYN was seen",
      [
        (from_server { base with seq = 700; ack = 300 } ~data:"x", ". seq=1 ack=1 len 1", 0);
        (from_client { base with seq = 300; ack = 701 } ~data:"y", ". seq=1 ack=2 len 1", 0);
      ] );
    ( "a SYN that is refused",
      [
        (from_client { syn with seq = 1000 }, "S seq=0 len 0", 0);
        (from_server { base with seq = 0; ack = 1001; rst = true }, "R. seq=1 ack=1 len 0", 0);
      ] );
    ( "edges of SACK blocks are the other side's numbers",
      [
        (from_client { syn with seq = 1000 }, "S seq=0 len 0", 0);
        ( from_server { base with seq = 5000; ack = 1001; sacks = [ (1101, 1201) ] },
          ". seq=1 ack=1 <sack 101:201> len 0",
          0 );
      ] );
    ( "the endpoints again, for another connection",
      [
        (from_client { syn with seq = 1000 }, "S seq=0 len 0", 0);
        (from_client { syn with seq = 1000 }, "S seq=0 len 0", 0);
        (from_server { syn with seq = 5000; ack = 1001 }, "S. seq=0 ack=1 len 0", 0);
        (from_client { syn with seq = 9000 }, "S seq=0 len 0", 1);
        (* From TIME-WAIT: the old numbers, until the new SYN comes. *)
        (from_server { base with seq = 5001; ack = 1001 }, ". seq=1 ack=4294959297 len 0", 1);
        (from_server { syn with seq = 70; ack = 9001 }, "S. seq=0 ack=1 len 0", 1);
        (from_client { base with seq = 9001; ack = 71 }, ". seq=1 ack=1 len 0", 1);
      ] );
    ( "a SYN with ACK comes first",
      [
        (from_server { syn with seq = 5000; ack = 1001 }, "S. seq=0 ack=1 len 0", 0);
        (from_client { base with seq = 1001; ack = 5001 }, ". seq=1 ack=1 len 0", 0);
      ] );
    ( "both open at once",
      [
        (from_client { syn with seq = 1000 }, "S seq=0 len 0", 0);
        (from_server { syn with seq = 5000 }, "S seq=0 len 0", 0);
        (from_client { syn with seq = 1000; ack = 5001 }, "S. seq=0 ack=1 len 0", 0);
        (from_server { syn with seq = 5000; ack = 1001 }, "S. seq=0 ack=1 len 0", 0);
      ] );
  ]

let script steps () =
  let conversations = Conversations.create () in
  List.iter
    (fun (b, want, stream) ->
      let d = dissect conversations b in
      Alcotest.(check string) want want (short (line conversations b));
      Alcotest.(check int) (want ^ ": stream") stream (Option.get d.stream).stream.number)
    steps

let client_is ip (s : Conversations.seen) =
  Alcotest.(check string) "client" ip (Fmt.str "%a" Ip.pp s.stream.client.ip)

let clients () =
  let see b = Option.get (dissect (Conversations.create ()) b).stream in
  client_is "10.0.0.1" (see (from_client { syn with seq = 1 }));
  client_is "10.0.0.1" (see (from_server { syn with seq = 1; ack = 1 }));
  client_is "10.0.0.2" (see (from_server { base with seq = 1; ack = 1 }))

(* An ICMP error's quote is relative too. *)
let quoted () =
  let conversations = Conversations.create () in
  let segment = from_client { syn with seq = 1000 } in
  ignore (line conversations segment : string);
  let quote = Bytes.sub segment 14 28 in
  let b = Bytes.make 36 '\000' in
  Bytes.blit quote 0 b 8 28;
  Icmpv4.emit (Time_exceeded { reassembly = false; rest = 0; data_length = 28 }) b ~off:0;
  let error = frame ~src:"10.0.0.9" ~dst:"10.0.0.1" 1 b in
  let check name want conversations =
    if not (String.ends_with ~suffix:want (line conversations error)) then
      Alcotest.failf "%s: %s" name (line conversations error)
  in
  check "known" "TCP seq=0 len 20)" conversations;
  check "not known" "TCP seq=1000 len 20)" (Conversations.create ())

(* However many connections a capture holds, memory is bounded, and those that
   are still seen are remembered. *)
let bounded () =
  let conversations = Conversations.create ~most:1_000 () in
  let number b = (Option.get (dissect conversations b).stream).stream.number in
  let again = from_client { base with seq = 8; ack = 0 } in
  ignore (number (from_client { syn with seq = 7 }) : int);
  for n = 1 to 50_000 do
    let dst = Printf.sprintf "10.1.%d.%d" (n lsr 8) (n land 255) in
    Alcotest.(check int) "a new one" n (number (tcp ~dst { syn with src_port = 1; dst_port = 80 }));
    if n mod 300 = 0 then Alcotest.(check int) "remembered" 0 (number again)
  done;
  Alcotest.(check int) "numbered" 50_001 (Conversations.streams conversations);
  let words = Obj.reachable_words (Obj.repr conversations) in
  if words > 1_000 * 50 then Alcotest.failf "%d words for 1,000 connections" words

(* Raw IPv4 is decoded; IPv6 there, and other types of links, are named. *)
let link_types () =
  let segment = from_client { syn with seq = 7 } in
  let shown ?(off = 14) link_type =
    let captured = Bytes.length segment - off in
    let p = { (packet segment) with off; captured; original = captured; link_type } in
    let conversations = Conversations.create () in
    let d = Dissection.make conversations ~absolute:false ~number:1 segment p in
    Fmt.str "%a" Dissection.pp d
  in
  let line = "10.0.0.1:1000 > 10.0.0.2:80 TCP S seq=0 win=0 len 0" in
  Alcotest.(check string) "Ethernet" line (shown ~off:0 Pcap.ethernet);
  Alcotest.(check string) "raw IPv4" line (shown Dissection.raw_ip);
  Alcotest.(check string) "another" "link type 113, 40 bytes" (shown 113);
  Bytes.set_uint8 segment 14 0x65;
  Alcotest.(check string)
    "raw IPv6" "IPv6 len 40 [truncated: 40 of 48 bytes]" (shown Dissection.raw_ip);
  Bytes.set_uint8 segment 14 0x75;
  Alcotest.(check string) "IP version 7" "link type 101, 40 bytes" (shown Dissection.raw_ip)

let cases =
  let open Weir_test in
  List.map (fun (name, steps) -> Suite.case name (script steps)) scripts
  @ [
      Suite.case "who is the client" clients;
      Suite.case "a quoted segment" quoted;
      Suite.case "bounded memory" bounded;
      Suite.case "link types" link_types;
    ]
