open Weir_link
open Weir_wire

type t = { mtu : int; silent : bool }
type outcome = Passes | Fragments of Frame.t list | Reported of Frame.t | Dropped

let header = Ethernet.length
let router_v4 = Ip.of_v4 (Ipaddr.V4.of_string_exn "192.0.2.1")
let router_v6 = Ip.of_ipaddr (Ipaddr.of_string_exn "2001:db8::1")

let frame len fill =
  let f = Frame.alloc (Frame.pool ~keep:0 ~size:len ()) in
  fill f.Frame.data;
  Frame.set_length f len;
  f

let fragments t (f : Frame.t) (h : Ipv4.t) =
  let parts = ref [] in
  let data = f.off + header + h.header_length in
  Weir_core.Fragment.iter ~mtu:t.mtu h (fun part ~at ->
      let length = Ipv4.length part in
      let one =
        frame
          (header + length + part.data_length)
          (fun b ->
            Bytes.blit f.data f.off b 0 header;
            Ipv4.emit part b ~off:header;
            Bytes.blit f.data (data + at) b (header + length) part.data_length)
      in
      parts := one :: !parts);
  Fragments (List.rev !parts)

(* Back to where [f] came from; [fill b off] writes the ICMP message. *)
let answer (f : Frame.t) ~length ip ~ip_length fill =
  Reported
    (frame
       (header + ip_length + length)
       (fun b ->
         Bytes.blit f.data (f.off + 6) b 0 6;
         Bytes.blit f.data f.off b 6 6;
         Bytes.blit f.data (f.off + 12) b 12 2;
         ip b ~off:header;
         fill b (header + ip_length)))

let report_v4 t f (h : Ipv4.t) =
  let quoted = Int.min (f.Frame.len - header) 548 in
  let length = Icmpv4.length + quoted in
  let ip =
    {
      Ipv4.base with
      src = router_v4;
      dst = h.src;
      protocol = Ipv4.protocol_icmp;
      data_length = length;
    }
  in
  answer f ~length (Ipv4.emit ip) ~ip_length:Ipv4.shortest (fun b at ->
      Bytes.blit f.data (f.off + header) b (at + Icmpv4.length) quoted;
      let code = Icmpv4.Fragmentation_needed t.mtu in
      Icmpv4.emit (Destination_unreachable { code; rest = 0; data_length = quoted }) b ~off:at)

let is_icmp_error (f : Frame.t) (h : Ipv4.t) =
  h.protocol = Ipv4.protocol_icmp
  &&
  match Bytes.get_uint8 f.data (f.off + header + h.header_length) with
  | 0 | 8 -> false
  | _ -> true

let judge_v4 t (f : Frame.t) =
  match Ipv4.decode f.data ~off:(f.off + header) ~len:(f.len - header) with
  | Error _ -> Dropped
  | Ok h when Ipv4.length h + h.data_length <= t.mtu -> Passes
  | Ok h when not h.dont_fragment -> fragments t f h
  | Ok h when t.silent || h.fragment_offset > 0 || is_icmp_error f h -> Dropped
  | Ok h -> report_v4 t f h

let report_v6 t f (h : Ipv6.t) =
  let quoted = Int.min (f.Frame.len - header) (1_280 - 48) in
  let length = Icmpv6.length + quoted in
  let ip =
    {
      Ipv6.base with
      src = router_v6;
      dst = h.src;
      protocol = Ipv6.protocol_icmp;
      data_length = length;
    }
  in
  let pseudo = Ip.pseudo_sum ~src:router_v6 ~dst:h.src ~protocol:Ipv6.protocol_icmp ~length in
  answer f ~length (Ipv6.emit ip) ~ip_length:40 (fun b at ->
      Bytes.blit f.data (f.off + header) b (at + Icmpv6.length) quoted;
      Icmpv6.emit (Packet_too_big { mtu = t.mtu; data_length = quoted }) ~pseudo b ~off:at)

let judge_v6 t (f : Frame.t) =
  match Ipv6.decode f.data ~off:(f.off + header) ~len:(f.len - header) with
  | Error _ -> Dropped
  | Ok _ when t.silent -> Dropped
  | Ok h -> report_v6 t f h

let mark (f : Frame.t) =
  let at = f.off + header in
  if f.len >= header + 20 then
    match Ethernet.get_ethertype f.data ~off:f.off with
    | kind when kind = Ethernet.ethertype_ipv4 ->
        let field = Bytes.get_uint8 f.data (at + 1) in
        let length = 4 * (Bytes.get_uint8 f.data at land 15) in
        if field land 3 <> 0 && length >= 20 && f.len >= header + length then (
          Bytes.set_uint8 f.data (at + 1) (field lor 3);
          Bytes.set_uint16_be f.data (at + 10) 0;
          let sum = Weir_base.Checksum.(finish (sum f.data ~off:at ~len:length)) in
          Bytes.set_uint16_be f.data (at + 10) sum)
    | kind when kind = Ethernet.ethertype_ipv6 ->
        let field = Bytes.get_uint8 f.data (at + 1) in
        if field land 0x30 <> 0 then Bytes.set_uint8 f.data (at + 1) (field lor 0x30)
    | _ -> ()

let judge t (f : Frame.t) =
  if f.len <= header + t.mtu then Passes
  else
    match Ethernet.get_ethertype f.data ~off:f.off with
    | kind when kind = Ethernet.ethertype_ipv4 -> judge_v4 t f
    | kind when kind = Ethernet.ethertype_ipv6 -> judge_v6 t f
    | _ -> Dropped
