open Weir_base

let tcp = Ipv4.protocol_tcp
let udp = Ipv4.protocol_udp
let fin_psh = 0x09
let cwr = 0x80
let v6_header = 40

(* Offsets of the IP header, the transport header, the data, and the packet's end. *)
type layout = { ip : int; protocol : int; head : int; data : int; stop : int; family : int }

let of_udp ~ip ~at ~stop ~family =
  let data = at + Udp.length in
  if data > stop then None else Some { ip; protocol = udp; head = at; data; stop; family }

let of_tcp b ~ip ~head ~stop ~family =
  if stop - head < Tcp.shortest then None
  else
    let data = head + (4 * (Bytes.get_uint8 b (head + 12) lsr 4)) in
    if data < head + Tcp.shortest || data > stop then None
    else Some { ip; protocol = tcp; head; data; stop; family }

let of_transport b ~ip ~protocol ~at ~stop ~family =
  if protocol = tcp then of_tcp b ~ip ~head:at ~stop ~family
  else if protocol = udp then of_udp ~ip ~at ~stop ~family
  else None

let layout b ~off ~len =
  if len < Ethernet.length then None
  else
    let ip = off + Ethernet.length and len = len - Ethernet.length in
    let ethertype = Ethernet.get_ethertype b ~off in
    if ethertype = Ethernet.ethertype_ipv4 then
      let p = Packet.create () in
      match Ipv4.read p b ~off:ip ~len with
      | Ok () when not (Packet.is_fragment p) ->
          let stop = p.payload_at + p.payload_length in
          of_transport b ~ip ~protocol:p.protocol ~at:p.payload_at ~stop ~family:Ip.v4_length
      | Ok () | Error _ -> None
    else if ethertype = Ethernet.ethertype_ipv6 && len >= v6_header then
      let stop = ip + v6_header + Bytes.get_uint16_be b (ip + 4) in
      let protocol = Bytes.get_uint8 b (ip + 6) in
      if stop > ip + len then None
      else of_transport b ~ip ~protocol ~at:(ip + v6_header) ~stop ~family:Ip.v6_length
    else None

let add_uint16 b at n = Bytes.set_uint16_be b at ((Bytes.get_uint16_be b at + n) land 0xffff)

(* Adapts the IP header at [ip] of a packet of [length] bytes. *)
let fix_ip b l ~ip ~length ~nth =
  if l.family = Ip.v4_length then (
    let header = l.head - l.ip in
    Bytes.set_uint16_be b (ip + 2) length;
    add_uint16 b (ip + 4) nth;
    Bytes.set_uint16_be b (ip + 10) 0;
    Bytes.set_uint16_be b (ip + 10) (Checksum.finish (Checksum.sum b ~off:ip ~len:header)))
  else Bytes.set_uint16_be b (ip + 4) (length - v6_header)

let pseudo_sum b l ~ip ~length =
  let addresses = if l.family = Ip.v4_length then ip + 12 else ip + 8 in
  Ip.pseudo_sum_at b ~src:addresses ~dst:(addresses + l.family) ~address_length:l.family
    ~protocol:l.protocol ~length

let fix_udp b l ~ip ~length =
  let at = ip + (l.head - l.ip) and length = length - (l.head - l.ip) in
  let pseudo = pseudo_sum b l ~ip ~length in
  Bytes.set_uint16_be b (at + 4) length;
  Bytes.set_uint16_be b (at + 6) 0;
  let sum = Checksum.finish (Checksum.add pseudo (Checksum.sum b ~off:at ~len:length)) in
  (* 0 would mean that there is no checksum (RFC 768). *)
  Bytes.set_uint16_be b (at + 6) (if sum = 0 then 0xffff else sum)

let fix_tcp b l ~ip ~length ~at ~first ~last =
  let head = ip + (l.head - l.ip) in
  let length = length - (l.head - l.ip) in
  let seq = (Int32.to_int (Bytes.get_int32_be b (head + 4)) + at) land 0xffff_ffff in
  let flags = Bytes.get_uint8 b (head + 13) in
  let flags = if last then flags else flags land lnot fin_psh in
  let flags = if first then flags else flags land lnot cwr in
  let pseudo = pseudo_sum b l ~ip ~length in
  Bytes.set_int32_be b (head + 4) (Int32.of_int seq);
  Bytes.set_uint8 b (head + 13) flags;
  Bytes.set_uint16_be b (head + 16) 0;
  let sum = Checksum.add pseudo (Checksum.sum b ~off:head ~len:length) in
  Bytes.set_uint16_be b (head + 16) (Checksum.finish sum)

let segment pool (f : Frame.t) l ~at ~len ~nth ~last =
  let g = Frame.alloc pool in
  let b = g.data and headers = l.data - f.off in
  let length = l.data - l.ip + len and ip = Ethernet.length in
  Bytes.blit f.data f.off b 0 headers;
  Bytes.blit f.data (l.data + at) b headers len;
  fix_ip b l ~ip ~length ~nth;
  if l.protocol = udp then fix_udp b l ~ip ~length
  else fix_tcp b l ~ip ~length ~at ~first:(nth = 0) ~last;
  Frame.set g ~off:0 ~len:(headers + len);
  g

let cut pool (f : Frame.t) take =
  let size = f.segment_size in
  match layout f.data ~off:f.off ~len:f.len with
  | Some l when size > 0 && l.data - f.off + size <= Frame.size pool ->
      let total = l.stop - l.data in
      let rec from at nth =
        let len = Int.min size (total - at) in
        let last = at + len = total in
        take (segment pool f l ~at ~len ~nth ~last);
        if not last then from (at + len) (nth + 1)
      in
      from 0 0;
      true
  | _ -> false

(* -- joining ------------------------------------------------------------- *)

let ack_only = 0x10
let psh = 0x08

(* The headers are equal except for lengths, identification, checksums, and the sequence number,
   which continues where [f] ends. *)
let follows (f : Frame.t) lf (g : Frame.t) lg ~size =
  let a = f.data and b = g.data in
  let same ~from ~upto =
    let rec go i = i >= upto || (Bytes.get a (lf.ip + i) = Bytes.get b (lg.ip + i) && go (i + 1)) in
    go from
  in
  let tcp = lf.head - lf.ip and data = lf.data - lf.ip in
  let length = lf.stop - lf.data in
  let seq l x = Int32.to_int (Bytes.get_int32_be x (l.head + 4)) in
  let flags l x = Bytes.get_uint8 x (l.head + 13) in
  let ttl_on = if lf.family = Ip.v4_length then 8 else 6 in
  lf.protocol = Ipv4.protocol_tcp && lg.protocol = lf.protocol && lf.family = lg.family
  && data = lg.data - lg.ip
  && tcp = lg.head - lg.ip
  && flags lf a = ack_only
  && flags lg b land lnot psh = ack_only
  && length mod size = 0
  && lg.stop - lg.data <= size
  && lg.stop > lg.data
  && (seq lf a + length) land 0xffff_ffff = seq lg b land 0xffff_ffff
  && same ~from:0 ~upto:2
  && same ~from:ttl_on ~upto:(if lf.family = Ip.v4_length then 10 else tcp)
  && (lf.family = Ip.v6_length || same ~from:12 ~upto:tcp)
  && same ~from:tcp ~upto:(tcp + 4)
  && same ~from:(tcp + 8) ~upto:(tcp + 13)
  && same ~from:(tcp + 14) ~upto:(tcp + 16)
  && same ~from:(tcp + 18) ~upto:data

(* The checksum is right or was verified before. *)
let sum_is_right (f : Frame.t) l =
  f.checksum <> Unverified
  ||
  let length = l.stop - l.head in
  let pseudo = pseudo_sum f.data l ~ip:l.ip ~length in
  Checksum.finish (Checksum.add pseudo (Checksum.sum f.data ~off:l.head ~len:length)) = 0

let join (f : Frame.t) (g : Frame.t) =
  match (layout f.data ~off:f.off ~len:f.len, layout g.data ~off:g.off ~len:g.len) with
  | Some lf, Some lg ->
      let size = if f.segment_size > 0 then f.segment_size else lf.stop - lf.data in
      let more = lg.stop - lg.data in
      let length = lf.stop - lf.ip + more in
      let fits = length <= 0xffff && lf.stop + more <= Bytes.length f.data in
      size > 0 && g.segment_size = 0 && fits && follows f lf g lg ~size && sum_is_right f lf
      && sum_is_right g lg
      && begin
        Bytes.blit g.data lg.data f.data lf.stop more;
        fix_ip f.data lf ~ip:lf.ip ~length ~nth:0;
        Bytes.set_uint8 f.data (lf.head + 13) (Bytes.get_uint8 g.data (lg.head + 13));
        Frame.set f ~off:f.off ~len:(lf.stop + more - f.off);
        Frame.set_segment_size f size;
        Frame.set_checksum f Verified;
        true
      end
  | _ -> false
