module Checksum = Weir_base.Checksum

let tcp = 6
let udp = 17
let ipv6_length = 40
let field protocol = if protocol = tcp then 16 else 6
let shortest protocol = if protocol = tcp then Tcp.shortest else Udp.length

(* The sum includes the field, which holds the pseudo-header's sum. *)
let complete_at b ~off ~len ~protocol =
  (protocol = tcp || protocol = udp)
  && len >= shortest protocol
  && begin
    let sum = Checksum.finish (Checksum.sum b ~off ~len) in
    Bytes.set_uint16_be b (off + field protocol) (if protocol = udp && sum = 0 then 0xffff else sum);
    true
  end

let complete_ipv4 b ~off ~len =
  match Ipv4.decode b ~off ~len with
  | Ok h when not (Ipv4.is_fragment h) ->
      complete_at b ~off:(off + h.header_length) ~len:h.data_length ~protocol:h.protocol
  | Ok _ | Error _ -> false

let complete_ipv6 b ~off ~len =
  len >= ipv6_length
  &&
  let data = Bytes.get_uint16_be b (off + 4) in
  ipv6_length + data <= len
  && complete_at b ~off:(off + ipv6_length) ~len:data ~protocol:(Bytes.get_uint8 b (off + 6))

let complete b ~off ~len =
  match Ethernet.decode b ~off ~len with
  | Error _ -> false
  | Ok e ->
      let off = off + Ethernet.length and len = len - Ethernet.length in
      if e.ethertype = Ethernet.ethertype_ipv4 then complete_ipv4 b ~off ~len
      else e.ethertype = Ethernet.ethertype_ipv6 && complete_ipv6 b ~off ~len

let holds_pseudo_sum b ~address_length ~src ~dst ~off ~length ~protocol ~ends =
  (protocol = tcp || protocol = udp)
  && length >= shortest protocol
  && off + length <= ends
  && Bytes.get_uint16_be b (off + field protocol)
     = Ip.pseudo_sum_at b ~address_length ~src ~dst ~protocol ~length

(* Reads the fields one by one, as it is asked of every frame. *)
let is_partial b ~off ~len =
  let ethertype = if len < Ethernet.length then 0 else Ethernet.get_ethertype b ~off in
  let at = off + Ethernet.length and ends = off + len in
  if ethertype = Ethernet.ethertype_ipv4 && at + Ipv4.shortest <= ends then
    let header = 4 * (Bytes.get_uint8 b at land 15) in
    header >= Ipv4.shortest
    && Bytes.get_uint16_be b (at + 6) land 0x3fff = 0
    && holds_pseudo_sum b ~address_length:4 ~src:(at + 12) ~dst:(at + 16) ~off:(at + header)
         ~length:(Bytes.get_uint16_be b (at + 2) - header)
         ~protocol:(Bytes.get_uint8 b (at + 9))
         ~ends
  else
    ethertype = Ethernet.ethertype_ipv6
    && at + ipv6_length <= ends
    && holds_pseudo_sum b ~address_length:16 ~src:(at + 8) ~dst:(at + 24) ~off:(at + ipv6_length)
         ~length:(Bytes.get_uint16_be b (at + 4))
         ~protocol:(Bytes.get_uint8 b (at + 6))
         ~ends
