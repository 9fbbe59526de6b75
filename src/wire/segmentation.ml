open Weir_base

let tcp = Ipv4.protocol_tcp
let fin_psh = 0x09
let cwr = 0x80
let v6_header = 40

(* Offsets of IP header, TCP header, data and packet end; 0 if it is not a TCP segment. *)
type layout = { ip : int; tcp_at : int; data : int; stop : int; family : int }

let of_tcp b ~ip ~tcp_at ~stop ~address_length =
  if stop - tcp_at < Tcp.shortest then None
  else
    let data = tcp_at + (4 * (Bytes.get_uint8 b (tcp_at + 12) lsr 4)) in
    if data < tcp_at + Tcp.shortest || data > stop then None
    else Some { ip; tcp_at; data; stop; family = address_length }

let layout b ~off ~len =
  if len < Ethernet.length then None
  else
    let ip = off + Ethernet.length and len = len - Ethernet.length in
    let ethertype = Ethernet.get_ethertype b ~off in
    if ethertype = Ethernet.ethertype_ipv4 then
      let p = Packet.create () in
      match Ipv4.read p b ~off:ip ~len with
      | Ok () when p.protocol = tcp && not (Packet.is_fragment p) ->
          let stop = p.payload_at + p.payload_length in
          of_tcp b ~ip ~tcp_at:p.payload_at ~stop ~address_length:Ip.v4_length
      | Ok () | Error _ -> None
    else if ethertype = Ethernet.ethertype_ipv6 && len >= v6_header then
      let stop = ip + v6_header + Bytes.get_uint16_be b (ip + 4) in
      if Bytes.get_uint8 b (ip + 6) <> tcp || stop > ip + len then None
      else of_tcp b ~ip ~tcp_at:(ip + v6_header) ~stop ~address_length:Ip.v6_length
    else None

let add_uint16 b at n = Bytes.set_uint16_be b at ((Bytes.get_uint16_be b at + n) land 0xffff)

(* The IP header at [ip], for [length] bytes from there. *)
let fix_ip b l ~ip ~length ~nth =
  if l.family = Ip.v4_length then (
    let header = l.tcp_at - l.ip in
    Bytes.set_uint16_be b (ip + 2) length;
    add_uint16 b (ip + 4) nth;
    Bytes.set_uint16_be b (ip + 10) 0;
    Bytes.set_uint16_be b (ip + 10) (Checksum.finish (Checksum.sum b ~off:ip ~len:header)))
  else Bytes.set_uint16_be b (ip + 4) (length - v6_header)

let fix_tcp b l ~ip ~length ~at ~first ~last =
  let tcp_at = ip + (l.tcp_at - l.ip) in
  let length = length - (l.tcp_at - l.ip) in
  let seq = (Int32.to_int (Bytes.get_int32_be b (tcp_at + 4)) + at) land 0xffff_ffff in
  let flags = Bytes.get_uint8 b (tcp_at + 13) in
  let flags = if last then flags else flags land lnot fin_psh in
  let flags = if first then flags else flags land lnot cwr in
  let addresses = if l.family = Ip.v4_length then ip + 12 else ip + 8 in
  let pseudo =
    Ip.pseudo_sum_at b ~src:addresses ~dst:(addresses + l.family) ~address_length:l.family
      ~protocol:tcp ~length
  in
  Bytes.set_int32_be b (tcp_at + 4) (Int32.of_int seq);
  Bytes.set_uint8 b (tcp_at + 13) flags;
  Bytes.set_uint16_be b (tcp_at + 16) 0;
  let sum = Checksum.add pseudo (Checksum.sum b ~off:tcp_at ~len:length) in
  Bytes.set_uint16_be b (tcp_at + 16) (Checksum.finish sum)

let segment pool (f : Frame.t) l ~at ~len ~nth ~last =
  let g = Frame.alloc pool in
  let b = g.data and headers = l.data - f.off in
  let length = l.data - l.ip + len and ip = Ethernet.length in
  Bytes.blit f.data f.off b 0 headers;
  Bytes.blit f.data (l.data + at) b headers len;
  fix_ip b l ~ip ~length ~nth;
  fix_tcp b l ~ip ~length ~at ~first:(nth = 0) ~last;
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
  let tcp = lf.tcp_at - lf.ip and data = lf.data - lf.ip in
  let length = lf.stop - lf.data in
  let seq l x = Int32.to_int (Bytes.get_int32_be x (l.tcp_at + 4)) in
  let flags l x = Bytes.get_uint8 x (l.tcp_at + 13) in
  let ttl_on = if lf.family = Ip.v4_length then 8 else 6 in
  lf.family = lg.family
  && data = lg.data - lg.ip
  && tcp = lg.tcp_at - lg.ip
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

(* Both checksums were verified. *)
let sum_is_right (f : Frame.t) l =
  f.checksum <> Unverified
  ||
  let addresses = if l.family = Ip.v4_length then l.ip + 12 else l.ip + 8 in
  let length = l.stop - l.tcp_at in
  let pseudo =
    Ip.pseudo_sum_at f.data ~src:addresses ~dst:(addresses + l.family) ~address_length:l.family
      ~protocol:tcp ~length
  in
  Checksum.finish (Checksum.add pseudo (Checksum.sum f.data ~off:l.tcp_at ~len:length)) = 0

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
        Bytes.set_uint8 f.data (lf.tcp_at + 13) (Bytes.get_uint8 g.data (lg.tcp_at + 13));
        Frame.set f ~off:f.off ~len:(lf.stop + more - f.off);
        Frame.set_segment_size f size;
        Frame.set_checksum f Verified;
        true
      end
  | _ -> false
