(* A router between two links: what it forwards, what it tells, what it drops. *)

open Weir_base
open Weir_wire
open Weir_core
open Net
module Tcp = Weir_wire.Tcp
module Suite = Weir_test.Suite

let address = Ipaddr.of_string_exn
let prefix = Ipaddr.Prefix.of_string_exn
let neighbour = mac 9

(* 10.1.0.1/24, and 10.2.0.1/24 on a link with an MTU of 600; hosts .9 and .8 are known. *)
type router = { stack : Stack.t; pool : Frame.pool; mutable now : Time.t }

let arp r ~interface ip =
  let b = Frame.alloc r.pool in
  let own = Stack.interface r.stack interface in
  Ethernet.emit { dst = own.mac; src = neighbour; ethertype = Ethernet.ethertype_arp } b.data ~off:0;
  let is_v4 (a : Interface.address) = Ip.is_v4 a.ip in
  let own_ip = (Option.get (Array.find_opt is_v4 own.addresses)).ip in
  Arp.emit
    {
      operation = Request;
      sender_mac = neighbour;
      sender_ip = ip;
      target_mac = own.mac;
      target_ip = own_ip;
    }
    b.data ~off:14;
  Frame.set b ~off:0 ~len:(14 + Arp.length);
  Stack.input r.stack ~now:r.now ~interface b;
  Frame.release b

(* The packets that leave, with their interface. *)
let sent r =
  let rec go all =
    let f = Frame.alloc r.pool in
    let i = Stack.transmit r.stack ~now:r.now f in
    if i < 0 then (
      Frame.release f;
      List.rev all)
    else
      let b = Bytes.sub f.data f.off f.len in
      let partial = f.checksum = Partial in
      Frame.release f;
      if partial then ignore (Transport.complete b ~off:0 ~len:(Bytes.length b) : bool);
      if Ethernet.get_ethertype b ~off:0 = Ethernet.ethertype_arp then go all
      else go ((i, Bytes.sub b 14 (Bytes.length b - 14)) :: all)
  in
  go []

let router ?(forwards = true) () =
  let stack = host () in
  Stack.remove_address stack (Stack.interface stack 0) (address "10.0.0.1");
  Stack.add_address stack (Stack.interface stack 0) (prefix "10.1.0.1/24");
  let second = Stack.add_interface stack ~mac:(mac 2) ~mtu:600 in
  Stack.add_address stack second (prefix "10.2.0.1/24");
  Stack.set_forwarding stack forwards;
  let r = { stack; pool = Frame.pool ~size:66_000 (); now = 0 } in
  List.iter (fun (interface, a) -> arp r ~interface (ip a)) [ (0, "10.1.0.9"); (1, "10.2.0.9") ];
  ignore (sent r);
  r

let base =
  { Ipv4.base with src = ip "10.1.0.9"; dst = ip "10.2.0.9"; protocol = Ipv4.protocol_udp; ttl = 7 }

let udp_packet ?(data = 100) (h : Ipv4.t) =
  let length = Udp.length + data in
  let h = { h with data_length = length } in
  let at = Ipv4.length h in
  let b = bytes (at + length) (fun i -> i * 7) in
  Ipv4.emit h b ~off:0;
  (if h.protocol = Ipv4.protocol_udp && not (Ipv4.is_fragment h) then
     let pseudo = Ip.pseudo_sum ~src:h.src ~dst:h.dst ~protocol:h.protocol ~length in
     Udp.emit
       { src_port = 5; dst_port = 6; data_length = data; checksummed = true }
       ~pseudo b ~off:at);
  b

let give ?(interface = 0) ?(broadcast = false) ?(checksum = Frame.Unverified) ?(segment_size = 0) r
    b =
  let f = Frame.alloc r.pool in
  let own = Stack.interface r.stack interface in
  let dst = if broadcast then Mac.broadcast else own.mac in
  Ethernet.emit { dst; src = neighbour; ethertype = Ethernet.ethertype_ipv4 } f.data ~off:0;
  Bytes.blit b 0 f.data 14 (Bytes.length b);
  Frame.set f ~off:0 ~len:(14 + Bytes.length b);
  Frame.set_checksum f checksum;
  Frame.set_segment_size f segment_size;
  Stack.input r.stack ~now:r.now ~interface f;
  Frame.release f;
  sent r

let header b =
  match Ipv4.decode b ~off:0 ~len:(Bytes.length b) with
  | Ok h -> h
  | Error e -> Alcotest.failf "%a" Weir_wire.Error.pp e

let check_int = Alcotest.(check int)
let check_bool = Alcotest.(check bool)

let forwards () =
  let r = router () and b = udp_packet base in
  match give r b with
  | [ (1, out) ] ->
      let h = header out in
      check_int "TTL" 6 h.ttl;
      Bytes.set_uint8 out 8 7;
      Bytes.blit b 10 out 10 2;
      check_bool "nothing else has changed" true (Bytes.equal b out);
      check_int "counted" 1 (Stack.counters r.stack).ip_forwarded
  | l -> Alcotest.failf "%d packets" (List.length l)

let off () =
  let r = router ~forwards:false () in
  check_int "a host does not" 0 (List.length (give r (udp_packet base)));
  check_int "counted" 1 (Stack.counters r.stack).ip_in_not_ours

let told what want r b =
  match give r b with
  | [ (0, out) ] -> (
      let h = header out in
      check_bool (what ^ ": to the sender") true
        (Ip.equal h.dst base.src && Ip.equal h.src (ip "10.1.0.1"));
      match Icmpv4.decode out ~off:h.header_length ~len:h.data_length with
      | Ok m ->
          Alcotest.(check string) what want (Fmt.str "%a" Icmpv4.pp_what m);
          let quote = Bytes.sub out (h.header_length + 8) 28 in
          check_bool (what ^ ": it is quoted") true (Bytes.equal quote (Bytes.sub b 0 28))
      | Error e -> Alcotest.failf "%s: %a" what Weir_wire.Error.pp e)
  | l -> Alcotest.failf "%s: %d packets" what (List.length l)

let text e = Fmt.str "%a" Icmpv4.pp_what e
let unreachable code = text (Destination_unreachable { code; rest = 0; data_length = 0 })

let errors () =
  let exceeded = text (Time_exceeded { reassembly = false; rest = 0; data_length = 0 }) in
  told "TTL 1" exceeded (router ()) (udp_packet { base with ttl = 1 });
  told "TTL 0" exceeded (router ()) (udp_packet { base with ttl = 0 });
  told "no route" (unreachable Net) (router ()) (udp_packet { base with dst = ip "10.3.0.9" });
  told "too long"
    (unreachable (Fragmentation_needed 600))
    (router ())
    (udp_packet ~data:900 { base with dont_fragment = true })

let no_error_about () =
  let silent what h = check_int what 0 (List.length (give (router ()) (udp_packet h))) in
  silent "a later fragment" { base with ttl = 1; fragment_offset = 80 };
  silent "an ICMP error" { base with ttl = 1; protocol = Ipv4.protocol_icmp };
  silent "an invalid source" { base with ttl = 1; src = ip "10.1.0.255" }

let host_unreachable () =
  let r = router () in
  check_int "it waits for ARP" 0
    (List.length (give r (udp_packet { base with dst = ip "10.2.0.77" })));
  let rec wait n =
    if n = 0 || Stack.deadline r.stack = Time.never then Alcotest.fail "no error"
    else (
      r.now <- Stack.deadline r.stack;
      Stack.tick r.stack ~now:r.now;
      match sent r with
      | [] -> wait (n - 1)
      | [ (0, out) ] ->
          let h = header out in
          check_bool "unreachable: host" true
            (match Icmpv4.decode out ~off:20 ~len:h.data_length with
            | Ok (Destination_unreachable { code = Host; _ }) -> true
            | _ -> false)
      | l -> Alcotest.failf "%d packets" (List.length l))
  in
  wait 20

let fragments () =
  let r = router () in
  let b = udp_packet ~data:1_300 { base with identification = 77 } in
  let out = give r b in
  check_int "fragments" 3 (List.length out);
  let whole = Bytes.make (Bytes.length b - 20) '\000' in
  List.iter
    (fun (i, f) ->
      let h = header f in
      check_int "by" 1 i;
      check_int "TTL" 6 h.ttl;
      check_int "identification" 77 h.identification;
      check_bool "short enough" true (Bytes.length f <= 600);
      Bytes.blit f 20 whole h.fragment_offset h.data_length)
    out;
  check_bool "the same data" true (Bytes.equal whole (Bytes.sub b 20 (Bytes.length b - 20)));
  (* A fragment in fragments. *)
  let part = udp_packet ~data:1_000 { base with fragment_offset = 1_304; more_fragments = true } in
  let offsets = List.map (fun (_, f) -> (header f).fragment_offset) (give r part) in
  Alcotest.(check (list int)) "offsets" [ 1_304; 1_880 ] offsets

let dropped () =
  let silent ?broadcast what h =
    let r = router () in
    check_int what 0 (List.length (give ?broadcast r (udp_packet h)));
    check_int (what ^ ": not forwarded") 0 (Stack.counters r.stack).ip_forwarded
  in
  silent ~broadcast:true "by link broadcast" base;
  List.iter
    (fun dst -> silent ("to " ^ dst) { base with dst = ip dst })
    [
      "10.2.0.255";
      "255.255.255.255";
      "224.0.0.5";
      "240.0.0.1";
      "127.0.0.1";
      "0.0.0.1";
      "169.254.1.1";
    ];
  List.iter
    (fun src -> silent ("from " ^ src) { base with src = ip src })
    [
      "10.2.0.255";
      "255.255.255.255";
      "224.0.0.5";
      "127.0.0.1";
      "0.0.0.0";
      "10.2.0.1";
      "169.254.1.1";
    ];
  silent "loose source route" { base with options = "\131\007\004\010\002\000\009\000" };
  silent "strict source route" { base with options = "\001\137\007\004\010\002\000\009" };
  let r = router () in
  check_int "another option goes through" 1
    (List.length (give r (udp_packet { base with options = "\148\004\000\000" })))

(* Half of the queue, whatever comes; the rest is the router's own. *)
let bounded () =
  let r = router () in
  let f = Frame.alloc r.pool and b = udp_packet base in
  Ethernet.emit
    { dst = (Stack.interface r.stack 0).mac; src = neighbour; ethertype = Ethernet.ethertype_ipv4 }
    f.data ~off:0;
  Bytes.blit b 0 f.data 14 (Bytes.length b);
  Frame.set f ~off:0 ~len:(14 + Bytes.length b);
  for _ = 1 to 5_000 do
    Stack.input r.stack ~now:0 ~interface:0 f
  done;
  check_int "waiting" Control_queue.longest_forwarded (List.length (sent r));
  check_int "dropped"
    (5_000 - Control_queue.longest_forwarded)
    (Stack.counters r.stack).ip_forward_dropped

(* A long frame of TCP is cut; what a device has verified gets a checksum again. *)
let offloaded () =
  let data = 3_000 in
  let h = { Tcp.base with src_port = 5; dst_port = 6; seq = 100; ack = 9; window = 10 } in
  let length = Tcp.length h + data in
  let ip4 = { base with protocol = Ipv4.protocol_tcp; data_length = length } in
  let b = bytes (20 + length) (fun i -> i * 3) in
  Ipv4.emit ip4 b ~off:0;
  let pseudo = Ip.pseudo_sum ~src:ip4.src ~dst:ip4.dst ~protocol:6 ~length in
  let data_sum = Checksum.sum b ~off:(20 + Tcp.length h) ~len:data in
  Tcp.emit h ~pseudo ~data_sum b ~off:20;
  let out = give (router ()) b ~checksum:Verified ~segment_size:500 in
  check_int "segments" 6 (List.length out);
  let right (_, s) =
    let h = header s in
    Checksum.finish
      (Checksum.add
         (Ip.pseudo_sum ~src:h.src ~dst:h.dst ~protocol:6 ~length:h.data_length)
         (Checksum.sum s ~off:20 ~len:h.data_length))
    = 0
  in
  check_bool "checksums" true (List.for_all right out);
  let b = Bytes.sub b 0 (20 + Tcp.length h) in
  Ipv4.emit { ip4 with data_length = Tcp.length h } b ~off:0;
  Bytes.set_uint16_be b 36 0xdead;
  check_bool "verified, without a checksum" true
    (List.for_all right (give (router ()) b ~checksum:Verified))

(* Whatever comes, nothing that leaves is malformed, and nothing raises. *)
let garbage () =
  let random = Random.State.make [| 5 |] in
  let r = router () in
  for _ = 1 to Suite.iterations 20_000 do
    let b =
      udp_packet ~data:(Random.State.int random 1_400)
        { base with dont_fragment = Random.State.bool random }
    in
    for _ = 0 to Random.State.int random 3 do
      Bytes.set_uint8 b
        (Random.State.int random (Int.min 40 (Bytes.length b)))
        (Random.State.int random 256)
    done;
    (* With a right checksum more gets through. *)
    let words = Int.min (Bytes.length b) (4 * (Bytes.get_uint8 b 0 land 15)) in
    if words >= 20 then (
      Bytes.set_uint16_be b 10 0;
      Bytes.set_uint16_be b 10 (Checksum.finish (Checksum.sum b ~off:0 ~len:words)));
    let checksum : Frame.checksum =
      match Random.State.int random 3 with 0 -> Verified | 1 -> Partial | _ -> Unverified
    in
    let segment_size =
      if Random.State.int random 4 = 0 then 1 + Random.State.int random 600 else 0
    in
    List.iter (fun (_, out) -> ignore (header out)) (give r b ~checksum ~segment_size)
  done

let cases =
  [
    Suite.case "a packet, its TTL one less" forwards;
    Suite.case "a host does not forward" off;
    Suite.case "errors to the sender" errors;
    Suite.case "no errors about errors" no_error_about;
    Suite.case "a next host that does not answer" host_unreachable;
    Suite.case "fragments" fragments;
    Suite.case "what is never forwarded" dropped;
    Suite.case "a bounded queue" bounded;
    Suite.case "frames with offloads" offloaded;
    Suite.case "garbage" garbage;
  ]
