open Weir_wire
module Checksum = Weir_base.Checksum
module Suite = Weir_test.Suite

let quote = " 45 00 00 1c 00 00 00 00 40 11 66 ce 0a 00 00 01 0a 00 00 02 00 07 00 09 00 08 00 00"

let summed hex =
  let b = Hex.bytes hex in
  Bytes.set_uint16_be b 2 0;
  Bytes.set_uint16_be b 2 (Checksum.finish (Checksum.sum b ~off:0 ~len:(Bytes.length b)));
  b

let unreachable code rest = Icmpv4.Destination_unreachable { code; rest; data_length = 28 }

(* Type, code and second word; what they are; how that is printed. *)
let table =
  [
    ( "08 00 00 00 12 34 00 05",
      Icmpv4.Echo_request { identifier = 0x1234; sequence = 5; data_length = 0 },
      "ICMP echo request id=4660 seq=5 len 0" );
    ( "00 00 00 00 ff ff ff ff aa bb cc",
      Echo_reply { identifier = 0xffff; sequence = 0xffff; data_length = 3 },
      "ICMP echo reply id=65535 seq=65535 len 3" );
    ("03 00 00 00 00 00 00 00" ^ quote, unreachable Net 0, "ICMP unreachable: net len 28");
    ("03 01 00 00 00 00 00 00" ^ quote, unreachable Host 0, "ICMP unreachable: host len 28");
    ("03 02 00 00 00 00 00 00" ^ quote, unreachable Protocol 0, "ICMP unreachable: protocol len 28");
    (* RFC 4884: the quote's length in words, in the second byte. *)
    ("03 03 00 00 00 07 00 00" ^ quote, unreachable Port 0x70000, "ICMP unreachable: port len 28");
    ( "03 04 00 00 00 07 05 dc" ^ quote,
      unreachable (Fragmentation_needed 1500) 7,
      "ICMP unreachable: fragmentation needed, mtu 1500 len 28" );
    ( "03 0d 00 00 01 02 03 04" ^ quote,
      unreachable (Other_code 13) 0x01020304,
      "ICMP unreachable: code 13 len 28" );
    ( "0b 00 00 00 00 00 00 00" ^ quote,
      Time_exceeded { reassembly = false; rest = 0; data_length = 28 },
      "ICMP time exceeded: ttl len 28" );
    ( "0b 01 00 00 00 00 00 00" ^ quote,
      Time_exceeded { reassembly = true; rest = 0; data_length = 28 },
      "ICMP time exceeded: reassembly len 28" );
    ( "0b 02 00 00 00 00 00 00" ^ quote,
      Other { kind = 11; code = 2; rest = 0; data_length = 28 },
      "ICMP type 11 code 2 len 28" );
    ( "0c 00 00 00 ff 00 00 09" ^ quote,
      Parameter_problem { code = 0; pointer = 255; rest = 9; data_length = 28 },
      "ICMP parameter problem: code 0 at byte 255 len 28" );
    ( "05 01 00 00 0a 00 00 fe" ^ quote,
      Other { kind = 5; code = 1; rest = 0x0a0000fe; data_length = 28 },
      "ICMP type 5 code 1 len 28" );
    ( "08 01 00 00 00 00 00 00",
      Other { kind = 8; code = 1; rest = 0; data_length = 0 },
      "ICMP type 8 code 1 len 0" );
    ( "ff ff 00 00 ff ff ff ff",
      Other { kind = 255; code = 255; rest = 0xffff_ffff; data_length = 0 },
      "ICMP type 255 code 255 len 0" );
  ]

let decode b = Icmpv4.decode b ~off:0 ~len:(Bytes.length b)

let both_ways () =
  List.iter
    (fun (hex, want, line) ->
      let b = summed hex in
      let t = Hex.ok hex (decode b) in
      if t <> want then Alcotest.failf "%s is %a" hex Icmpv4.pp t;
      Alcotest.(check string) "printed" line (Fmt.str "%a" Icmpv4.pp t);
      let again = Bytes.copy b in
      Bytes.fill again 0 8 '\xa5';
      Icmpv4.emit t again ~off:0;
      Alcotest.(check bytes) hex b again)
    table

let refused () =
  let cut = String.sub quote 0 (String.length quote - 3) in
  let short = Result.Error (Error.Truncated { need = 36; have = 35 }) in
  List.iter
    (fun kind ->
      let hex = kind ^ " 00 00 00 00 00 00 00" ^ cut in
      Alcotest.(check bool) hex true (decode (summed hex) = short))
    [ "03"; "0b"; "0c" ];
  let b = summed "08 00 00 00 12 34 00 05 aa bb cc" in
  Bytes.set_uint8 b 10 0xcd;
  Alcotest.(check bool) "checksum" true (decode b = Error Bad_checksum);
  Alcotest.(check bool)
    "short" true
    (Icmpv4.decode b ~off:0 ~len:7 = Error (Truncated { need = 8; have = 7 }))

(* RFC 1122 §3.2.2: no error about an error. *)
let errors () =
  List.iter
    (fun (hex, t, _) ->
      let echo = String.sub hex 0 5 = "08 00" || String.sub hex 0 5 = "00 00" in
      Alcotest.(check bool) hex (not echo) (Icmpv4.is_error t))
    table

let cases =
  [
    Suite.case "both ways, and printed" both_ways;
    Suite.case "refused" refused;
    Suite.case "what is an error" errors;
  ]
