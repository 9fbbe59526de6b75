module Frame = Weir_base.Frame
open Weir_wire

(* Locally administered. *)
let mac = Mac.of_int 0x02_00_00_00_00_01
let theirs = Mac.of_int 0x02_00_00_00_00_02
let ethernet = Ethernet.length

let answer_arp b ~len =
  match Arp.decode b ~off:ethernet ~len:(len - ethernet) with
  | Ok ({ operation = Request; _ } as q) when not (Ip.equal q.sender_ip q.target_ip) ->
      let reply = Bytes.create (ethernet + Arp.length) in
      Ethernet.emit
        { dst = q.sender_mac; src = theirs; ethertype = Ethernet.ethertype_arp }
        reply ~off:0;
      Arp.emit
        {
          operation = Reply;
          sender_mac = theirs;
          sender_ip = q.target_ip;
          target_mac = q.sender_mac;
          target_ip = q.sender_ip;
        }
        reply ~off:ethernet;
      Some reply
  | _ -> None

let nd_at = ethernet + Ipv6.shortest

(* A test for duplicates comes from [::]; nobody else has the address. *)
let answer_solicitation b =
  let source = Ip.get b (ethernet + 8) ~length:Ip.v6_length in
  if Ip.is_any source then None
  else
    let target = Ip.get b (nd_at + 8) ~length:Ip.v6_length in
    let message =
      Nd.Neighbour_advertisement
        { target; target_mac = Some theirs; router = false; solicited = true; override = true }
    in
    let length = Nd.length message and protocol = Ipv6.protocol_icmp in
    let reply = Bytes.create (nd_at + length) in
    Ethernet.emit { dst = mac; src = theirs; ethertype = Ethernet.ethertype_ipv6 } reply ~off:0;
    Ipv6.write reply ~off:ethernet ~src:target ~dst:source ~protocol ~hop_limit:255
      ~data_length:length;
    let pseudo = Ip.pseudo_sum ~src:target ~dst:source ~protocol ~length in
    Nd.emit message ~pseudo reply ~off:nd_at;
    Some reply

let is_discovery b ~len = len >= nd_at + 24 && Bytes.get_uint8 b (ethernet + 6) = Ipv6.protocol_icmp
let neighbour_solicitation = 135
let most_answers = 64

class layer3 (packets : Link.t) =
  object
    inherit Link.forward packets
    val pool = Frame.pool ~size:(packets#mtu + ethernet + 5) ()
    val answers : Bytes.t Queue.t = Queue.create ()

    method! receive ~now =
      match Queue.take_opt answers with
      | Some b ->
          let f = Frame.alloc pool and len = Bytes.length b in
          Bytes.blit b 0 f.data 0 len;
          Frame.set f ~off:0 ~len;
          f
      | None ->
          let packet = packets#receive ~now in
          if packet == Frame.none || packet.len = 0 then packet
          else
            let f = Frame.alloc pool in
            let v4 = Bytes.get_uint8 packet.data packet.off lsr 4 = 4 in
            let ethertype = if v4 then Ethernet.ethertype_ipv4 else Ethernet.ethertype_ipv6 in
            Ethernet.emit { dst = mac; src = theirs; ethertype } f.data ~off:0;
            Bytes.blit packet.data packet.off f.data ethernet packet.len;
            Frame.set f ~off:0 ~len:(ethernet + packet.len);
            Frame.release packet;
            f

    method! send ~now frame =
      Link.complete frame;
      let { Frame.data; off; len; _ } = frame in
      let answer b = if Queue.length answers < most_answers then Queue.push b answers in
      let ethertype = if len > ethernet then Ethernet.get_ethertype data ~off else 0 in
      let copy () = Bytes.sub data off len in
      if ethertype = Ethernet.ethertype_arp then (
        Option.iter answer (answer_arp (copy ()) ~len);
        Frame.release frame)
      else if ethertype <> Ethernet.ethertype_ipv4 && ethertype <> Ethernet.ethertype_ipv6 then
        Frame.release frame
      else if
        ethertype = Ethernet.ethertype_ipv6
        && is_discovery (copy ()) ~len
        && Bytes.get_uint8 data (off + nd_at) = neighbour_solicitation
      then (
        Option.iter answer (answer_solicitation (copy ()));
        Frame.release frame)
      else (
        Frame.set frame ~off:(off + ethernet) ~len:(len - ethernet);
        packets#send ~now frame)

    method! deadline = if Queue.is_empty answers then packets#deadline else 0
  end

let wrap packets = (new layer3 packets :> Link.t)
