open Weir_wire

type value = Number of int | Flag of bool | Address of Ip.t | Mac of Mac.t | Text of string
type kind = Numbers of (string * int) list | Flags | Addresses | Macs | Texts
type arity = One | Either | Many

type t = {
  name : string;
  kind : kind;
  arity : arity;
  about : string;
  get : Dissection.t -> value list;
}

let number = Numbers []
let numbers n = [ Number n ]
let known n = if n < 0 then [] else [ Number n ]
let flag b = [ Flag b ]

(* -- of the whole packet ------------------------------------------------- *)

let frame name kind about get = { name = "frame." ^ name; kind; arity = One; about; get }

let frame_fields =
  [
    frame "number" number "the packet's number in the capture, from 1" (fun d -> numbers d.number);
    frame "time" Texts "seconds since 1970, with nanoseconds" (fun d ->
        [ Text (Fmt.str "%a" Weir_base.Time.pp d.time) ]);
    frame "len" number "bytes on the wire" (fun d -> numbers d.original);
    frame "cap_len" number "bytes in the capture" (fun d -> numbers d.captured);
    frame "link_type" number "link type, 1 for Ethernet" (fun d -> numbers d.link_type);
    frame "error" Texts "the reason why decoding stopped, or a wrong checksum" (fun d ->
        Option.to_list (Option.map (fun e -> Text (Fmt.str "%a" Error.pp e)) d.decoded.wrong));
  ]

(* -- of one protocol ----------------------------------------------------- *)

(* [find] is the protocol's header, if the packet has one. *)
let of_header prefix find name ?(arity = One) kind about get =
  let get d = match find d with None -> [] | Some h -> get h in
  { name = prefix ^ "." ^ name; kind; arity; about; get }

let eth name = of_header "eth" (fun (d : Dissection.t) -> d.decoded.ethernet) name

let ethernet_fields =
  let open Ethernet in
  [
    eth "src" Macs "source" (fun e -> [ Mac e.src ]);
    eth "dst" Macs "destination" (fun e -> [ Mac e.dst ]);
    eth "addr" ~arity:Either Macs "source or destination" (fun e -> [ Mac e.src; Mac e.dst ]);
    eth "type" number "ethertype" (fun e -> numbers e.ethertype);
  ]

let arp name =
  let find (d : Dissection.t) = match d.decoded.network with Arp a -> Some a | _ -> None in
  of_header "arp" find name

let arp_fields =
  let open Arp in
  let operations = [ ("request", 1); ("reply", 2) ] in
  let operation = function Request -> 1 | Reply -> 2 in
  [
    arp "opcode" (Numbers operations) "operation: request, reply" (fun a ->
        numbers (operation a.operation));
    arp "src.hw" Macs "sender's MAC address" (fun a -> [ Mac a.sender_mac ]);
    arp "src.ip" Addresses "sender's IP address" (fun a -> [ Address a.sender_ip ]);
    arp "dst.hw" Macs "target's MAC address" (fun a -> [ Mac a.target_mac ]);
    arp "dst.ip" Addresses "target's IP address" (fun a -> [ Address a.target_ip ]);
  ]

let ip name =
  let find (d : Dissection.t) = match d.decoded.network with Ipv4 ip -> Some ip | _ -> None in
  of_header "ip" find name

let ip_fields =
  let open Ipv4 in
  [
    ip "src" Addresses "source" (fun i -> [ Address i.src ]);
    ip "dst" Addresses "destination" (fun i -> [ Address i.dst ]);
    ip "addr" ~arity:Either Addresses "source or destination" (fun i ->
        [ Address i.src; Address i.dst ]);
    ip "proto" number "protocol" (fun i -> numbers i.protocol);
    ip "ttl" number "time to live" (fun i -> numbers i.ttl);
    ip "len" number "bytes of header and data" (fun i -> numbers (i.header_length + i.data_length));
    ip "hdr_len" number "bytes of the header" (fun i -> numbers i.header_length);
    ip "id" number "identification" (fun i -> numbers i.identification);
    ip "dscp" number "differentiated services" (fun i -> numbers (i.dscp_ecn lsr 2));
    ip "ecn" number "congestion notification" (fun i -> numbers (i.dscp_ecn land 3));
    ip "df" Flags "don't fragment" (fun i -> flag i.dont_fragment);
    ip "mf" Flags "more fragments" (fun i -> flag i.more_fragments);
    ip "frag_offset" number "fragment offset, in bytes" (fun i -> numbers i.fragment_offset);
  ]

let ipv6 name =
  let find (d : Dissection.t) = match d.decoded.network with Ipv6 ip -> Some ip | _ -> None in
  of_header "ipv6" find name

let ipv6_fields =
  let open Ipv6 in
  let fragment f i = match i.fragment with None -> [] | Some fragment -> f fragment in
  [
    ipv6 "src" Addresses "source" (fun i -> [ Address i.src ]);
    ipv6 "dst" Addresses "destination" (fun i -> [ Address i.dst ]);
    ipv6 "addr" ~arity:Either Addresses "source or destination" (fun i ->
        [ Address i.src; Address i.dst ]);
    ipv6 "proto" number "protocol after the extension headers" (fun i -> numbers i.protocol);
    ipv6 "hlim" number "hop limit" (fun i -> numbers i.hop_limit);
    ipv6 "plen" number "bytes after the fixed header" (fun i ->
        numbers (i.header_length - shortest + i.data_length));
    ipv6 "flow" number "flow label" (fun i -> numbers i.flow_label);
    ipv6 "dscp" number "differentiated services" (fun i -> numbers (i.traffic_class lsr 2));
    ipv6 "ecn" number "congestion notification" (fun i -> numbers (i.traffic_class land 3));
    ipv6 "frag_id" number "identification of a fragment"
      (fragment (fun f -> numbers f.identification));
    ipv6 "frag_more" Flags "more fragments" (fragment (fun f -> flag f.more));
    ipv6 "frag_offset" number "fragment offset, in bytes" (fragment (fun f -> numbers f.offset));
  ]

let of_transport prefix find name =
  of_header prefix (fun (d : Dissection.t) -> find d.shown.transport) name

(* RFC 792, and router discovery. *)
let icmp_types =
  [
    ("echo-reply", 0);
    ("unreachable", 3);
    ("source-quench", 4);
    ("redirect", 5);
    ("echo-request", 8);
    ("router-advertisement", 9);
    ("router-solicitation", 10);
    ("time-exceeded", 11);
    ("parameter-problem", 12);
    ("timestamp-request", 13);
    ("timestamp-reply", 14);
  ]

let icmp name = of_transport "icmp" (function Layers.Icmp (t, _) -> Some t | _ -> None) name

let icmp_fields =
  let open Icmpv4 in
  [
    icmp "type" (Numbers icmp_types) "type: a number, or a name such as echo-request" (fun t ->
        numbers (kind t));
    icmp "code" number "code" (fun t -> numbers (code t));
    icmp "ident" number "identifier of an echo" (function
      | Echo_request { identifier; _ } | Echo_reply { identifier; _ } -> numbers identifier
      | _ -> []);
    icmp "seq" number "sequence number of an echo" (function
      | Echo_request { sequence; _ } | Echo_reply { sequence; _ } -> numbers sequence
      | _ -> []);
    icmp "mtu" number "the next hop's MTU" (function
      | Destination_unreachable { code = Fragmentation_needed mtu; _ } -> numbers mtu
      | _ -> []);
    icmp "len" number "bytes of data" (fun t -> numbers (data_length t));
  ]

(* From IANA's registry. *)
let icmpv6_types =
  [
    ("unreachable", 1);
    ("packet-too-big", 2);
    ("time-exceeded", 3);
    ("parameter-problem", 4);
    ("echo-request", 128);
    ("echo-reply", 129);
    ("listener-query", 130);
    ("router-solicitation", 133);
    ("router-advertisement", 134);
    ("neighbour-solicitation", 135);
    ("neighbour-advertisement", 136);
    ("redirect", 137);
    ("listener-report", 143);
  ]

let nd_type = function
  | Nd.Router_solicitation _ -> 133
  | Router_advertisement _ -> 134
  | Neighbour_solicitation _ -> 135
  | Neighbour_advertisement _ -> 136
  | Redirect _ -> 137

let icmpv6 name = of_transport "icmpv6" (function Layers.Icmpv6 (t, _) -> Some t | _ -> None) name
let nd name = of_transport "icmpv6" (function Layers.Nd m -> Some m | _ -> None) name

let icmpv6_fields =
  let open Icmpv6 in
  [
    of_transport "icmpv6"
      (function Layers.Icmpv6 (t, _) -> Some (kind t) | Nd m -> Some (nd_type m) | _ -> None)
      "type" (Numbers icmpv6_types) "type: a number, or a name such as echo-request" numbers;
    icmpv6 "code" number "code" (fun t -> numbers (code t));
    icmpv6 "ident" number "identifier of an echo" (function
      | Echo_request { identifier; _ } | Echo_reply { identifier; _ } -> numbers identifier
      | _ -> []);
    icmpv6 "seq" number "sequence number of an echo" (function
      | Echo_request { sequence; _ } | Echo_reply { sequence; _ } -> numbers sequence
      | _ -> []);
    icmpv6 "mtu" number "the next hop's MTU" (function
      | Packet_too_big { mtu; _ } -> numbers mtu
      | _ -> []);
    icmpv6 "len" number "bytes of data" (fun t -> numbers (data_length t));
    nd "target" Addresses "target of neighbour discovery" (function
      | Neighbour_solicitation { target; _ }
      | Neighbour_advertisement { target; _ }
      | Redirect { target; _ } ->
          [ Address target ]
      | Router_solicitation _ | Router_advertisement _ -> []);
    nd "mac" Macs "the MAC address in it" (function
      | Router_solicitation { source_mac = Some m }
      | Neighbour_solicitation { source_mac = Some m; _ }
      | Neighbour_advertisement { target_mac = Some m; _ }
      | Redirect { target_mac = Some m; _ }
      | Router_advertisement { router_mac = Some m; _ } ->
          [ Mac m ]
      | _ -> []);
  ]

let udp name = of_transport "udp" (function Layers.Udp u -> Some u | _ -> None) name

let udp_fields =
  let open Udp in
  [
    udp "srcport" number "source port" (fun u -> numbers u.src_port);
    udp "dstport" number "destination port" (fun u -> numbers u.dst_port);
    udp "port" ~arity:Either number "source or destination port" (fun u ->
        [ Number u.src_port; Number u.dst_port ]);
    udp "length" number "bytes of header and data" (fun u -> numbers (length + u.data_length));
  ]

(* -- DHCP ---------------------------------------------------------------- *)

let dhcp name =
  of_header "dhcp"
    (fun (d : Dissection.t) ->
      match d.shown.application with Some (Ok (Layers.Dhcpv4 m)) -> Some m | _ -> None)
    name

let dhcp_fields =
  let open Dhcpv4 in
  let address name about get = dhcp name Addresses about (fun m -> [ Address (get m) ]) in
  [
    dhcp "kind" number "message type, from 1 for discover to 8 for inform" (fun m ->
        numbers (number_of_kind m.kind));
    dhcp "id" number "transaction" (fun m -> numbers m.xid);
    dhcp "mac" Macs "the client's MAC address" (fun m -> [ Mac m.chaddr ]);
    address "client" "the address that the client has" (fun m -> m.ciaddr);
    address "your" "the address that the server gives" (fun m -> m.yiaddr);
  ]

(* -- TCP ----------------------------------------------------------------- *)

let tcp name = of_transport "tcp" (function Layers.Tcp t -> Some t | _ -> None) name

let raw name about get =
  let find (d : Dissection.t) = match d.decoded.transport with Tcp t -> Some t | _ -> None in
  of_header "tcp" find name number about get

let stream =
  of_header "tcp"
    (fun (d : Dissection.t) -> d.stream)
    "stream" number "number of the connection, from 0"
    (fun (s : Conversations.seen) -> numbers s.stream.number)

let tcp_fields =
  let open Tcp in
  [
    stream;
    tcp "srcport" number "source port" (fun t -> numbers t.src_port);
    tcp "dstport" number "destination port" (fun t -> numbers t.dst_port);
    tcp "port" ~arity:Either number "source or destination port" (fun t ->
        [ Number t.src_port; Number t.dst_port ]);
    tcp "seq" number "sequence number as shown" (fun t -> numbers t.seq);
    tcp "ack" number "acknowledgement number as shown; absent without ACK" (fun t -> known t.ack);
    raw "seq_raw" "sequence number of the header" (fun t -> numbers t.seq);
    raw "ack_raw" "acknowledgement number of the header" (fun t -> known t.ack);
    tcp "len" number "bytes of data" (fun t -> numbers t.data_length);
    tcp "hdr_len" number "bytes of the header" (fun t -> numbers t.header_length);
    tcp "ackflag" Flags "flag ACK" (fun t -> flag (t.ack >= 0));
    tcp "syn" Flags "flag SYN" (fun t -> flag t.syn);
    tcp "fin" Flags "flag FIN" (fun t -> flag t.fin);
    tcp "rst" Flags "flag RST" (fun t -> flag t.rst);
    tcp "psh" Flags "flag PSH" (fun t -> flag t.psh);
    tcp "urg" Flags "flag URG" (fun t -> flag (t.urgent >= 0));
    tcp "ece" Flags "flag ECE" (fun t -> flag t.ece);
    tcp "cwr" Flags "flag CWR" (fun t -> flag t.cwr);
    tcp "window" number "window of the header, not scaled" (fun t -> numbers t.window);
    tcp "urgent" number "urgent pointer; absent without URG" (fun t -> known t.urgent);
    tcp "mss" number "option: maximum segment size" (fun t -> known t.mss);
    tcp "wscale" number "option: window scale" (fun t -> known t.window_scale);
    tcp "sack_perm" Flags "option: SACK permitted" (fun t -> flag t.sack_permitted);
    tcp "sack_le" ~arity:Many number "option: left edges of SACK blocks" (fun t ->
        List.map (fun (left, _) -> Number left) t.sacks);
    tcp "sack_re" ~arity:Many number "option: right edges of SACK blocks" (fun t ->
        List.map (fun (_, right) -> Number right) t.sacks);
    tcp "tsval" number "option: timestamp" (fun t -> known t.ts_val);
    tcp "tsecr" number "option: echoed timestamp" (fun t ->
        if t.ts_val < 0 then [] else numbers t.ts_ecr);
    tcp "user_timeout" number "option: user timeout in seconds" (fun t ->
        if t.user_timeout < 0 then [] else numbers (Tcp.user_timeout_seconds t.user_timeout));
  ]

let all =
  List.concat
    [
      frame_fields;
      ethernet_fields;
      arp_fields;
      ip_fields;
      ipv6_fields;
      icmp_fields;
      icmpv6_fields;
      udp_fields;
      dhcp_fields;
      tcp_fields;
    ]

(* Wireshark's longer names. *)
let other_names =
  [
    ("frame.time_epoch", "frame.time");
    ("arp.src.hw_mac", "arp.src.hw");
    ("arp.src.proto_ipv4", "arp.src.ip");
    ("arp.dst.hw_mac", "arp.dst.hw");
    ("arp.dst.proto_ipv4", "arp.dst.ip");
    ("ip.dsfield.dscp", "ip.dscp");
    ("ip.dsfield.ecn", "ip.ecn");
    ("ip.flags.df", "ip.df");
    ("ip.flags.mf", "ip.mf");
    ("ipv6.nxt", "ipv6.proto");
    ("ipv6.tclass.dscp", "ipv6.dscp");
    ("ipv6.tclass.ecn", "ipv6.ecn");
    ("ipv6.fraghdr.ident", "ipv6.frag_id");
    ("ipv6.fraghdr.more", "ipv6.frag_more");
    ("ipv6.fraghdr.offset", "ipv6.frag_offset");
    ("dhcp.option.dhcp", "dhcp.kind");
    ("dhcp.hw.mac_addr", "dhcp.mac");
    ("dhcp.ip.client", "dhcp.client");
    ("dhcp.ip.your", "dhcp.your");
    ("tcp.flags.ack", "tcp.ackflag");
    ("tcp.flags.syn", "tcp.syn");
    ("tcp.flags.fin", "tcp.fin");
    ("tcp.flags.reset", "tcp.rst");
    ("tcp.flags.push", "tcp.psh");
    ("tcp.flags.urg", "tcp.urg");
    ("tcp.flags.ece", "tcp.ece");
    ("tcp.flags.cwr", "tcp.cwr");
    ("tcp.window_size_value", "tcp.window");
    ("tcp.urgent_pointer", "tcp.urgent");
    ("tcp.options.mss_val", "tcp.mss");
    ("tcp.options.wscale.shift", "tcp.wscale");
    ("tcp.options.sack_perm", "tcp.sack_perm");
    ("tcp.options.sack_le", "tcp.sack_le");
    ("tcp.options.sack_re", "tcp.sack_re");
    ("tcp.options.timestamp.tsval", "tcp.tsval");
    ("tcp.options.timestamp.tsecr", "tcp.tsecr");
  ]

let find name =
  let name = Option.value (List.assoc_opt name other_names) ~default:name in
  List.find_opt (fun f -> f.name = name) all

(* -- protocols ----------------------------------------------------------- *)

type protocol = { protocol : string; holds : Layers.t -> bool }

let carries number t = Layers.protocol t = number

let protocols =
  [
    {
      protocol = "ip";
      holds = (fun t -> match t.network with Ipv4 _ | Unread_ipv4 -> true | _ -> false);
    };
    {
      protocol = "ip6";
      holds = (fun t -> match t.network with Ipv6 _ | Unread_ipv6 -> true | _ -> false);
    };
    {
      protocol = "arp";
      holds = (fun t -> match t.network with Arp _ | Unread_arp -> true | _ -> false);
    };
    { protocol = "icmp"; holds = carries Ipv4.protocol_icmp };
    { protocol = "icmp6"; holds = carries Ipv6.protocol_icmp };
    { protocol = "udp"; holds = carries Ipv4.protocol_udp };
    { protocol = "tcp"; holds = carries Ipv4.protocol_tcp };
    { protocol = "fragment"; holds = (fun t -> t.transport = Fragment) };
  ]
