type quote = { ip : Ipv4.t; ports : (int * int) option; seq : int }

type transport =
  | Tcp of Tcp.t
  | Udp of Udp.t
  | Icmp of Icmpv4.t * (quote, Error.t) result option
  | Fragment
  | Opaque

type network = Ipv4 of Ipv4.t * transport | Arp of Arp.t | Unread_ipv4 | Unread_arp | Other

type t = {
  ethernet : Ethernet.t option;
  network : network;
  length : int;
  data_off : int;
  data_length : int;
  wrong : Error.t option;
}

(* -- transports ---------------------------------------------------------- *)

let pseudo (ip : Ipv4.t) =
  Ip.pseudo_sum ~src:ip.src ~dst:ip.dst ~protocol:ip.protocol ~length:ip.data_length

(* Senders that leave checksums to their device are captured with wrong ones:
   worth a remark, no reason to hide the rest. *)
let with_checksum (decode : pseudo:int -> Bytes.t -> off:int -> len:int -> ('a, Error.t) result)
    found ip b ~off ~len =
  match decode ~pseudo:(pseudo ip) b ~off ~len with
  | Ok x -> (found x, None)
  | Error Bad_checksum -> (
      match decode ~pseudo:(-1) b ~off ~len with
      | Ok x -> (found x, Some Error.Bad_checksum)
      | Error e -> (Opaque, Some e))
  | Error e -> (Opaque, Some e)

let tcp t = Tcp t
let udp u = Udp u

(* Of the packet an error quotes, 8 bytes behind its header are sure to be
   there: ports, and TCP's sequence number. *)
let quote b ~off ~len =
  match Ipv4.decode_quoted b ~off ~len with
  | Error _ as e -> e
  | Ok ip ->
      let at = off + ip.header_length and is_tcp = ip.protocol = Ipv4.protocol_tcp in
      let has_ports = is_tcp || ip.protocol = Ipv4.protocol_udp in
      if (not has_ports) || len - ip.header_length < 8 || ip.fragment_offset > 0 then
        Ok { ip; ports = None; seq = -1 }
      else
        let ports = Some (Bytes.get_uint16_be b at, Bytes.get_uint16_be b (at + 2)) in
        let seq = Int32.to_int (Bytes.get_int32_be b (at + 4)) land 0xffff_ffff in
        Ok { ip; ports; seq = (if is_tcp then seq else -1) }

let icmp b ~off ~len =
  match Icmpv4.decode b ~off ~len with
  | Error e -> (Opaque, Some e)
  | Ok t -> (
      match t with
      | Destination_unreachable _ | Time_exceeded _ | Parameter_problem _ ->
          let quote = quote b ~off:(off + Icmpv4.length) ~len:(Icmpv4.data_length t) in
          (Icmp (t, Some quote), None)
      | Echo_request _ | Echo_reply _ | Other _ -> (Icmp (t, None), None))

let transport (ip : Ipv4.t) b ~off ~len =
  if Ipv4.is_fragment ip then (Fragment, None)
  else if ip.protocol = Ipv4.protocol_tcp then with_checksum Tcp.decode tcp ip b ~off ~len
  else if ip.protocol = Ipv4.protocol_udp then with_checksum Udp.decode udp ip b ~off ~len
  else if ip.protocol = Ipv4.protocol_icmp then icmp b ~off ~len
  else (Opaque, None)

(* UDP's own decoder wants the whole datagram. *)
let cut_udp b ~off ~len =
  let word at = Bytes.get_uint16_be b (off + at) in
  if len < Udp.length || word 4 < Udp.length then Opaque
  else
    let data_length = word 4 - Udp.length in
    Udp { src_port = word 0; dst_port = word 2; data_length; checksummed = word 6 <> 0 }

(* A header of which [len] bytes are there, in a packet that had more. *)
let cut_transport (ip : Ipv4.t) b ~off ~len =
  if Ipv4.is_fragment ip then Fragment
  else if ip.protocol = Ipv4.protocol_udp then cut_udp b ~off ~len
  else if ip.protocol = Ipv4.protocol_tcp then
    match Tcp.decode ~pseudo:(-1) b ~off ~len with
    | Ok t -> Tcp { t with data_length = ip.data_length - t.header_length }
    | Error _ -> Opaque
  else Opaque

(* -- networks ------------------------------------------------------------ *)

let bare ?ethernet ?wrong network ~length =
  { ethernet; network; length; data_off = 0; data_length = 0; wrong }

let with_ipv4 ?ethernet ?wrong ip transport ~off ~len ~length =
  let data header data_length =
    let data_length = Int.max 0 (Int.min data_length (len - header)) in
    {
      ethernet;
      network = Ipv4 (ip, transport);
      length;
      data_off = off + header;
      data_length;
      wrong;
    }
  in
  match transport with
  | Tcp t -> data t.header_length t.data_length
  | Udp u -> data Udp.length u.data_length
  | Icmp _ | Fragment | Opaque -> data 0 0

let of_ipv4 ?ethernet b ~off ~len =
  match Ipv4.decode b ~off ~len with
  | Ok ip ->
      let at = off + ip.header_length in
      let transport, wrong = transport ip b ~off:at ~len:ip.data_length in
      with_ipv4 ?ethernet ?wrong ip transport ~off:at ~len:ip.data_length ~length:len
  | Error wrong -> (
      match (wrong, Ipv4.decode_quoted b ~off ~len) with
      | _, Error _ -> bare ?ethernet ~wrong Unread_ipv4 ~length:len
      | Truncated _, Ok ip ->
          let at = off + ip.header_length and left = len - ip.header_length in
          let transport = cut_transport ip b ~off:at ~len:left in
          with_ipv4 ?ethernet ~wrong ip transport ~off:at ~len:left ~length:len
      | _, Ok ip -> bare ?ethernet ~wrong (Ipv4 (ip, Opaque)) ~length:len)

let of_arp ~ethernet b ~off ~len =
  match Arp.decode b ~off ~len with
  | Ok t -> bare ~ethernet (Arp t) ~length:len
  | Error wrong -> bare ~ethernet ~wrong Unread_arp ~length:len

let of_frame b ~off ~len =
  match Ethernet.decode b ~off ~len with
  | Error wrong -> bare ~wrong Other ~length:len
  | Ok ethernet ->
      let off = off + Ethernet.length and len = len - Ethernet.length in
      if ethernet.ethertype = Ethernet.ethertype_ipv4 then of_ipv4 ~ethernet b ~off ~len
      else if ethernet.ethertype = Ethernet.ethertype_arp then of_arp ~ethernet b ~off ~len
      else bare ~ethernet Other ~length:len

let of_ipv4 b ~off ~len = of_ipv4 b ~off ~len
let none ~length = bare Other ~length
