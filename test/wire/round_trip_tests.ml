(* Random valid headers: emitted and decoded they are the same again, and no
   byte outside is touched. What tshark says of them is compared in the end. *)

open Weir_wire
open QCheck2
module Checksum = Weir_base.Checksum
module Suite = Weir_test.Suite

let u8 = Gen.int_bound 0xff
let u16 = Gen.int_bound 0xffff

(* Bounds, neighbours of bounds, anything. *)
let u32 = Gen.oneof [ Gen.oneof_list [ 0; 1; 0x7fff_ffff; 0xffff_ffff ]; Weir_test.Suite.bits 32 ]
let port = Gen.int_range 1 0xffff
let or_none g = Gen.oneof [ Gen.pure (-1); g ]
let ip4 = Gen.map Ip.of_int u32
let mac = Gen.map Mac.of_int (Weir_test.Suite.bits 48)
let data_length = Gen.oneof [ Gen.int_bound 3; Gen.int_bound 600 ]

let ethernet =
  let open Gen in
  let+ dst = mac and+ src = mac and+ ethertype = u16 in
  { Ethernet.dst; src; ethertype }

let arp =
  let open Gen in
  let+ reply = bool
  and+ sender_mac = mac
  and+ sender_ip = ip4
  and+ target_mac = mac
  and+ target_ip = ip4 in
  let operation = if reply then Arp.Reply else Request in
  { Arp.operation; sender_mac; sender_ip; target_mac; target_ip }

let ipv4 =
  let open Gen in
  let* words = oneof [ pure 0; int_bound 10 ] in
  let+ options = string_size (pure (4 * words))
  and+ src = ip4
  and+ dst = ip4
  and+ protocol = u8
  and+ ttl = u8
  and+ dscp_ecn = u8
  and+ identification = u16
  and+ dont_fragment = bool
  and+ more_fragments = bool
  and+ fragment = oneof [ pure 0; int_bound 8_000 ]
  and+ data_length = data_length in
  let fragment_offset = 8 * fragment in
  let data_length =
    if more_fragments then (data_length land lnot 7) + 8
    else if fragment > 0 then data_length + 1
    else data_length
  in
  {
    Ipv4.src;
    dst;
    protocol;
    ttl;
    dscp_ecn;
    identification;
    dont_fragment;
    more_fragments;
    fragment_offset;
    header_length = 20 + (4 * words);
    data_length;
    options;
  }

let icmpv4 =
  let open Gen in
  let echo =
    let+ identifier = u16 and+ sequence = u16 and+ data_length = data_length and+ reply = bool in
    if reply then Icmpv4.Echo_reply { identifier; sequence; data_length }
    else Echo_request { identifier; sequence; data_length }
  in
  let unreachable =
    let code =
      oneof
        [
          oneof_list Icmpv4.[ Net; Host; Protocol; Port ];
          map (fun mtu -> Icmpv4.Fragmentation_needed mtu) u16;
          map (fun code -> Icmpv4.Other_code code) (int_range 5 255);
        ]
    in
    let+ code = code and+ rest = u32 and+ more = data_length in
    let rest = match code with Fragmentation_needed _ -> rest lsr 16 | _ -> rest in
    Icmpv4.Destination_unreachable { code; rest; data_length = 28 + more }
  in
  let exceeded =
    let+ reassembly = bool and+ rest = u32 and+ more = data_length in
    Icmpv4.Time_exceeded { reassembly; rest; data_length = 28 + more }
  in
  let problem =
    let+ code = u8 and+ pointer = u8 and+ rest = int_bound 0xff_ffff and+ more = data_length in
    Icmpv4.Parameter_problem { code; pointer; rest; data_length = 28 + more }
  in
  let other =
    let+ kind = int_range 13 255 and+ code = u8 and+ rest = u32 and+ data_length = data_length in
    Icmpv4.Other { kind; code; rest; data_length }
  in
  oneof [ echo; unreachable; exceeded; problem; other ]

let udp =
  let open Gen in
  let+ src_port = u16 and+ dst_port = port and+ data_length = data_length and+ checksummed = bool in
  { Udp.src_port; dst_port; data_length; checksummed }

let tcp =
  let open Gen in
  let* mss = or_none u16
  and+ window_scale = or_none (int_bound 14)
  and+ sack_permitted = bool
  and+ user_timeout = or_none u16
  and+ ts_val = or_none u32 in
  let before =
    (if mss >= 0 then 4 else 0)
    + (if window_scale >= 0 then 4 else 0)
    + (if user_timeout >= 0 then 4 else 0)
    + if ts_val >= 0 then 12 else if sack_permitted then 4 else 0
  in
  let+ sacks = list_size (int_bound (min 4 ((36 - before) / 8))) (pair u32 u32)
  and+ ts_ecr = u32
  and+ src_port = port
  and+ dst_port = port
  and+ seq = u32
  and+ ack = or_none u32
  and+ urgent = or_none u16
  and+ bits = u8
  and+ window = u16
  and+ data_length = data_length in
  let bit n = bits land (1 lsl n) <> 0 in
  let t =
    {
      Tcp.src_port;
      dst_port;
      seq;
      ack;
      syn = bit 0;
      fin = bit 1;
      rst = bit 2;
      psh = bit 3;
      urgent;
      ece = bit 4;
      cwr = bit 5;
      window;
      mss;
      window_scale;
      sack_permitted;
      sacks;
      ts_val;
      ts_ecr = (if ts_val >= 0 then ts_ecr else 0);
      user_timeout;
      header_length = 0;
      data_length;
    }
  in
  { t with header_length = Tcp.length t }

(* [same gen ...]: a header somewhere in a buffer of random bytes. *)
let same name gen pp ~length ~data_length ~emit ~decode =
  Test.make ~name ~count:3_000
    ~print:(fun (t, _, _) -> Fmt.str "%a" pp t)
    Gen.(triple gen (int_bound 9) int)
    (fun (t, off, seed) ->
      let state = Random.State.make [| seed |] in
      let header = length t in
      let len = header + data_length t in
      let b = Bytes.init (off + len + 9) (fun _ -> Char.chr (Random.State.int state 256)) in
      let before = Bytes.copy b in
      emit t b ~off;
      let untouched at n = Bytes.sub b at n = Bytes.sub before at n in
      if not (untouched 0 off && untouched (off + header) (data_length t + 9)) then
        Test.fail_report "emit wrote outside its header";
      decode b ~off ~len = Ok t)

let pseudo = 0x1234

let emit_tcp t b ~off =
  let data_sum = Checksum.sum b ~off:(off + Tcp.length t) ~len:t.Tcp.data_length in
  Tcp.emit t ~pseudo ~data_sum b ~off

let none _ = 0

let properties =
  [
    same "Ethernet" ethernet Ethernet.pp
      ~length:(fun _ -> Ethernet.length)
      ~data_length:none ~emit:Ethernet.emit ~decode:Ethernet.decode;
    same "ARP" arp Arp.pp
      ~length:(fun _ -> Arp.length)
      ~data_length:none ~emit:Arp.emit ~decode:Arp.decode;
    same "IPv4" ipv4 Ipv4.pp ~length:Ipv4.length
      ~data_length:(fun t -> t.Ipv4.data_length)
      ~emit:Ipv4.emit ~decode:Ipv4.decode;
    same "IPv4, quoted" ipv4 Ipv4.pp ~length:Ipv4.length
      ~data_length:(fun t -> t.Ipv4.data_length)
      ~emit:Ipv4.emit
      ~decode:(fun b ~off ~len ->
        Ipv4.decode_quoted b ~off ~len:(min len (4 * (Bytes.get_uint8 b off land 15))));
    same "ICMP" icmpv4 Icmpv4.pp
      ~length:(fun _ -> Icmpv4.length)
      ~data_length:Icmpv4.data_length ~emit:Icmpv4.emit ~decode:Icmpv4.decode;
    same "UDP" udp Udp.pp
      ~length:(fun _ -> Udp.length)
      ~data_length:(fun t -> t.Udp.data_length)
      ~emit:(Udp.emit ~pseudo) ~decode:(Udp.decode ~pseudo);
    same "TCP" tcp Tcp.pp ~length:Tcp.length
      ~data_length:(fun t -> t.Tcp.data_length)
      ~emit:emit_tcp ~decode:(Tcp.decode ~pseudo);
  ]

let cases = List.map Suite.qcheck properties
