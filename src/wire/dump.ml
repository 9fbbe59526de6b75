let protocol_name = function
  | 1 -> "ICMP"
  | 2 -> "IGMP"
  | 6 -> "TCP"
  | 17 -> "UDP"
  | 41 -> "IPv6"
  | 47 -> "GRE"
  | 50 -> "ESP"
  | n -> Printf.sprintf "protocol %d" n

let pp_reason f e = Fmt.pf f " [%a]" Error.pp e
let pp_addresses f (ip : Ipv4.t) = Fmt.pf f "%a > %a" Ip.pp ip.src Ip.pp ip.dst

let pp_endpoints f (ip : Ipv4.t) ~src_port ~dst_port =
  Fmt.pf f "%a:%d > %a:%d" Ip.pp ip.src src_port Ip.pp ip.dst dst_port

(* A protocol whose header says nothing more to us, or is not there. *)
let pp_bare f (ip : Ipv4.t) ~len =
  Fmt.pf f "%a %s len %d" pp_addresses ip (protocol_name ip.protocol) len

let pseudo (ip : Ipv4.t) =
  Ip.pseudo_sum ~src:ip.src ~dst:ip.dst ~protocol:ip.protocol ~length:ip.data_length

(* Senders that leave checksums to their device are captured with wrong ones:
   worth a remark, no reason to hide the rest. *)
let with_checksum (decode : pseudo:int -> Bytes.t -> off:int -> len:int -> ('a, Error.t) result) ip
    b ~off ~len pp f =
  match decode ~pseudo:(pseudo ip) b ~off ~len with
  | Ok x -> pp f x
  | Error Bad_checksum -> (
      match decode ~pseudo:(-1) b ~off ~len with
      | Ok x ->
          pp f x;
          pp_reason f Bad_checksum
      | Error e ->
          pp_bare f ip ~len;
          pp_reason f e)
  | Error e ->
      pp_bare f ip ~len;
      pp_reason f e

let pp_tcp ip f (t : Tcp.t) =
  pp_endpoints f ip ~src_port:t.src_port ~dst_port:t.dst_port;
  Fmt.pf f " TCP %a" Tcp.pp_segment t

let pp_udp ip f (t : Udp.t) =
  pp_endpoints f ip ~src_port:t.src_port ~dst_port:t.dst_port;
  Fmt.pf f " UDP len %d%s" t.data_length (if t.checksummed then "" else ", no checksum")

(* Of the packet an error quotes, 8 bytes behind its header are sure to be
   there: ports, and TCP's sequence number. *)
let pp_quoted f b ~off ~len =
  match Ipv4.decode_quoted b ~off ~len with
  | Error e -> Error.pp f e
  | Ok ip ->
      let at = off + ip.header_length in
      let tcp = ip.protocol = Ipv4.protocol_tcp in
      if len - ip.header_length < 8 || ip.fragment_offset > 0 then pp_bare f ip ~len:ip.data_length
      else if tcp || ip.protocol = Ipv4.protocol_udp then (
        let src_port = Bytes.get_uint16_be b at and dst_port = Bytes.get_uint16_be b (at + 2) in
        pp_endpoints f ip ~src_port ~dst_port;
        Fmt.pf f " %s" (protocol_name ip.protocol);
        if tcp then Fmt.pf f " seq=%lu" (Bytes.get_int32_be b (at + 4));
        Fmt.pf f " len %d" ip.data_length)
      else pp_bare f ip ~len:ip.data_length

let pp_icmp f ip b ~off ~len =
  match Icmpv4.decode b ~off ~len with
  | Error e ->
      pp_bare f ip ~len;
      pp_reason f e
  | Ok t -> (
      Fmt.pf f "%a %a" pp_addresses ip Icmpv4.pp t;
      match t with
      | Destination_unreachable _ | Time_exceeded _ | Parameter_problem _ ->
          let off = off + Icmpv4.length and len = Icmpv4.data_length t in
          Fmt.pf f " (%a)" (fun f () -> pp_quoted f b ~off ~len) ()
      | Echo_request _ | Echo_reply _ | Other _ -> ())

let pp_transport f (ip : Ipv4.t) b ~off ~len =
  if Ipv4.is_fragment ip then
    Fmt.pf f "%a %s fragment %d@%d%s len %d" pp_addresses ip (protocol_name ip.protocol)
      ip.identification ip.fragment_offset
      (if ip.more_fragments then "+" else "")
      len
  else if ip.protocol = Ipv4.protocol_tcp then with_checksum Tcp.decode ip b ~off ~len (pp_tcp ip) f
  else if ip.protocol = Ipv4.protocol_udp then with_checksum Udp.decode ip b ~off ~len (pp_udp ip) f
  else if ip.protocol = Ipv4.protocol_icmp then pp_icmp f ip b ~off ~len
  else pp_bare f ip ~len

let within b ~off ~len = off >= 0 && len >= 0 && off <= Bytes.length b - len

let pp_ipv4_within f b ~off ~len =
  match Ipv4.decode b ~off ~len with
  | Ok ip -> pp_transport f ip b ~off:(off + ip.header_length) ~len:ip.data_length
  | Error e ->
      (match Ipv4.decode_quoted b ~off ~len with
      | Ok ip -> pp_bare f ip ~len:ip.data_length
      | Error _ -> Fmt.pf f "IPv4 len %d" len);
      pp_reason f e

let pp_arp f b ~off ~len =
  match Arp.decode b ~off ~len with
  | Ok t -> Arp.pp f t
  | Error e ->
      Fmt.string f "ARP";
      pp_reason f e

let pp_frame_within f b ~off ~len =
  match Ethernet.decode b ~off ~len with
  | Error e ->
      Fmt.string f "Ethernet";
      pp_reason f e
  | Ok t ->
      let off = off + Ethernet.length and len = len - Ethernet.length in
      if t.ethertype = Ethernet.ethertype_ipv4 then pp_ipv4_within f b ~off ~len
      else if t.ethertype = Ethernet.ethertype_arp then pp_arp f b ~off ~len
      else Fmt.pf f "%a len %d" Ethernet.pp t len

let checked pp f b ~off ~len =
  if within b ~off ~len then pp f b ~off ~len
  else Fmt.pf f "[bytes %d to %d are not within %d]" off (off + len) (Bytes.length b)

let pp_frame = checked pp_frame_within
let pp_ipv4 = checked pp_ipv4_within
