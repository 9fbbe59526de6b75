type quote = {
  src : Ip.t;
  dst : Ip.t;
  protocol : int;
  length : int;
  ports : (int * int) option;
  seq : int;
}

type network =
  | Ipv4 of Ipv4.t
  | Ipv6 of Ipv6.t
  | Arp of Arp.t
  | Unread_ipv4
  | Unread_ipv6
  | Unread_arp
  | Other

type transport =
  | Tcp of Tcp.t
  | Udp of Udp.t
  | Icmp of Icmpv4.t * (quote, Error.t) result option
  | Icmpv6 of Icmpv6.t * (quote, Error.t) result option
  | Nd of Nd.t
  | Membership of Membership.t
  | Fragment
  | Opaque

type application = Dhcpv4 of Dhcpv4.t

type t = {
  ethernet : Ethernet.t option;
  network : network;
  transport : transport;
  application : (application, Error.t) result option;
  length : int;
  data_off : int;
  data_length : int;
  wrong : Error.t option;
}

let tcp = Ipv4.protocol_tcp
let udp = Ipv4.protocol_udp

(* The fields that both families have. *)
type envelope = {
  src : Ip.t;
  dst : Ip.t;
  protocol : int;
  header : int;  (** bytes up to the payload *)
  payload : int;  (** its length in bytes, according to the header *)
  offset : int;  (** of a fragment *)
  is_fragment : bool;
}

let envelope_v4 (ip : Ipv4.t) =
  {
    src = ip.src;
    dst = ip.dst;
    protocol = ip.protocol;
    header = ip.header_length;
    payload = ip.data_length;
    offset = ip.fragment_offset;
    is_fragment = Ipv4.is_fragment ip;
  }

let envelope_v6 (ip : Ipv6.t) =
  let offset, more = match ip.fragment with Some f -> (f.offset, f.more) | None -> (0, false) in
  {
    src = ip.src;
    dst = ip.dst;
    protocol = ip.protocol;
    header = ip.header_length;
    payload = ip.data_length;
    offset;
    is_fragment = more || offset > 0;
  }

let envelope = function
  | Ipv4 ip -> Some (envelope_v4 ip)
  | Ipv6 ip -> Some (envelope_v6 ip)
  | Arp _ | Unread_ipv4 | Unread_ipv6 | Unread_arp | Other -> None

let addresses t = Option.map (fun (e : envelope) -> (e.src, e.dst)) (envelope t.network)
let protocol t = match envelope t.network with Some e -> e.protocol | None -> -1

(* -- transports ---------------------------------------------------------- *)

(* With checksum offload, captures on the sender have wrong checksums: report this, but decode the
   header. *)
let with_checksum (decode : pseudo:int -> Bytes.t -> off:int -> len:int -> ('a, Error.t) result)
    found e b ~off ~len =
  let pseudo = Ip.pseudo_sum ~src:e.src ~dst:e.dst ~protocol:e.protocol ~length:len in
  match decode ~pseudo b ~off ~len with
  | Ok x -> (found x, None)
  | Error Bad_checksum -> (
      match decode ~pseudo:(-1) b ~off ~len with
      | Ok x -> (found x, Some Error.Bad_checksum)
      | Error e -> (Opaque, Some e))
  | Error e -> (Opaque, Some e)

(* A quote has at least 8 bytes after the IP header: the ports, and TCP's sequence number. *)
let quote decode b ~off ~len : (quote, Error.t) result =
  match decode b ~off ~len with
  | Error _ as e -> e
  | Ok { src; dst; protocol; header; payload; offset; _ } ->
      let at = off + header and is_tcp = protocol = tcp in
      let has_ports = is_tcp || protocol = udp in
      if (not has_ports) || len - header < 8 || offset > 0 then
        Ok { src; dst; protocol; length = payload; ports = None; seq = -1 }
      else
        let ports = Some (Bytes.get_uint16_be b at, Bytes.get_uint16_be b (at + 2)) in
        let seq = Int32.to_int (Bytes.get_int32_be b (at + 4)) land 0xffff_ffff in
        Ok { src; dst; protocol; length = payload; ports; seq = (if is_tcp then seq else -1) }

let quote_v4 = quote (fun b ~off ~len -> Result.map envelope_v4 (Ipv4.decode_quoted b ~off ~len))
let quote_v6 = quote (fun b ~off ~len -> Result.map envelope_v6 (Ipv6.decode_quoted b ~off ~len))

let icmp b ~off ~len =
  match Icmpv4.decode b ~off ~len with
  | Error e -> (Opaque, Some e)
  | Ok t -> (
      match t with
      | Destination_unreachable _ | Time_exceeded _ | Parameter_problem _ ->
          let quote = quote_v4 b ~off:(off + Icmpv4.length) ~len:(Icmpv4.data_length t) in
          (Icmp (t, Some quote), None)
      | Echo_request _ | Echo_reply _ | Other _ -> (Icmp (t, None), None))

(* MLD's checksum was verified as ICMPv6's. *)
let membership ~v4 b ~off ~len =
  match Membership.decode ~pseudo:(if v4 then 0 else -1) ~v4 b ~off ~len with
  | Ok m -> (Membership m, None)
  | Error e -> (Opaque, Some e)

let of_icmpv6 b ~off ~len t =
  if Nd.is_type (Icmpv6.kind t) then
    match Nd.decode b ~off ~len with
    | Ok message -> (Nd message, None)
    | Error e -> (Icmpv6 (t, None), Some e)
  else if Icmpv6.kind t < 128 then
    let quote = quote_v6 b ~off:(off + Icmpv6.length) ~len:(Icmpv6.data_length t) in
    (Icmpv6 (t, Some quote), None)
  else if Membership.is_mld (Icmpv6.kind t) then membership ~v4:false b ~off ~len
  else (Icmpv6 (t, None), None)

let icmpv6 e b ~off ~len =
  match with_checksum Icmpv6.decode (fun t -> Icmpv6 (t, None)) e b ~off ~len with
  | Icmpv6 (t, _), checksum ->
      let found, wrong = of_icmpv6 b ~off ~len t in
      (found, if Option.is_some checksum then checksum else wrong)
  | other -> other

let transport e ~v6 b ~off ~len =
  if e.is_fragment then (Fragment, None)
  else if e.protocol = tcp then with_checksum Tcp.decode (fun t -> Tcp t) e b ~off ~len
  else if e.protocol = udp then with_checksum Udp.decode (fun u -> Udp u) e b ~off ~len
  else if v6 && e.protocol = Ipv6.protocol_icmp then icmpv6 e b ~off ~len
  else if (not v6) && e.protocol = Ipv4.protocol_icmp then icmp b ~off ~len
  else if (not v6) && e.protocol = Ipv4.protocol_igmp then membership ~v4:true b ~off ~len
  else (Opaque, None)

(* [Udp.decode] needs the whole datagram. *)
let cut_udp b ~off ~len =
  let word at = Bytes.get_uint16_be b (off + at) in
  if len < Udp.length || word 4 < Udp.length then Opaque
  else
    let data_length = word 4 - Udp.length in
    Udp { src_port = word 0; dst_port = word 2; data_length; checksummed = word 6 <> 0 }

(* A header in a packet that was cut to [len] bytes. *)
let cut_transport e b ~off ~len =
  if e.is_fragment then Fragment
  else if e.protocol = udp then cut_udp b ~off ~len
  else if e.protocol = tcp then
    match Tcp.decode ~pseudo:(-1) b ~off ~len with
    | Ok t -> Tcp { t with data_length = e.payload - t.header_length }
    | Error _ -> Opaque
  else Opaque

(* -- networks ------------------------------------------------------------ *)

let bare ?ethernet ?wrong network ~length =
  {
    ethernet;
    network;
    transport = Opaque;
    application = None;
    length;
    data_off = 0;
    data_length = 0;
    wrong;
  }

let with_transport t transport ~off ~len ~wrong =
  let data header data_length =
    let data_length = Int.max 0 (Int.min data_length (len - header)) in
    { t with transport; data_off = off + header; data_length; wrong }
  in
  match transport with
  | Tcp t -> data t.header_length t.data_length
  | Udp u -> data Udp.length u.data_length
  | Icmp _ | Icmpv6 _ | Nd _ | Membership _ | Fragment | Opaque -> data 0 0

(* Decodes a complete datagram by its port. *)
let with_application t b =
  match (t.network, t.transport) with
  | Ipv4 _, Udp u
    when (u.dst_port = Dhcpv4.server_port || u.dst_port = Dhcpv4.client_port)
         && t.data_length = u.data_length ->
      let found = Dhcpv4.decode b ~off:t.data_off ~len:t.data_length in
      { t with application = Some (Result.map (fun m -> Dhcpv4 m) found) }
  | _ -> t

(* A packet of [len] bytes, by the decoders of its family. *)
let of_packet ?ethernet b ~off ~len ~v6 ~unread decode decode_quoted =
  match decode b ~off ~len with
  | Ok network ->
      let e = Option.get (envelope network) in
      let at = off + e.header in
      let transport, wrong = transport e ~v6 b ~off:at ~len:e.payload in
      let t = bare ?ethernet network ~length:len in
      with_application (with_transport t transport ~off:at ~len:e.payload ~wrong) b
  | Error wrong -> (
      match (wrong, decode_quoted b ~off ~len) with
      | _, Error _ -> bare ?ethernet ~wrong unread ~length:len
      | Error.Truncated _, Ok network ->
          let e = Option.get (envelope network) in
          let at = off + e.header and left = len - e.header in
          let transport = cut_transport e b ~off:at ~len:left in
          let t = bare ?ethernet network ~length:len in
          with_transport t transport ~off:at ~len:left ~wrong:(Some wrong)
      | _, Ok network -> bare ?ethernet ~wrong network ~length:len)

let of_ipv4 ?ethernet b ~off ~len =
  let network decode b ~off ~len = Result.map (fun ip -> Ipv4 ip) (decode b ~off ~len) in
  of_packet ?ethernet b ~off ~len ~v6:false ~unread:Unread_ipv4 (network Ipv4.decode)
    (network Ipv4.decode_quoted)

let of_ipv6 ?ethernet b ~off ~len =
  let network decode b ~off ~len = Result.map (fun ip -> Ipv6 ip) (decode b ~off ~len) in
  of_packet ?ethernet b ~off ~len ~v6:true ~unread:Unread_ipv6 (network Ipv6.decode)
    (network Ipv6.decode_quoted)

let of_arp ~ethernet b ~off ~len =
  match Arp.decode b ~off ~len with
  | Ok t -> bare ~ethernet (Arp t) ~length:len
  | Error wrong -> bare ~ethernet ~wrong Unread_arp ~length:len

let of_frame b ~off ~len =
  match Ethernet.decode b ~off ~len with
  | Error wrong -> bare ~wrong Other ~length:len
  | Ok ethernet ->
      let off = off + Ethernet.length and len = len - Ethernet.length in
      let { Ethernet.ethertype; _ } = ethernet in
      if ethertype = Ethernet.ethertype_ipv4 then of_ipv4 ~ethernet b ~off ~len
      else if ethertype = Ethernet.ethertype_ipv6 then of_ipv6 ~ethernet b ~off ~len
      else if ethertype = Ethernet.ethertype_arp then of_arp ~ethernet b ~off ~len
      else bare ~ethernet Other ~length:len

let none ~length = bare Other ~length

let of_ip b ~off ~len =
  match if len = 0 then 0 else Bytes.get_uint8 b off lsr 4 with
  | 4 -> of_ipv4 b ~off ~len
  | 6 -> of_ipv6 b ~off ~len
  | _ -> none ~length:len
