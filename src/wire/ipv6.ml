type fragment = { identification : int; offset : int; more : bool }

type t = {
  src : Ip.t;
  dst : Ip.t;
  protocol : int;
  hop_limit : int;
  traffic_class : int;
  flow_label : int;
  fragment : fragment option;
  header_length : int;
  data_length : int;
}

let hop_by_hop = 0
let routing = 43
let fragment = 44
let protocol_icmp = 58
let protocol_none = 59
let destination_options = 60
let shortest = 40
let minimum_mtu = 1_280
let fragment_length = 8

let base =
  {
    src = Ip.any_v6;
    dst = Ip.any_v6;
    protocol = protocol_none;
    hop_limit = 64;
    traffic_class = 0;
    flow_label = 0;
    fragment = None;
    header_length = shortest;
    data_length = 0;
  }

(* -- reading ------------------------------------------------------------- *)

type report = { code : int; pointer : int; to_group : bool }
type failure = { error : Error.t; report : report option }

let most_headers = 8
let most_options = 8
let most_padding = 7

exception Failed of failure

let fail ?report error = raise_notrace (Failed { error; report })
let wrong ~at what = fail (Malformed { at; what })

(* With a report to the sender. *)
let problem ?(to_group = false) ~code ~at what =
  fail ~report:{ code; pointer = at; to_group } (Malformed { at; what })

let erroneous = 0
let unknown_header = 1
let unknown_option = 2
let incomplete_chain = 3

(* What is being read: offsets are from the start of the IPv6 header, which is at [off]. *)
type chain = {
  b : Bytes.t;
  off : int;
  stop : int;  (** the end of the bytes present *)
  mutable next : int;  (** the protocol of what is at [at] *)
  mutable next_at : int;  (** the field that says so *)
  mutable at : int;
  mutable fragment_at : int;  (** -1 if there is no fragment header *)
}

let byte c at = Bytes.get_uint8 c.b (c.off + at)
let word c at = Bytes.get_uint16_be c.b (c.off + at)

let need c length =
  if c.at + length > c.stop then fail (Truncated { need = c.at + length; have = c.stop })

(* The two highest bits of an option's type say what to do if it is unknown (RFC 8200 §4.2). *)
let unknown c ~at =
  match byte c at lsr 6 with
  | 0 -> ()
  | 1 -> wrong ~at "unknown option"
  | action -> problem ~to_group:(action = 2) ~code:unknown_option ~at "unknown option"

let router_alert = 5

let rec options c ~at ~stop ~count ~padding =
  if at < stop then
    let kind = byte c at in
    if kind = 0 then padded c ~at:(at + 1) ~stop ~count ~padding:(padding + 1)
    else if at + 2 > stop || at + 2 + byte c (at + 1) > stop then
      problem ~code:erroneous ~at "an option ends beyond its header"
    else
      let next = at + 2 + byte c (at + 1) in
      if kind = 1 then padded c ~at:next ~stop ~count ~padding:(padding + next - at)
      else if count = most_options then wrong ~at "too many options"
      else (
        if kind <> router_alert then unknown c ~at;
        options c ~at:next ~stop ~count:(count + 1) ~padding:0)

and padded c ~at ~stop ~count ~padding =
  if padding > most_padding then wrong ~at "too much padding between options";
  options c ~at ~stop ~count ~padding

let skip c length =
  c.next_at <- c.at;
  c.next <- byte c c.at;
  c.at <- c.at + length

(* A header whose second byte is its length in units of 8 bytes, not counting the first 8. *)
let extension c check =
  need c 8;
  let length = 8 * (1 + byte c (c.at + 1)) in
  need c length;
  check ~stop:(c.at + length);
  skip c length

let check_options c ~stop = options c ~at:(c.at + 2) ~stop ~count:0 ~padding:0

let check_routing c ~stop:_ =
  if byte c (c.at + 3) > 0 then
    problem ~code:erroneous ~at:(c.at + 2) "a routing header with segments left"

(* The headers up to the payload, or to the fragment header of a fragment. *)
let rec follow c ~count =
  if count > most_headers then wrong ~at:c.next_at "too many extension headers"
  else if c.next = hop_by_hop then
    if count > 0 then problem ~code:unknown_header ~at:c.next_at "hop-by-hop options are not first"
    else again c ~count check_options
  else if c.next = destination_options then again c ~count check_options
  else if c.next = routing then again c ~count check_routing
  else if c.next = fragment && c.fragment_at < 0 then (
    need c fragment_length;
    c.fragment_at <- c.at;
    skip c fragment_length;
    (* An atomic fragment (RFC 6946 §4): the packet is whole. *)
    if word c (c.fragment_at + 2) land 0xfff9 = 0 then follow c ~count:(count + 1))
  else if c.next = fragment then problem ~code:unknown_header ~at:c.next_at "two fragment headers"

and again c ~count check =
  extension c (check c);
  follow c ~count:(count + 1)

let offset_of c = word c (c.fragment_at + 2) land 0xfff8
let more_of c = word c (c.fragment_at + 2) land 1 <> 0
let is_fragment c = c.fragment_at >= 0 && (offset_of c > 0 || more_of c)

(* The shortest header of a transport protocol; 0 if it is not known. *)
let least protocol =
  if protocol = 6 then Tcp.shortest
  else if protocol = 17 then Udp.length
  else if protocol = protocol_icmp then 8
  else 0

(* RFC 7112 §5: all headers are in the first fragment, the transport's too. *)
let check_first c =
  let rest = { c with at = c.at } in
  match
    follow rest ~count:1;
    need rest (least rest.next)
  with
  | () -> ()
  | exception Failed { error = Truncated _; _ } ->
      problem ~code:incomplete_chain ~at:0 "a first fragment without all headers"

let check_fragment c =
  let length = c.stop - c.at in
  if length = 0 then wrong ~at:c.fragment_at "empty fragment";
  if more_of c && length land 7 <> 0 then
    problem ~code:erroneous ~at:4
      "a fragment that is not the last has a length that is not a multiple of 8";
  if offset_of c + length > 0xffff then
    problem ~code:erroneous ~at:(c.fragment_at + 2) "fragment ends beyond byte 65535";
  if offset_of c = 0 then check_first c

let source_at = 8

let start b ~off ~len =
  if len < shortest then fail (Truncated { need = shortest; have = len });
  let first = Bytes.get_uint8 b off in
  if first lsr 4 <> 6 then wrong ~at:0 "version is not 6";
  {
    b;
    off;
    stop = shortest + Bytes.get_uint16_be b (off + 4);
    next = Bytes.get_uint8 b (off + 6);
    next_at = 6;
    at = shortest;
    fragment_at = -1;
  }

let key b at = Ip.key_at b at ~length:Ip.v6_length

(* Fills in the fields of the fixed header. *)
let fill_fixed (p : Packet.t) b ~off =
  let source_at = off + source_at in
  p.data <- b;
  p.at <- off;
  p.address_length <- Ip.v6_length;
  p.source_at <- source_at;
  p.source_key <- key b source_at;
  p.destination_key <- key b (source_at + Ip.v6_length);
  p.protocol <- Bytes.get_uint8 b (off + 6);
  p.protocol_at <- off + 6;
  p.ttl <- Bytes.get_uint8 b (off + 7);
  p.identification_at <- -1;
  p.fragment_offset <- 0;
  p.more_fragments <- false;
  p.payload_at <- off + shortest;
  p.payload_length <- Bytes.get_uint16_be b (off + 4);
  p.segment_size <- 0

let fill (p : Packet.t) c =
  let { b; off; _ } = c in
  fill_fixed p b ~off;
  p.protocol <- c.next;
  p.protocol_at <- c.off + c.next_at;
  if c.fragment_at >= 0 then (
    p.identification_at <- off + c.fragment_at + 4;
    p.fragment_offset <- offset_of c;
    p.more_fragments <- more_of c);
  p.payload_at <- off + c.at;
  p.payload_length <- c.stop - c.at

let read_chain p b ~off ~len =
  match
    let c = start b ~off ~len in
    if c.stop > len then fail (Truncated { need = c.stop; have = len });
    follow c ~count:0;
    if is_fragment c then check_fragment c;
    fill p c
  with
  | () -> Ok ()
  | exception Failed failure -> Error failure

(* Most packets have no extension headers. *)
let[@inline] is_plain protocol =
  protocol = Ipv4.protocol_tcp || protocol = Ipv4.protocol_udp || protocol = protocol_icmp

let read p b ~off ~len =
  if off < 0 || len < 0 || off > Bytes.length b - len then invalid_arg "Ipv6.read";
  if
    len >= shortest
    && is_plain (Bytes.get_uint8 b (off + 6))
    && Bytes.get_uint8 b off lsr 4 = 6
    && shortest + Bytes.get_uint16_be b (off + 4) <= len
  then (
    fill_fixed p b ~off;
    Ok ())
  else read_chain p b ~off ~len

let read_quoted p b ~off ~len =
  (* The headers must be present; the payload may be cut short. *)
  match
    let c = start b ~off ~len in
    let there = { c with stop = Int.min c.stop len } in
    follow there ~count:0;
    fill p { there with stop = c.stop }
  with
  | () -> Ok ()
  | exception Failed { error; _ } -> Error error

let read_fixed p b ~off ~len =
  match fill p (start b ~off ~len) with () -> true | exception Failed _ -> false

let identification b at = Int32.to_int (Bytes.get_int32_be b at) land 0xffff_ffff

let header (p : Packet.t) =
  let b = p.data and off = p.at in
  let fragment =
    if p.identification_at < 0 then None
    else
      Some
        {
          identification = identification b p.identification_at;
          offset = p.fragment_offset;
          more = p.more_fragments;
        }
  in
  {
    src = Packet.source p;
    dst = Packet.destination p;
    protocol = p.protocol;
    hop_limit = p.ttl;
    traffic_class = (Bytes.get_uint16_be b off lsr 4) land 0xff;
    flow_label = ((Bytes.get_uint8 b (off + 1) land 15) lsl 16) lor Bytes.get_uint16_be b (off + 2);
    fragment;
    header_length = p.payload_at - off;
    data_length = p.payload_length;
  }

let decode b ~off ~len =
  let p = Packet.create () in
  match read p b ~off ~len with Ok () -> Ok (header p) | Error { error; _ } -> Error error

let decode_quoted b ~off ~len =
  let p = Packet.create () in
  Result.map (fun () -> header p) (read_quoted p b ~off ~len)

(* -- fragments ------------------------------------------------------------ *)

(* Both ECN bits: congestion experienced (RFC 3168 §5). *)
let congestion = 0x30
let is_congested (p : Packet.t) = Bytes.get_uint8 p.data (p.at + 1) land congestion = congestion

(* The field that says that the fragment header follows. *)
let rec fragment_field b ~next_at ~at =
  if Bytes.get_uint8 b next_at = fragment then next_at
  else fragment_field b ~next_at:at ~at:(at + (8 * (1 + Bytes.get_uint8 b (at + 1))))

let unfragmented headers ~data_length ~congested =
  let kept = Bytes.length headers - fragment_length in
  let length = kept - shortest + data_length in
  if length > 0xffff then None
  else
    let b = Bytes.sub headers 0 kept in
    Bytes.set_uint8 b
      (fragment_field headers ~next_at:6 ~at:shortest)
      (Bytes.get_uint8 headers kept);
    Bytes.set_uint16_be b 4 length;
    if congested then Bytes.set_uint8 b 1 (Bytes.get_uint8 b 1 lor congestion);
    Some b

(* -- writing ------------------------------------------------------------- *)

let length t = if Option.is_none t.fragment then shortest else shortest + fragment_length

let write_fixed b ~off ~src ~dst ~next ~hop_limit ~first ~length =
  Bytes.set_int32_be b off (Int32.of_int first);
  Bytes.set_uint16_be b (off + 4) length;
  Bytes.set_uint8 b (off + 6) next;
  Bytes.set_uint8 b (off + 7) hop_limit;
  Ip.set b (off + source_at) src;
  Ip.set b (off + source_at + Ip.v6_length) dst

let version = 6 lsl 28

let write b ~off ~src ~dst ~protocol ~hop_limit ~data_length =
  write_fixed b ~off ~src ~dst ~next:protocol ~hop_limit ~first:version ~length:data_length

(* The traffic class is in the middle of the first two bytes. *)
let set_ecn b ~off ecn =
  let first = Bytes.get_uint8 b (off + 1) in
  Bytes.set_uint8 b (off + 1) (first land 0xcf lor (ecn lsl 4))

let set_hop_limit b ~off n = Bytes.set_uint8 b (off + 7) n

let emit t b ~off =
  let { src; dst; hop_limit; _ } = t in
  let first = version lor (t.traffic_class lsl 20) lor t.flow_label in
  let length = length t - shortest + t.data_length in
  let next = if Option.is_none t.fragment then t.protocol else fragment in
  write_fixed b ~off ~src ~dst ~next ~hop_limit ~first ~length;
  match t.fragment with
  | None -> ()
  | Some { identification; offset; more } ->
      let at = off + shortest in
      Bytes.set_uint8 b at t.protocol;
      Bytes.set_uint8 b (at + 1) 0;
      Bytes.set_uint16_be b (at + 2) (offset lor Bool.to_int more);
      Bytes.set_int32_be b (at + 4) (Int32.of_int identification)

let emit_router_alert b ~off ~protocol =
  Bytes.set_uint8 b off protocol;
  Bytes.set_uint8 b (off + 1) 0;
  (* Router alert of 2 bytes, value 0 for MLD; then two bytes of padding. *)
  Bytes.set_int32_be b (off + 2) 0x05_02_00_00l;
  Bytes.set_uint16_be b (off + 6) 0x01_00

let pp f t =
  Fmt.pf f "IPv6 %a > %a protocol %d hop limit %d" Ip.pp t.src Ip.pp t.dst t.protocol t.hop_limit;
  Option.iter
    (fun { identification; offset; more } ->
      Fmt.pf f " fragment %d@%d%s" identification offset (if more then "+" else ""))
    t.fragment;
  Fmt.pf f " len %d" t.data_length
