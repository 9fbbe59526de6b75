type operation = Request | Reply

type t = {
  operation : operation;
  sender_mac : Mac.t;
  sender_ip : Ip.t;
  target_mac : Mac.t;
  target_ip : Ip.t;
}

let length = 28
let ethernet = 1

let decode b ~off ~len =
  if len < length then Error.truncated ~need:length ~have:len
  else
    let operation = Bytes.get_uint16_be b (off + 6) in
    if Bytes.get_uint16_be b off <> ethernet then Error.malformed ~at:0 "hardware is not Ethernet"
    else if Bytes.get_uint16_be b (off + 2) <> Ethernet.ethertype_ipv4 then
      Error.malformed ~at:2 "protocol is not IPv4"
    else if Bytes.get_uint16_be b (off + 4) <> 0x0604 then
      Error.malformed ~at:4 "address lengths are not 6 and 4"
    else if operation <> 1 && operation <> 2 then
      Error.malformed ~at:6 "neither a request nor a reply"
    else
      Ok
        {
          operation = (if operation = 1 then Request else Reply);
          sender_mac = Mac.get b (off + 8);
          sender_ip = Ip.get b (off + 14) ~length:Ip.v4_length;
          target_mac = Mac.get b (off + 18);
          target_ip = Ip.get b (off + 24) ~length:Ip.v4_length;
        }

let emit t b ~off =
  Bytes.set_uint16_be b off ethernet;
  Bytes.set_uint16_be b (off + 2) Ethernet.ethertype_ipv4;
  Bytes.set_uint16_be b (off + 4) 0x0604;
  Bytes.set_uint16_be b (off + 6) (match t.operation with Request -> 1 | Reply -> 2);
  Mac.set b (off + 8) t.sender_mac;
  Ip.set b (off + 14) t.sender_ip;
  Mac.set b (off + 18) t.target_mac;
  Ip.set b (off + 24) t.target_ip

let pp f t =
  match t.operation with
  | Request when Ip.equal t.sender_ip t.target_ip -> Fmt.pf f "ARP announce %a" Ip.pp t.sender_ip
  | Request -> Fmt.pf f "ARP who-has %a tell %a" Ip.pp t.target_ip Ip.pp t.sender_ip
  | Reply -> Fmt.pf f "ARP %a is-at %a" Ip.pp t.sender_ip Mac.pp t.sender_mac
