module Checksum = Weir_base.Checksum

type t = {
  src : Ip.t;
  dst : Ip.t;
  protocol : int;
  ttl : int;
  dscp_ecn : int;
  identification : int;
  dont_fragment : bool;
  more_fragments : bool;
  fragment_offset : int;
  header_length : int;
  data_length : int;
  options : string;
}

let protocol_icmp = 1
let protocol_igmp = 2
let protocol_tcp = 6
let protocol_udp = 17
let shortest = 20
let source_at = 12

let base =
  {
    src = Ip.any;
    dst = Ip.any;
    protocol = 0;
    ttl = 64;
    dscp_ecn = 0;
    identification = 0;
    dont_fragment = false;
    more_fragments = false;
    fragment_offset = 0;
    header_length = shortest;
    data_length = 0;
    options = "";
  }

let is_fragment t = t.more_fragments || t.fragment_offset > 0
let reserved = 0x8000
let dont_fragment = 0x4000
let more_fragments = 0x2000

(* Checks flags and offset against the limits of the whole datagram. *)
let check_fragment ~flags ~header ~data =
  let more = flags land more_fragments <> 0 and offset = 8 * (flags land 0x1fff) in
  if flags land reserved <> 0 then "the reserved flag is set"
  else if (not more) && offset = 0 then ""
  else if data = 0 then "empty fragment"
  else if more && data land 7 <> 0 then
    "a fragment that is not the last has a length that is not a multiple of 8"
  else if header + offset + data > 0xffff then "fragment ends beyond byte 65535"
  else ""

let fill (p : Packet.t) b ~off ~header ~data ~flags =
  p.data <- b;
  p.at <- off;
  p.address_length <- Ip.v4_length;
  p.source_at <- off + source_at;
  p.source_key <- Ip.word b (off + source_at);
  p.destination_key <- Ip.word b (off + source_at + Ip.v4_length);
  p.protocol <- Bytes.get_uint8 b (off + 9);
  p.ttl <- Bytes.get_uint8 b (off + 8);
  p.fragment_offset <- 8 * (flags land 0x1fff);
  p.more_fragments <- flags land more_fragments <> 0;
  p.payload_at <- off + header;
  p.payload_length <- data;
  p.segment_size <- 0

let parse p ~quoted b ~off ~len =
  if len < shortest then Error.truncated ~need:shortest ~have:len
  else
    let first = Bytes.get_uint8 b off in
    let header = 4 * (first land 15) in
    let total = Bytes.get_uint16_be b (off + 2) in
    if first lsr 4 <> 4 then Error.malformed ~at:0 "version is not 4"
    else if header < shortest then Error.malformed ~at:0 "header length below 20"
    else if header > len then Error.truncated ~need:header ~have:len
    else if total < header then Error.malformed ~at:2 "total length below the header's"
    else if (not quoted) && total > len then Error.truncated ~need:total ~have:len
    else if (not quoted) && Checksum.finish (Checksum.sum b ~off ~len:header) <> 0 then
      Error Error.Bad_checksum
    else
      let flags = Bytes.get_uint16_be b (off + 6) in
      let what = check_fragment ~flags ~header ~data:(total - header) in
      if String.length what > 0 then Error.malformed ~at:6 what
      else (
        fill p b ~off ~header ~data:(total - header) ~flags;
        Ok ())

let read p b ~off ~len = parse p ~quoted:false b ~off ~len
let read_quoted p b ~off ~len = parse p ~quoted:true b ~off ~len

let header (p : Packet.t) =
  let b = p.data and off = p.at in
  let header_length = p.payload_at - off in
  {
    src = Packet.source p;
    dst = Packet.destination p;
    protocol = p.protocol;
    ttl = p.ttl;
    dscp_ecn = Bytes.get_uint8 b (off + 1);
    identification = Bytes.get_uint16_be b (off + 4);
    dont_fragment = Bytes.get_uint16_be b (off + 6) land dont_fragment <> 0;
    more_fragments = p.more_fragments;
    fragment_offset = p.fragment_offset;
    header_length;
    data_length = p.payload_length;
    options =
      (if header_length = shortest then ""
       else Bytes.sub_string b (off + shortest) (header_length - shortest));
  }

let decode b ~off ~len =
  let p = Packet.create () in
  Result.map (fun () -> header p) (read p b ~off ~len)

let decode_quoted b ~off ~len =
  let p = Packet.create () in
  Result.map (fun () -> header p) (read_quoted p b ~off ~len)

let length t = shortest + String.length t.options

(* Both ECN bits: congestion experienced (RFC 3168 §5). *)
let congestion = 3
let is_congested (p : Packet.t) = Bytes.get_uint8 p.data (p.at + 1) land congestion = congestion

let[@inline] set_words b at high low =
  Bytes.set_int32_be b at (Int32.of_int ((high lsl 16) lor low))

(* Without options, the checksum is computed from the arguments: the words that are not in a
   pseudo-header are added up and passed as its length. *)
let write like b ~off ~src ~dst ~protocol ~data_length ~identification =
  let header = length like in
  let total = header + data_length in
  let first = ((0x40 lor (header lsr 2)) lsl 8) lor like.dscp_ecn in
  let flags =
    (Bool.to_int like.dont_fragment lsl 14)
    lor (Bool.to_int like.more_fragments lsl 13)
    lor (like.fragment_offset lsr 3)
  in
  let ttl = (like.ttl lsl 8) lor protocol in
  set_words b off first total;
  set_words b (off + 4) identification flags;
  set_words b (off + 8) ttl 0;
  Ip.set b (off + 12) src;
  Ip.set b (off + 16) dst;
  let sum =
    if header = shortest then
      Ip.pseudo_sum ~src ~dst ~protocol:ttl ~length:(first + total + identification + flags)
    else (
      Bytes.blit_string like.options 0 b (off + shortest) (header - shortest);
      Checksum.sum b ~off ~len:header)
  in
  Bytes.set_uint16_be b (off + 10) (Checksum.finish sum)

let emit t b ~off =
  let { src; dst; protocol; data_length; identification; _ } = t in
  write t b ~off ~src ~dst ~protocol ~data_length ~identification

let unfragmented headers ~data_length ~congested =
  let b = Bytes.copy headers in
  let header = Bytes.length b in
  if header + data_length > 0xffff then None
  else (
    Bytes.set_uint16_be b 2 (header + data_length);
    Bytes.set_uint16_be b 6 (Bytes.get_uint16_be b 6 land dont_fragment);
    if congested then Bytes.set_uint8 b 1 (Bytes.get_uint8 b 1 lor congestion);
    Bytes.set_uint16_be b 10 0;
    Bytes.set_uint16_be b 10 (Checksum.finish (Checksum.sum b ~off:0 ~len:header));
    Some b)

let pp f t =
  Fmt.pf f "%a > %a protocol %d ttl %d" Ip.pp t.src Ip.pp t.dst t.protocol t.ttl;
  if t.dscp_ecn <> 0 then Fmt.pf f " tos 0x%02x" t.dscp_ecn;
  if t.dont_fragment then Fmt.string f " DF";
  if is_fragment t then
    Fmt.pf f " fragment %d@%d%s" t.identification t.fragment_offset
      (if t.more_fragments then "+" else "");
  if t.options <> "" then Fmt.pf f " options %d" (String.length t.options);
  Fmt.pf f " len %d" t.data_length
