let protocol_name = function
  | 1 -> "ICMP"
  | 2 -> "IGMP"
  | 6 -> "TCP"
  | 17 -> "UDP"
  | 41 -> "IPv6"
  | 47 -> "GRE"
  | 50 -> "ESP"
  | 58 -> "ICMPv6"
  | 59 -> "no payload"
  | n -> Printf.sprintf "protocol %d" n

let pp_addresses f (src, dst) = Fmt.pf f "%a > %a" Ip.pp src Ip.pp dst

(* An IPv6 address is in brackets, as in a URL (RFC 3986 §3.2.2). *)
let pp_endpoint f (ip, port) =
  if Ip.is_v4 ip then Fmt.pf f "%a:%d" Ip.pp ip port else Fmt.pf f "[%a]:%d" Ip.pp ip port

let pp_endpoints f (src, dst) ~src_port ~dst_port =
  Fmt.pf f "%a > %a" pp_endpoint (src, src_port) pp_endpoint (dst, dst_port)

(* A protocol that is not decoded, or whose header is missing. *)
let pp_bare f ends ~protocol ~length =
  Fmt.pf f "%a %s len %d" pp_addresses ends (protocol_name protocol) length

let pp_quote f = function
  | Error e -> Error.pp f e
  | Ok { Layers.src; dst; protocol; length; ports = None; _ } ->
      pp_bare f (src, dst) ~protocol ~length
  | Ok { src; dst; protocol; length; ports = Some (src_port, dst_port); seq } ->
      pp_endpoints f (src, dst) ~src_port ~dst_port;
      Fmt.pf f " %s" (protocol_name protocol);
      if seq >= 0 then Fmt.pf f " seq=%d" seq;
      Fmt.pf f " len %d" length

let pp_fragment f ends ~protocol ~identification ~offset ~more ~length =
  Fmt.pf f "%a %s fragment %d@%d%s len %d" pp_addresses ends (protocol_name protocol) identification
    offset
    (if more then "+" else "")
    length

(* For a fragment, or a packet whose transport is not decoded. *)
let pp_rest f ends (t : Layers.t) =
  match (t.network, t.transport) with
  | Ipv4 ip, Fragment ->
      pp_fragment f ends ~protocol:ip.protocol ~identification:ip.identification
        ~offset:ip.fragment_offset ~more:ip.more_fragments ~length:ip.data_length
  | Ipv6 ({ fragment = Some { identification; offset; more }; _ } as ip), Fragment ->
      pp_fragment f ends ~protocol:ip.protocol ~identification ~offset ~more ~length:ip.data_length
  | Ipv4 ip, _ -> pp_bare f ends ~protocol:ip.protocol ~length:ip.data_length
  | Ipv6 ip, _ -> pp_bare f ends ~protocol:ip.protocol ~length:ip.data_length
  | _ -> ()

(* Bytes that cannot be decoded may be another protocol on that port, so this is no error. *)
let pp_application f = function Ok (Layers.Dhcpv4 m) -> Fmt.pf f " %a" Dhcpv4.pp m | Error _ -> ()

let pp_ip_packet f ends (t : Layers.t) =
  let quoted = Option.iter (Fmt.pf f " (%a)" pp_quote) in
  match t.transport with
  | Tcp h ->
      pp_endpoints f ends ~src_port:h.src_port ~dst_port:h.dst_port;
      Fmt.pf f " TCP %a" Tcp.pp_segment h
  | Udp u ->
      pp_endpoints f ends ~src_port:u.src_port ~dst_port:u.dst_port;
      Fmt.pf f " UDP len %d%s" u.data_length (if u.checksummed then "" else ", no checksum");
      Option.iter (pp_application f) t.application
  | Icmp (m, quote) ->
      Fmt.pf f "%a %a" pp_addresses ends Icmpv4.pp m;
      quoted quote
  | Icmpv6 (m, quote) ->
      Fmt.pf f "%a %a" pp_addresses ends Icmpv6.pp m;
      quoted quote
  | Nd m -> Fmt.pf f "%a %a" pp_addresses ends Nd.pp m
  | Membership m -> Fmt.pf f "%a %a" pp_addresses ends Membership.pp m
  | Fragment | Opaque -> pp_rest f ends t

let pp_ecn f (t : Layers.t) =
  let name = function 1 -> " ECT(1)" | 2 -> " ECT(0)" | 3 -> " CE" | _ -> "" in
  match t.network with
  | Ipv4 ip -> Fmt.string f (name (ip.dscp_ecn land 3))
  | Ipv6 ip -> Fmt.string f (name (ip.traffic_class land 3))
  | _ -> ()

let pp f (t : Layers.t) =
  (match (t.network, Layers.addresses t, t.ethernet) with
  | _, Some ends, _ ->
      pp_ip_packet f ends t;
      pp_ecn f t
  | Arp a, _, _ -> Arp.pp f a
  | Unread_ipv4, _, _ -> Fmt.pf f "IPv4 len %d" t.length
  | Unread_ipv6, _, _ -> Fmt.pf f "IPv6 len %d" t.length
  | Unread_arp, _, _ -> Fmt.string f "ARP"
  | _, _, Some e -> Fmt.pf f "%a len %d" Ethernet.pp e t.length
  | _, _, None -> Fmt.string f "Ethernet");
  Option.iter (Fmt.pf f " [%a]" Error.pp) t.wrong

let within b ~off ~len = off >= 0 && len >= 0 && off <= Bytes.length b - len

let checked decode f b ~off ~len =
  if within b ~off ~len then pp f (decode b ~off ~len)
  else Fmt.pf f "[bytes %d to %d are not within %d]" off (off + len) (Bytes.length b)

let pp_frame = checked Layers.of_frame
let pp_ip = checked Layers.of_ip
