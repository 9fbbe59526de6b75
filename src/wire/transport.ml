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
