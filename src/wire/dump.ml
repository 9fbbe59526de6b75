let protocol_name = function
  | 1 -> "ICMP"
  | 2 -> "IGMP"
  | 6 -> "TCP"
  | 17 -> "UDP"
  | 41 -> "IPv6"
  | 47 -> "GRE"
  | 50 -> "ESP"
  | n -> Printf.sprintf "protocol %d" n

let pp_addresses f (ip : Ipv4.t) = Fmt.pf f "%a > %a" Ip.pp ip.src Ip.pp ip.dst

let pp_endpoints f (ip : Ipv4.t) ~src_port ~dst_port =
  Fmt.pf f "%a:%d > %a:%d" Ip.pp ip.src src_port Ip.pp ip.dst dst_port

(* A protocol whose header says nothing more to us, or is not there. *)
let pp_bare f (ip : Ipv4.t) =
  Fmt.pf f "%a %s len %d" pp_addresses ip (protocol_name ip.protocol) ip.data_length

let pp_quote f = function
  | Error e -> Error.pp f e
  | Ok { Layers.ip; ports = None; _ } -> pp_bare f ip
  | Ok { ip; ports = Some (src_port, dst_port); seq } ->
      pp_endpoints f ip ~src_port ~dst_port;
      Fmt.pf f " %s" (protocol_name ip.protocol);
      if seq >= 0 then Fmt.pf f " seq=%d" seq;
      Fmt.pf f " len %d" ip.data_length

let pp_transport f (ip : Ipv4.t) : Layers.transport -> unit = function
  | Tcp t ->
      pp_endpoints f ip ~src_port:t.src_port ~dst_port:t.dst_port;
      Fmt.pf f " TCP %a" Tcp.pp_segment t
  | Udp u ->
      pp_endpoints f ip ~src_port:u.src_port ~dst_port:u.dst_port;
      Fmt.pf f " UDP len %d%s" u.data_length (if u.checksummed then "" else ", no checksum")
  | Icmp (t, quote) ->
      Fmt.pf f "%a %a" pp_addresses ip Icmpv4.pp t;
      Option.iter (Fmt.pf f " (%a)" pp_quote) quote
  | Fragment ->
      Fmt.pf f "%a %s fragment %d@%d%s len %d" pp_addresses ip (protocol_name ip.protocol)
        ip.identification ip.fragment_offset
        (if ip.more_fragments then "+" else "")
        ip.data_length
  | Opaque -> pp_bare f ip

let pp f (t : Layers.t) =
  (match (t.network, t.ethernet) with
  | Ipv4 (ip, transport), _ -> pp_transport f ip transport
  | Arp a, _ -> Arp.pp f a
  | Unread_ipv4, _ -> Fmt.pf f "IPv4 len %d" t.length
  | Unread_arp, _ -> Fmt.string f "ARP"
  | Other, Some e -> Fmt.pf f "%a len %d" Ethernet.pp e t.length
  | Other, None -> Fmt.string f "Ethernet");
  Option.iter (Fmt.pf f " [%a]" Error.pp) t.wrong

let within b ~off ~len = off >= 0 && len >= 0 && off <= Bytes.length b - len

let checked decode f b ~off ~len =
  if within b ~off ~len then pp f (decode b ~off ~len)
  else Fmt.pf f "[bytes %d to %d are not within %d]" off (off + len) (Bytes.length b)

let pp_frame = checked Layers.of_frame
let pp_ipv4 = checked Layers.of_ipv4
