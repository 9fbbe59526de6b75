type t = { dst : Mac.t; src : Mac.t; ethertype : int }

let ethertype_ipv4 = 0x0800
let ethertype_arp = 0x0806
let ethertype_ipv6 = 0x86dd
let length = 14

let decode b ~off ~len =
  if len < length then Error.truncated ~need:length ~have:len
  else
    Ok
      {
        dst = Mac.get b off;
        src = Mac.get b (off + 6);
        ethertype = Bytes.get_uint16_be b (off + 12);
      }

let get_dst b ~off = Mac.get b off
let get_ethertype b ~off = Bytes.get_uint16_be b (off + 12)

let write b ~off ~dst ~src ethertype =
  Mac.set b off dst;
  Mac.set b (off + 6) src;
  Bytes.set_uint16_be b (off + 12) ethertype

let emit { dst; src; ethertype } b ~off = write b ~off ~dst ~src ethertype

let pp f t =
  Fmt.pf f "%a > %a " Mac.pp t.src Mac.pp t.dst;
  if t.ethertype < 0x600 then Fmt.pf f "802.3 length %d" t.ethertype
  else if t.ethertype = ethertype_ipv6 then Fmt.string f "IPv6"
  else Fmt.pf f "ethertype 0x%04x" t.ethertype
