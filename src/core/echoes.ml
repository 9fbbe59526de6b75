open Weir_base
module Ip = Weir_wire.Ip
module Packet = Weir_wire.Packet
module Ipv4 = Weir_wire.Ipv4
module Ipv6 = Weir_wire.Ipv6
module Icmpv4 = Weir_wire.Icmpv4
module Icmpv6 = Weir_wire.Icmpv6

type pong = {
  from : Ip.t;
  identifier : int;
  sequence : int;
  data_length : int;
  ttl : int;
  outcome : (unit, string) result;
}

type request = {
  source : Ip.t;
  destination : Ip.t;
  identifier : int;
  sequence : int;
  ttl : int;
  data : string;
}

type t = {
  counters : Counters.t;
  routes : Routes.t;
  control : Control_queue.t;
  pongs : pong Fifo.t;
  mutable handler : (request -> unit) option;
}

let most_pongs = 256

let create counters routes control =
  let none =
    { from = Ip.any; identifier = 0; sequence = 0; data_length = 0; ttl = 0; outcome = Ok () }
  in
  { counters; routes; control; pongs = Fifo.create ~dummy:none; handler = None }

let set_handler t f = t.handler <- f
let pongs t = Fifo.length t.pongs
let pong t = if Fifo.is_empty t.pongs then None else Some (Fifo.pop t.pongs)

(* -- messages -------------------------------------------------------------- *)

let protocol dst = if Ip.is_v4 dst then Ipv4.protocol_icmp else Ipv6.protocol_icmp

(* The data follow at [off], behind the header. *)
let emit ~reply ~identifier ~sequence ~data_length b ~src ~dst ~off =
  if Ip.is_v4 dst then
    Icmpv4.emit
      (if reply then Echo_reply { identifier; sequence; data_length }
       else Echo_request { identifier; sequence; data_length })
      b ~off
  else
    let protocol = Ipv6.protocol_icmp and length = Icmpv6.length + data_length in
    let pseudo = Ip.pseudo_sum ~src ~dst ~protocol ~length in
    Icmpv6.emit
      (if reply then Echo_reply { identifier; sequence; data_length }
       else Echo_request { identifier; sequence; data_length })
      ~pseudo b ~off

let sent t done_ =
  if done_ then t.counters.icmp_out <- t.counters.icmp_out + 1;
  done_

(* -- what comes in ------------------------------------------------------------ *)

(* A transparent host answers only what is for itself. *)
let handed_on t (p : Packet.t) ~identifier ~sequence ~data_length =
  match t.handler with
  | Some f
    when Routes.is_transparent t.routes && not (Routes.is_own t.routes (Packet.destination p)) ->
      let data = Bytes.sub_string p.data (p.payload_at + Icmpv4.length) data_length in
      let source = Packet.source p and destination = Packet.destination p in
      f { source; destination; identifier; sequence; ttl = p.ttl; data };
      true
  | _ -> false

let answer t (p : Packet.t) =
  if Icmp.may_answer t.routes p then
    let src = Packet.destination p and dst = Packet.source p and len = p.payload_length in
    ignore
      (sent t
         (Control_queue.push_datagram t.control ~src ~dst ~protocol:Ipv4.protocol_icmp ~length:len
            (fun packet at ->
              Bytes.blit p.data p.payload_at packet at len;
              Icmp.echo_reply packet ~off:at ~len)))

(* RFC 4443 §4.2: requests to all nodes of the link are answered too, at a limited rate. *)
let answer_v6 t ~now (p : Packet.t) =
  let dst = Packet.source p and len = p.payload_length in
  let to_us = Icmp.may_answer t.routes p in
  if to_us || (Icmp.may_answer_group t.routes p && Control_queue.may_answer t.control ~now) then
    let src = if to_us then Packet.destination p else Routes.source_for t.routes dst in
    let protocol = Ipv6.protocol_icmp in
    let pseudo = Ip.pseudo_sum ~src ~dst ~protocol ~length:len in
    ignore
      (sent t
         (Control_queue.push_datagram t.control ~src ~dst ~protocol ~length:len (fun packet at ->
              Bytes.blit p.data p.payload_at packet at len;
              Bytes.set_uint8 packet at Icmpv6.echo_reply;
              Icmpv6.set_checksum packet ~off:at ~len ~pseudo)))

let asked t ~now (p : Packet.t) ~identifier ~sequence ~data_length =
  if not (handed_on t p ~identifier ~sequence ~data_length) then
    if p.address_length = Ip.v4_length then answer t p else answer_v6 t ~now p

let push t pong = if Fifo.length t.pongs < most_pongs then Fifo.push t.pongs pong

let answered t (p : Packet.t) ~identifier ~sequence ~data_length =
  push t { from = Packet.source p; identifier; sequence; data_length; ttl = p.ttl; outcome = Ok () }

let failed t ~dst ~identifier ~sequence why =
  push t { from = dst; identifier; sequence; data_length = 0; ttl = 0; outcome = Error why }

(* -- what is sent --------------------------------------------------------------- *)

let longest = 65_507

let ping t dst ~identifier ~sequence ~data_length =
  let dst = Ip.unmapped (Ip.of_ipaddr dst) in
  let length = Icmpv4.length + data_length and src = Routes.source_for t.routes dst in
  if data_length < 0 || length > longest then Error `Too_long
  else if Ip.is_any src && not (Ip.is_v4 dst) then Error `No_route
  else if
    sent t
      (Control_queue.push_datagram t.control ~src ~dst ~protocol:(protocol dst) ~length
         (fun packet off ->
           for i = 0 to data_length - 1 do
             Bytes.set_uint8 packet (off + Icmpv4.length + i) (i land 255)
           done;
           emit ~reply:false ~identifier ~sequence ~data_length packet ~src ~dst ~off))
  then Ok ()
  else Error `No_room

let reply t { source = dst; destination = src; identifier; sequence; data; _ } =
  let data_length = String.length data in
  let length = Icmpv4.length + data_length in
  if length <= Ip.longest_payload dst then
    ignore
      (sent t
         (Control_queue.push_datagram t.control ~src ~dst ~protocol:(protocol dst) ~length
            (fun b off ->
              Bytes.blit_string data 0 b (off + Icmpv4.length) data_length;
              emit ~reply:true ~identifier ~sequence ~data_length b ~src ~dst ~off)))

let header { source = src; destination = dst; identifier; sequence; _ } =
  let b = Bytes.create Icmpv4.length in
  emit ~reply:false ~identifier ~sequence ~data_length:0 b ~src ~dst ~off:0;
  b
