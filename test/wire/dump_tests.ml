open Weir_wire
module Suite = Weir_test.Suite

let frame_line b =
  Format.asprintf "%a" (fun ppf b -> Dump.pp_frame ppf b ~off:0 ~len:(Bytes.length b)) b

let ethernet ?(ethertype = Ethernet.ethertype_ipv4) payload =
  let b = Bytes.create (Ethernet.length + Bytes.length payload) in
  Ethernet.emit { dst = Mac.broadcast; src = Mac.of_int 0x0200_0000_0001; ethertype } b ~off:0;
  Bytes.blit payload 0 b Ethernet.length (Bytes.length payload);
  b

let ipv4 ?(fragment_offset = 0) ?(more_fragments = false) ?(ecn = 0) protocol payload =
  let ip =
    {
      Ipv4.base with
      src = Ip.of_int 0x0a000001;
      dst = Ip.of_int 0x0a000002;
      protocol;
      dscp_ecn = ecn;
      identification = 7;
      fragment_offset;
      more_fragments;
      data_length = Bytes.length payload;
    }
  in
  let b = Bytes.create (20 + Bytes.length payload) in
  Ipv4.emit ip b ~off:0;
  Bytes.blit payload 0 b 20 (Bytes.length payload);
  b

let pseudo protocol length =
  let src = Ip.of_int 0x0a000001 and dst = Ip.of_int 0x0a000002 in
  Ip.pseudo_sum ~src ~dst ~protocol ~length

let syn =
  {
    Tcp.base with
    src_port = 1234;
    dst_port = 80;
    seq = 1;
    syn = true;
    window = 65535;
    mss = 1460;
    sack_permitted = true;
    ts_val = 1;
    window_scale = 7;
  }

let tcp t =
  let b = Bytes.create (Tcp.length t) in
  Tcp.emit t ~pseudo:(pseudo 6 (Bytes.length b)) ~data_sum:0 b ~off:0;
  b

let patched b at value =
  let b = Bytes.copy b in
  Bytes.set_uint8 b at value;
  b

let head = "02:00:00:00:00:01 > ff:ff:ff:ff:ff:ff "

let syn_line =
  "10.0.0.1:1234 > 10.0.0.2:80 TCP S seq=1 win=65535 <mss 1460,sackOK,TS 1 0,ws 7> len 0"

let icmp_about quoted =
  let b = Bytes.make (8 + Bytes.length quoted) '\000' in
  Bytes.blit quoted 0 b 8 (Bytes.length quoted);
  let data_length = Bytes.length quoted in
  Icmpv4.emit (Time_exceeded { reassembly = false; rest = 0; data_length }) b ~off:0;
  b

let lines =
  let packet = ipv4 6 (tcp syn) in
  let twelve = Bytes.make 12 '\001' in
  [
    (ethernet packet, syn_line);
    (ethernet (Bytes.cat packet (Bytes.make 6 '\000')), syn_line);
    ( ethernet (ipv4 6 (patched (tcp syn) 5 9)),
      (* seq, unsummed *)
      "10.0.0.1:1234 > 10.0.0.2:80 TCP S seq=589825 win=65535 <mss 1460,sackOK,TS 1 0,ws 7> len 0 \
       [bad checksum]" );
    ( ethernet (ipv4 6 (patched (tcp syn) 21 9)),
      "10.0.0.1 > 10.0.0.2 TCP len 40 [malformed at byte 20: option of the wrong length]" );
    ( ethernet (ipv4 6 (patched (tcp syn) 12 0x40)),
      "10.0.0.1 > 10.0.0.2 TCP len 40 [malformed at byte 12: header length below 20]" );
    (ethernet (ipv4 6 twelve), "10.0.0.1 > 10.0.0.2 TCP len 12 [truncated: 12 of 20 bytes]");
    (ethernet (ipv4 17 twelve), "10.0.0.1 > 10.0.0.2 UDP len 12 [truncated: 12 of 257 bytes]");
    ( ethernet (ipv4 17 (Hex.bytes "00 01 00 02 00 09 12 34 00")),
      "10.0.0.1:1 > 10.0.0.2:2 UDP len 1 [bad checksum]" );
    (ethernet (ipv4 1 twelve), "10.0.0.1 > 10.0.0.2 ICMP len 12 [bad checksum]");
    (ethernet (ipv4 47 twelve), "10.0.0.1 > 10.0.0.2 GRE len 12");
    (ethernet (ipv4 ~ecn:0xb9 47 twelve), "10.0.0.1 > 10.0.0.2 GRE len 12 ECT(1)");
    ( ethernet
        (ipv4 ~ecn:2 6 (tcp { Tcp.base with src_port = 1; dst_port = 2; ack = 9; cwr = true })),
      "10.0.0.1:1 > 10.0.0.2:2 TCP .W seq=0 ack=9 win=0 len 0 ECT(0)" );
    ( ethernet
        (ipv4 ~ecn:3 6 (tcp { Tcp.base with src_port = 1; dst_port = 2; ack = 9; ece = true })),
      "10.0.0.1:1 > 10.0.0.2:2 TCP .E seq=0 ack=9 win=0 len 0 CE" );
    (ethernet (ipv4 99 twelve), "10.0.0.1 > 10.0.0.2 protocol 99 len 12");
    (ethernet (ipv4 ~fragment_offset:8 6 twelve), "10.0.0.1 > 10.0.0.2 TCP fragment 7@8 len 12");
    ( ethernet (ipv4 ~more_fragments:true 17 (Bytes.create 16)),
      "10.0.0.1 > 10.0.0.2 UDP fragment 7@0+ len 16" );
    ( ethernet (ipv4 1 (icmp_about (Bytes.sub packet 0 28))),
      "10.0.0.1 > 10.0.0.2 ICMP time exceeded: ttl len 28 (10.0.0.1:1234 > 10.0.0.2:80 TCP seq=1 \
       len 40)" );
    ( ethernet (ipv4 1 (icmp_about (ipv4 ~fragment_offset:8 17 twelve))),
      "10.0.0.1 > 10.0.0.2 ICMP time exceeded: ttl len 32 (10.0.0.1 > 10.0.0.2 UDP len 12)" );
    ( ethernet (ipv4 1 (icmp_about (Bytes.sub (ipv4 6 (tcp { syn with seq = 0xffff_ffff })) 0 28))),
      "10.0.0.1 > 10.0.0.2 ICMP time exceeded: ttl len 28 (10.0.0.1:1234 > 10.0.0.2:80 TCP \
       seq=4294967295 len 40)" );
    (* 24 bytes of header leave 4 of the 8 behind it. *)
    ( ethernet (ipv4 1 (icmp_about (patched (Bytes.sub packet 0 28) 0 0x46))),
      "10.0.0.1 > 10.0.0.2 ICMP time exceeded: ttl len 28 (10.0.0.1 > 10.0.0.2 TCP len 36)" );
    ( ethernet (ipv4 1 (icmp_about (Bytes.make 28 '\xff'))),
      "10.0.0.1 > 10.0.0.2 ICMP time exceeded: ttl len 28 (malformed at byte 0: version is not 4)"
    );
    (ethernet (Bytes.sub packet 0 50), "10.0.0.1 > 10.0.0.2 TCP len 40 [truncated: 50 of 60 bytes]");
    (* Cut behind the transport's header: it is shown all the same. *)
    ( ethernet (Bytes.sub (ipv4 6 (Bytes.cat (tcp syn) (Bytes.make 100 'x'))) 0 61),
      "10.0.0.1:1234 > 10.0.0.2:80 TCP S seq=1 win=65535 <mss 1460,sackOK,TS 1 0,ws 7> len 100 \
       [truncated: 61 of 160 bytes]" );
    ( ethernet (Bytes.sub (ipv4 17 (Hex.bytes "00 01 00 02 00 0c 12 34 61 62 63 64")) 0 29),
      "10.0.0.1:1 > 10.0.0.2:2 UDP len 4 [truncated: 29 of 32 bytes]" );
    ( ethernet (Bytes.sub (ipv4 17 (Hex.bytes "00 01 00 02 00 07 12 34 61 62 63 64")) 0 29),
      "10.0.0.1 > 10.0.0.2 UDP len 12 [truncated: 29 of 32 bytes]" );
    (ethernet (Bytes.sub packet 0 19), "IPv4 len 19 [truncated: 19 of 20 bytes]");
    (ethernet (patched packet 8 1), "10.0.0.1 > 10.0.0.2 TCP len 40 [bad checksum]");
    (ethernet (patched packet 0 0x65), "IPv4 len 60 [malformed at byte 0: version is not 4]");
    ( ethernet ~ethertype:Ethernet.ethertype_arp (Bytes.make 28 '\000'),
      "ARP [malformed at byte 0: hardware is not Ethernet]" );
    ( ethernet ~ethertype:Ethernet.ethertype_ipv6 (Bytes.make 40 (Char.chr 0)),
      "IPv6 len 40 [malformed at byte 0: version is not 6]" );
    (ethernet ~ethertype:0x88cc (Bytes.make 46 '\000'), head ^ "ethertype 0x88cc len 46");
    (ethernet ~ethertype:38 (Bytes.make 46 '\000'), head ^ "802.3 length 38 len 46");
    (Bytes.make 13 'x', "Ethernet [truncated: 13 of 14 bytes]");
    (Bytes.empty, "Ethernet [truncated: 0 of 14 bytes]");
  ]

let printed () = List.iter (fun (b, want) -> Alcotest.(check string) want want (frame_line b)) lines

let inside () =
  let packet = ipv4 6 (tcp syn) in
  let b = Bytes.cat (Bytes.make 3 'x') (Bytes.cat packet (Bytes.make 3 'x')) in
  let show off len = Format.asprintf "%a" (fun ppf b -> Dump.pp_ip ppf b ~off ~len) b in
  Alcotest.(check string) "raw IP" syn_line (show 3 60);
  List.iter
    (fun (off, len) -> Alcotest.(check char) "outside" '[' (show off len).[0])
    [ (-1, 10); (0, -1); (60, 10); (max_int, 10); (10, max_int); (min_int, min_int) ]

let cases =
  [
    Suite.case "a line a packet" printed;
    Suite.native "integers that wrap around" (Suite.case "parts of a buffer" inside);
  ]
