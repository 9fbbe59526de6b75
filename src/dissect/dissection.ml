open Weir_wire

type t = {
  number : int;
  time : Weir_base.Time.t;
  captured : int;
  original : int;
  data : Bytes.t;
  decoded : Layers.t;
  shown : Layers.t;
  stream : Conversations.seen option;
}

let raw_ip = 101

let decoder link_type =
  if link_type = Pcap.ethernet then Some Layers.of_frame
  else if link_type = raw_ip then Some Layers.of_ipv4
  else None

let make conversations ~absolute ~number data (p : Pcap.packet) =
  let dissect decode =
    let decoded = decode data ~off:p.off ~len:p.captured in
    let stream = Conversations.see conversations decoded in
    let shown = if absolute then decoded else Conversations.relative conversations decoded in
    let { Pcap.time; captured; original; _ } = p in
    { number; time; captured; original; data; decoded; shown; stream }
  in
  Option.map dissect (decoder p.link_type)
