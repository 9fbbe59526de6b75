open Weir_wire
module Checksum = Weir_base.Checksum
module Suite = Weir_test.Suite

let malformed at what = Error.Malformed { at; what }
let printed pp x = Fmt.str "%a" pp x
let check = Alcotest.(check string)
let frame = "ff ff ff ff ff ff 02 00 00 00 00 01 "

let ethernet () =
  let decode hex =
    let b = Hex.bytes hex in
    Hex.ok hex (Ethernet.decode b ~off:0 ~len:(Bytes.length b))
  in
  check "ARP" "02:00:00:00:00:01 > ff:ff:ff:ff:ff:ff ethertype 0x0806"
    (printed Ethernet.pp (decode (frame ^ "08 06")));
  check "802.3" "02:00:00:00:00:01 > ff:ff:ff:ff:ff:ff 802.3 length 38"
    (printed Ethernet.pp (decode (frame ^ "00 26 00")))

let request = "00 01 08 00 06 04 00 01 02 00 00 00 00 01 0a 00 00 01 00 00 00 00 00 00 0a 00 00 02"

let patched hex at value =
  let b = Hex.bytes hex in
  Bytes.set_uint8 b at value;
  b

let arp () =
  let decode b = Arp.decode b ~off:0 ~len:(Bytes.length b) in
  let fails name at value want =
    match decode (patched request at value) with
    | Ok _ -> Alcotest.failf "%s: decoded" name
    | Error e -> Alcotest.check Hex.error name want e
  in
  fails "hardware" 1 6 (malformed 0 "hardware is not Ethernet");
  fails "protocol" 3 1 (malformed 2 "protocol is not IPv4");
  fails "hardware length" 4 8 (malformed 4 "address lengths are not 6 and 4");
  fails "protocol length" 5 16 (malformed 4 "address lengths are not 6 and 4");
  fails "no operation" 7 0 (malformed 6 "neither a request nor a reply");
  fails "RARP" 7 3 (malformed 6 "neither a request nor a reply");
  let padded = Hex.ok "padded" (decode (Hex.bytes (request ^ " 00 00 00 00 00"))) in
  check "request" "ARP who-has 10.0.0.2 tell 10.0.0.1" (printed Arp.pp padded);
  check "announcement" "ARP announce 10.0.0.1"
    (printed Arp.pp { padded with target_ip = padded.sender_ip });
  check "reply" "ARP 10.0.0.1 is-at 02:00:00:00:00:01"
    (printed Arp.pp { padded with operation = Reply })

(* A header with its checksum put right, so that the field before it is judged. *)
let summed hex =
  let b = Hex.bytes hex in
  let header = min (Bytes.length b) (4 * (Bytes.get_uint8 b 0 land 15)) in
  Bytes.set_uint16_be b 10 0;
  Bytes.set_uint16_be b 10 (Checksum.finish (Checksum.sum b ~off:0 ~len:header));
  b

let ends = "0a 00 00 01 0a 00 00 02 "
let eight = "01 02 03 04 05 06 07 08"

(* [flags] are the sixth to eighth byte's 16 bits. *)
let fragment ?(total = "00 1c") ?(data = eight) flags =
  "45 00 " ^ total ^ " 12 34 " ^ flags ^ " 40 11 00 00 " ^ ends ^ data

let ipv4 () =
  let decode b = Ipv4.decode b ~off:0 ~len:(Bytes.length b) in
  let fails name hex want =
    match decode (summed hex) with
    | Ok _ -> Alcotest.failf "%s: decoded" name
    | Error e -> Alcotest.check Hex.error name want e
  in
  let takes name hex = Hex.ok name (decode (summed hex)) in
  let plain = fragment "40 00" in
  check "plain" "10.0.0.1 > 10.0.0.2 protocol 17 ttl 64 DF len 8"
    (printed Ipv4.pp (takes "plain" plain));
  fails "IPv6"
    ("65" ^ String.sub plain 2 (String.length plain - 2))
    (malformed 0 "version is not 4");
  fails "short header"
    ("44" ^ String.sub plain 2 (String.length plain - 2))
    (malformed 0 "header length below 20");
  fails "long header"
    ("4f" ^ String.sub plain 2 (String.length plain - 2))
    (Truncated { need = 60; have = 28 });
  fails "total below header" (fragment ~total:"00 13" "00 00")
    (malformed 2 "total length below the header's");
  fails "total beyond the bytes" (fragment ~total:"00 1d" "00 00")
    (Truncated { need = 29; have = 28 });
  fails "reserved flag" (fragment "80 00") (malformed 6 "the reserved flag is set");
  fails "empty first fragment" (fragment ~total:"00 14" "20 00") (malformed 6 "empty fragment");
  fails "empty last fragment" (fragment ~total:"00 14" "00 05") (malformed 6 "empty fragment");
  fails "odd fragment" (fragment ~total:"00 1b" "20 00")
    (malformed 6 "a fragment that is not the last has a length that is not a multiple of 8");
  let twelve = eight ^ " 09 0a 0b 0c" in
  fails "a fragment and a half"
    (fragment ~total:"00 20" ~data:twelve "20 00")
    (malformed 6 "a fragment that is not the last has a length that is not a multiple of 8");
  let full = takes "65,535 bytes" (fragment ~total:"00 1f" ~data:twelve "1f fc") in
  Alcotest.(check int) "offset" 65_504 full.fragment_offset;
  Alcotest.(check int) "end" 65_535 (20 + full.fragment_offset + full.data_length);
  fails "a byte too many"
    (fragment ~total:"00 20" ~data:twelve "1f fc")
    (malformed 6 "fragment ends beyond byte 65535");
  fails "far too many" (fragment "1f ff") (malformed 6 "fragment ends beyond byte 65535");
  let bad = summed plain in
  Bytes.set_uint8 bad 8 63;
  Alcotest.(check bool) "checksum" true (decode bad = Error Bad_checksum);
  let padded = Bytes.cat (summed plain) (Bytes.make 18 '\000') in
  Alcotest.(check int) "padding is not data" 8 (Hex.ok "padded" (decode padded)).data_length

let quoted () =
  let b = summed (fragment ~total:"05 dc" "40 00") in
  Bytes.set_uint8 b 8 1;
  let decode b = Ipv4.decode_quoted b ~off:0 ~len:(Bytes.length b) in
  let ip = Hex.ok "cut, changed on its way" (decode b) in
  Alcotest.(check int) "its length, not ours" 1480 ip.data_length;
  Bytes.set_uint8 b 0 0x4f;
  Alcotest.(check bool) "header cut" true (decode b = Error (Truncated { need = 60; have = 28 }));
  Bytes.set_uint8 b 0 0x60;
  Alcotest.(check bool) "version" true (Result.is_error (decode b))

let udp () =
  let decode = Udp.decode ~pseudo:(-1) in
  Hex.fails "length below 8" decode "00 01 00 02 00 07 00 00" (malformed 4 "length below 8");
  Hex.fails "port 0" decode "00 01 00 00 00 08 00 00" (malformed 2 "destination port 0");
  Hex.fails "length beyond" decode "00 01 00 02 00 09 00 00" (Truncated { need = 9; have = 8 });
  Hex.fails "checksum" (Udp.decode ~pseudo:0) "00 01 00 02 00 08 12 34" Bad_checksum;
  (* Three bytes of padding inside the IP payload: the pseudo header counts 11. *)
  let src = Ip.of_int 0x0a000001 and dst = Ip.of_int 0x0a000002 in
  let b = Bytes.make 11 '\xee' in
  let pseudo length = Ip.pseudo_sum ~src ~dst ~protocol:Ipv4.protocol_udp ~length in
  let sent = { Udp.src_port = 0; dst_port = 53; data_length = 0; checksummed = true } in
  Udp.emit sent ~pseudo:(pseudo 8) b ~off:0;
  let got = Hex.ok "padded" (Udp.decode ~pseudo:(pseudo 11) b ~off:0 ~len:11) in
  Alcotest.(check bool) "as sent" true (got = sent);
  check "pp" "UDP 0 > 53, 0 bytes" (printed Udp.pp got)

(* RFC 768: a sum of 0 is sent as 0xffff, since 0 says that there is none. *)
let udp_zero_sum () =
  let src = Ip.any and dst = Ip.any in
  let pseudo = Ip.pseudo_sum ~src ~dst ~protocol:Ipv4.protocol_udp ~length:10 in
  let t = { Udp.src_port = 1; dst_port = 1; data_length = 2; checksummed = true } in
  let b = Bytes.make 10 '\000' in
  Udp.emit t ~pseudo b ~off:0;
  (* The data that bring the sum to 0xffff are the checksum of the rest. *)
  Bytes.set_uint16_be b 8 (Bytes.get_uint16_be b 6);
  Udp.emit t ~pseudo b ~off:0;
  Alcotest.(check int) "field" 0xffff (Bytes.get_uint16_be b 6);
  Alcotest.(check bool) "decoded" true (Udp.decode ~pseudo b ~off:0 ~len:10 = Ok t)

let errors () =
  check "truncated" "truncated: 3 of 8 bytes" (printed Error.pp (Truncated { need = 8; have = 3 }));
  check "checksum" "bad checksum" (printed Error.pp Bad_checksum);
  check "malformed" "malformed at byte 4: why" (printed Error.pp (malformed 4 "why"))

let cases =
  [
    Suite.case "Ethernet" ethernet;
    Suite.case "ARP" arp;
    Suite.case "IPv4" ipv4;
    Suite.case "IPv4 quoted in an error" quoted;
    Suite.case "UDP" udp;
    Suite.case "UDP sum of 0" udp_zero_sum;
    Suite.case "errors printed" errors;
  ]
