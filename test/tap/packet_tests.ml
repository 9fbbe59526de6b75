open Weir_link
open Weir_tap
open Weir_test
module Packet = Weir_packet.Packet

let check = Alcotest.(check int)
let message e = Fmt.str "%a" Error.pp e

let error what want = function
  | Ok _ -> Alcotest.failf "%s: no error" what
  | Error e -> Alcotest.(check string) what want (message e)

let errors kind () =
  let open_ name = Station.open_card kind name in
  Station.needed kind;
  error "a name that cannot be" {|"a b" cannot be an interface's name: it has a space, a control character, a slash or a colon|}
    (open_ "a b");
  error "nobody's name" "there is no interface none0: `ip link` lists the interfaces" (open_ "none0");
  error "no Ethernet"
    "lo carries no Ethernet frames: take a network card, or an end of a veth pair" (open_ "lo")
  [@@ocamlformat "disable"]

(* What [f] says in a process of an ordinary user's. *)
let as_nobody f =
  let input, output = Unix.pipe ~cloexec:true () in
  match Unix.fork () with
  | 0 ->
      let said = try Unix.setuid 65_534; f () with e -> Printexc.to_string e in
      ignore (Unix.write_substring output said 0 (String.length said) : int);
      Unix._exit 0
  | pid ->
      Unix.close output;
      let said = In_channel.input_all (Unix.in_channel_of_descr input) in
      ignore (Unix.waitpid [] pid);
      said
  [@@ocamlformat "disable"]

let without_permission () =
  Netns.needs_root ();
  Station.with_card Packet (fun _ ->
      let said =
        as_nobody (fun () ->
            match Packet.open_ "pack0" with Ok _ -> "no error" | Error e -> message e)
      in
      Alcotest.(check string)
        "what to do"
        "not permitted to open a packet socket on pack0: it needs root or CAP_NET_RAW; try `sudo`, \
         or let root give it to the program once: `setcap cap_net_raw+ep PROGRAM`"
        said)

(* -- which frames come ----------------------------------------------------- *)

let send_frames = {|
import socket, sys
s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
s.bind(("kern0", 0))
def frame(dst, text, kind="88b5"):
    s.send(bytes.fromhex(dst + "020000000009" + kind) + text.encode().ljust(46, b"\0"))
|}
  [@@ocamlformat "disable"]

let text (f : Frame.t) =
  if Weir_wire.Ethernet.get_ethertype f.data ~off:f.off <> 0x88b5 then None
  else
    let s = Bytes.sub_string f.data (f.off + 14) (f.len - 14) in
    Some (List.hd (String.split_on_char '\000' s))

let mac = Macaddr.of_string_exn "02:00:00:00:00:02"

let frames =
  send_frames
  ^ {|
frame("020000000003", "another's")
frame("020000000002", "a VLAN's", "8100000588b5")
frame("020000000002", "ours")
frame("020000000102", "almost ours")
frame("ffffffffffff", "everyone's")
frame("01005e000001", "a group's")
|}

(* Frames for groups may come after later ones. *)
let rec texts (packet : Packet.t) found =
  let f = packet#receive ~now:0 in
  if f == Frame.none then
    if Station.readable (packet :> Link.t) ~seconds:0.1 then texts packet found
    else List.sort compare found
  else
    let found = Option.fold (text f) ~none:found ~some:(fun s -> s :: found) in
    Frame.release f;
    texts packet found

let for_an_address kind () =
  Station.with_card kind ~mac (fun packet ->
      Station.python frames;
      Alcotest.(check (list string))
        "its own, and groups'"
        [ "a group's"; "everyone's"; "ours" ]
        (texts packet []))

let promiscuous kind () =
  Station.with_card kind (fun packet ->
      Station.python frames;
      Alcotest.(check (list string))
        "all but VLANs'"
        [ "a group's"; "almost ours"; "another's"; "everyone's"; "ours" ]
        (texts packet []))

(* Nor what this machine sends by the same interface. *)
let own_frames kind () =
  Station.with_card kind (fun packet ->
      let device = (packet :> Weir_link_unix.Device.t) in
      for _ = 1 to 5 do
        packet#send ~now:0 (Station.udp device ~port:5_000 "sent")
      done;
      packet#flush;
      Station.python (send_frames ^ {|frame("020000000002", "last")|});
      Station.receive device (fun f ->
          let src = Weir_wire.Mac.get f.data (f.off + 6) in
          if Weir_wire.Mac.equal src Station.own_mac then Alcotest.fail "our own frame";
          if text f = Some "last" then Some () else None))

(* -- carrier --------------------------------------------------------------- *)

let carrier kind () =
  Station.with_card kind (fun packet ->
      let is what b = Alcotest.(check bool) what b packet#carrier in
      let readable () = Station.readable (packet :> Link.t) ~seconds:1. in
      is "at first" true;
      Station.get (Interface.set_down "pack0");
      Alcotest.(check bool) "its user is woken" true (readable ());
      Alcotest.(check bool) "nothing" true (packet#receive ~now:0 == Frame.none);
      is "down" false;
      Alcotest.(check bool) "not gone" false packet#is_gone;
      Alcotest.(check bool)
        "not woken again" false
        (Station.readable (packet :> Link.t) ~seconds:0.05);
      Station.get (Interface.set_up "pack0");
      packet#send ~now:0 (Station.udp (packet :> Weir_link_unix.Device.t) ~port:9 "x");
      is "up again" true;
      packet#close;
      is "closed" false)

let opened_down kind () =
  let open_ ?up () = Station.get (Station.open_card kind ?up "pack0") in
  Station.with_card kind (fun first ->
      first#close;
      Station.get (Interface.set_down "pack0");
      let packet = open_ ~up:false () in
      Alcotest.(check bool) "nothing" true (packet#receive ~now:0 == Frame.none);
      Alcotest.(check bool) "no carrier" false packet#carrier;
      packet#close;
      packet#close;
      let packet = open_ () in
      Alcotest.(check bool) "brought up" true (Station.get (Interface.is_up "pack0"));
      packet#close)

(* -- what is lost ---------------------------------------------------------- *)

let full kind () =
  Station.with_card kind (fun packet ->
      let n = 30_000 in
      Station.python
        (send_frames ^ Printf.sprintf {|for _ in range(%d): frame("020000000002", "x" * 1400)|} n);
      let rec drain got =
        let f = packet#receive ~now:0 in
        if f == Frame.none then got
        else (
          Frame.release f;
          drain (got + 1))
      in
      let got = drain 0 in
      let lost = packet#stats.rx_dropped in
      if lost = 0 then Alcotest.fail "nothing was lost";
      (* ARP's may be among them. *)
      if got + lost < n || got + lost > n + 10 then
        Alcotest.failf "%d frames came, %d were lost, of %d" got lost n;
      check "told once" lost packet#stats.rx_dropped;
      packet#close;
      check "and kept" lost packet#stats.rx_dropped)

(* UDP_SEGMENT: the kernel sends 16 datagrams as one frame, which a veth does
   not cut. *)
let datagrams () =
  Station.with_card Packet ~offload:true (fun packet ->
      let device = (packet :> Weir_link_unix.Device.t) in
      Station.python
        {|
import socket
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
try: s.setsockopt(socket.IPPROTO_UDP, 103, 1000)
except OSError: pass
s.sendto(b"".join(bytes([65 + i]) * 1000 for i in range(15)) + b"end", ("10.9.0.255", 9))
|};
      for i = 0 to 15 do
        let want = if i = 15 then "end" else String.make 1_000 (Char.chr (65 + i)) in
        Alcotest.(check string)
          "a datagram" want
          (Station.receive device (Station.udp_payload ~port:9))
      done;
      check "none is lost" 0 packet#stats.rx_dropped)

(* The kernel's TCP sends frames of 64 KB, with the size of their segments. *)
let long_frames () =
  Station.with_card Packet ~offload:false (fun packet ->
      let device = (packet :> Weir_link_unix.Device.t) in
      let way = Link.(packet#capabilities.receive.v4) in
      Alcotest.(check bool) "may be received" true (way.checksum && way.longest = Link.longest_frame);
      check "not sent" 0 packet#capabilities.send.v4.longest;
      Station.python
        (send_frames
       ^ {|
import struct
s.setsockopt(263, 15, 1)  # PACKET_VNET_HDR
data = 20000
ip = struct.pack(">BBHHHBBHII", 0x45, 0, 40 + data, 1, 0x4000, 64, 6, 0, 0x0a090001, 0x0a090002)
tcp = struct.pack(">HHIIBBHHH", 4000, 5000, 1, 1, 0x50, 0x10, 1000, 0, 0)
header = struct.pack("<BBHHHH", 1, 1, 54, 1448, 34, 16)
s.send(header + bytes.fromhex("0200000000020200000000090800") + ip + tcp + b"x" * data)
|}
        );
      Station.receive device (fun f ->
          if f.len < 20_000 then None
          else (
            check "length" (14 + 40 + 20_000) f.len;
            check "segments" 1_448 f.segment_size;
            Alcotest.(check bool) "partial" true (f.checksum = Partial);
            Some ())))

let over kind =
  [
    Suite.case "what cannot be opened" (errors kind);
    Suite.case "frames for one address" (for_an_address kind);
    Suite.case "frames for all" (promiscuous kind);
    Suite.case "not its own frames" (own_frames kind);
    Suite.case "carrier" (carrier kind);
    Suite.case "opened while down" (opened_down kind);
    Suite.case "frames lost are counted" (full kind);
  ]

let cases =
  over Packet
  @ [
      Suite.case "without permission" without_permission;
      Suite.case "datagrams that come as one" datagrams;
      Suite.case "frames of many segments" long_frames;
    ]
