open Weir_wire

let request mac ~sender_ip ~target_ip : Arp.t =
  { operation = Request; sender_mac = mac; sender_ip; target_mac = Mac.of_int 0; target_ip }

let question mac a = request mac ~sender_ip:Ip.any ~target_ip:a
let announcement mac a = request mac ~sender_ip:a ~target_ip:a

let is_conflict (arp : Arp.t) a =
  Ip.equal arp.sender_ip a
  || (arp.operation = Request && Ip.is_any arp.sender_ip && Ip.equal arp.target_ip a)
